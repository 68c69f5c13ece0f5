import { finishLogin, logIn, logOut } from './login.js';

const element = (id) => document.getElementById(id);
let accessToken;

element('login').addEventListener('click', () => logIn().catch(show));
element('logout').addEventListener('click', logOut);
element('form').addEventListener('submit', (event) => {
  event.preventDefault();
  segment(element('message').value).catch(show);
});

try {
  accessToken = await finishLogin();
  const name = accessToken && (await call('/userinfo')).name;
  element('user').textContent = name ? `Hello, ${name}` : 'Nobody is logged in';
} catch (error) {
  show(error);
}
element('login').hidden = Boolean(accessToken);
element('logout').hidden = element('app').hidden = !accessToken;

async function segment(message) {
  const { iterable } = await call('/machine_learning/text/technical_language/parsers/segmentation?classify=true', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ value: message }),
  });
  element('segments').replaceChildren(...iterable.map(({ generic, specific, fragment }) => {
    const item = document.createElement('li');
    item.className = generic.toLowerCase();
    const text = document.createElement('pre');
    text.textContent = fragment.string.raw.trim();
    item.append(generic === 'CODE' ? `Code, ${specific ?? 'of an unknown language'}` : 'Text', text);
    return item;
  }));
}

/** A request with the access token; the gateway is on the page's own origin. */
async function call(path, { headers, ...request } = {}) {
  const response = await fetch(path, { ...request, headers: { ...headers, Authorization: `Bearer ${accessToken}` } });
  if (!response.ok) {
    throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }
  return response.json();
}

function show(error) {
  element('user').textContent = error.message;
}
