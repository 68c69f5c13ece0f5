// What every client script shares: the session from standard input, the person
// with a browser, and the report.
'use strict';

const { readFileSync } = require('node:fs');

const session = JSON.parse(readFileSync(0, 'utf8'));

/** Says whether the provider has what the step needs. */
const offered = (name) => !session.lacks.includes(name);

/** Runs one step, if the provider offers it, and prints its outcome as one line of JSON. */
async function step(name, run) {
  if (!offered(name)) {
    return true;
  }
  try {
    const detail = await run();
    console.log(JSON.stringify({ step: name, ok: true, detail: detail ?? '' }));
    return true;
  } catch (error) {
    console.log(JSON.stringify({ step: name, ok: false, detail: await explain(error) }));
    return false;
  }
}

async function explain(error) {
  const parts = [];
  for (let e = error; e; e = e.cause) {
    parts.push(e.error ? `${e.message}: ${e.error} ${e.error_description ?? ''}` : String(e.message ?? JSON.stringify(e)));
    if (e.response?.text && !e.response.bodyUsed) {
      parts.push(`${e.response.status} ${(await e.response.text()).slice(0, 300)}`);
    }
  }
  return parts.join(': ');
}

/** A person opens the URL in a browser; the answer is where that ends. */
async function walk(url) {
  const response = await fetch(session.browser, { method: 'POST', body: JSON.stringify({ url: String(url) }) });
  if (!response.ok) {
    throw new Error(`the browser got stuck: ${await response.text()}`);
  }
  return response.json();
}

function expect(condition, message) {
  if (!condition) {
    throw new Error(message);
  }
}

module.exports = { session, step, offered, walk, expect };
