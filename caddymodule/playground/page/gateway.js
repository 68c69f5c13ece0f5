// Requests to the gateway, and what they cost.

/** The operations of the site that serves this page. */
export const operations = {
  authorize: '/authorize',
  token: '/oauth/token',
  userInfo: '/userinfo',
  logout: '/v2/logout',
  segmentation: '/machine_learning/text/technical_language/parsers/segmentation',
  personification: '/machine_learning/text/technical_language/generators/personification',
};

/**
 * send makes a request: {method, path, query, form, json, headers, redirect}; path may be
 * a URL. Its answer has status, text, json (if the body is), header, redirects, and what it
 * cost: sent and received are bytes of bodies, took is milliseconds. Without an answer it
 * throws. With redirect: 'manual' scripts see that an answer redirects, and not where to.
 */
export async function send(request, signal) {
  const { url, options } = asFetch(request);
  const start = performance.now();
  const response = await fetch(url, { ...options, signal, cache: 'no-store', credentials: 'omit', redirect: request.redirect ?? 'follow' });
  const text = await response.text();
  const took = performance.now() - start;
  let json = null;
  if (/\bjson\b/.test(response.headers.get('Content-Type') ?? '')) {
    try {
      json = JSON.parse(text);
    } catch { // the text says what it is
    }
  }
  return {
    status: response.status,
    redirects: response.type === 'opaqueredirect',
    header: (name) => response.headers.get(name),
    text,
    json,
    took,
    sent: length(options.body ?? ''),
    received: length(text),
  };
}

/** ask is send, with an answer also where there is none. */
export async function ask(request) {
  try {
    return await send(request);
  } catch (error) {
    return { status: 0, text: '', json: { error: 'no answer', error_description: `The gateway can't be reached: ${error.message}` } };
  }
}

const length = (text) => new TextEncoder().encode(text).length;

function asFetch(request) {
  const query = request.query ? `?${new URLSearchParams(request.query)}` : '';
  const options = { method: request.method, headers: { ...request.headers } };
  if (request.json) {
    options.headers['Content-Type'] = 'application/json';
    options.body = JSON.stringify(request.json);
  } else if (request.form) {
    options.headers['Content-Type'] = 'application/x-www-form-urlencoded';
    options.body = String(new URLSearchParams(request.form));
  }
  return { url: new URL(request.path, location.origin) + query, options };
}

/** asCurl is the request as a command for a POSIX shell. */
export function asCurl(request) {
  const { url, options } = asFetch(request);
  const command = [`curl -s ${quoted(url)}`];
  for (const [name, value] of Object.entries(options.headers)) {
    command.push(`-H ${quoted(`${name}: ${value}`)}`);
  }
  if (options.body) {
    command.push(`--data-raw ${quoted(escaped(options.body))}`);
  }
  return command.join(' \\\n  ');
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** What a terminal could obey, or show as something else, stays an escape of JSON. */
const escaped = (json) =>
  json.replace(/[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * isServed says whether a handler of this plugin answered: the rest of a site has
 * pages of its own, or nothing, where an operation would be.
 */
export const isServed = (answer) => answer.status !== 404 && !(answer.status < 300 && answer.json === null);

/**
 * reason is what an answer says of a failure: an OAuth error (RFC 6749), or
 * problem details (RFC 9457).
 */
export function reason(answer) {
  const said = answer.json ?? {};
  return {
    code: said.error ?? said.title ?? `status ${answer.status}`,
    text: said.error_description ?? said.detail ?? answer.text.slice(0, 300).trim(),
  };
}
