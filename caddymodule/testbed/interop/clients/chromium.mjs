// What the scripts share that drive Chromium.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';
import shared from './session.cjs';

const { session, expect } = shared;
const file = (path) => readFileSync(new URL(`node_modules/${path}`, import.meta.url), 'utf8');
const library = file('@auth0/auth0-spa-js/dist/auth0-spa-js.production.js');
const axe = file('axe-core/axe.min.js');

/** Of the clients, and of the attacker: cross-site. */
export const origin = `http://localhost:${session.spa_port}`;

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const launch = (options = {}, ...args) => chromium.launch({ executablePath: session.chromium, args: ['--no-sandbox', '--disable-dev-shm-usage', ...args], ...options });

/** Serves a page at the origin, and auth0-spa-js. It counts the codes that come. */
export async function serve(page) {
  const app = createServer((request, response) => {
    const url = new URL(request.url, origin);
    app.codes += url.searchParams.has('code') ? 1 : 0;
    const script = url.pathname === '/auth0-spa-js.js';
    response.setHeader('Content-Type', script ? 'text/javascript' : 'text/html');
    response.end(script ? library : page);
  });
  app.codes = 0;
  await new Promise((resolve) => app.listen(session.spa_port, 'localhost', resolve));
  return app;
}

/** Begins a login of the client that asks its users. */
export const authorizeURL = (parameters = {}) => `${session.gateway}/authorize?${new URLSearchParams({
  response_type: 'code', client_id: 'agent', redirect_uri: `${origin}/`, scope: 'profile files:read', state: 's', user: session.username,
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbWJSD8gYVDg', code_challenge_method: 'S256', ...parameters,
})}`;

export const allow = (page) => page.getByRole('button', { name: 'Allow', exact: true });

/** Ends Playwright's pretence that every page has the focus, which begins anew with each document. */
export async function unfocused(page) {
  const client = await page.context().newCDPSession(page).catch(() => null);
  const end = () => client?.send('Emulation.setFocusEmulationEnabled', { enabled: false }).catch(() => {});
  page.on('load', end);
  await end();
}

/** Fails if axe finds anything on a page, which needs bypassCSP where the page allows no scripts of others. */
export async function checkAccessibility(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
  const found = violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.html.slice(0, 120)} (${n.any[0]?.message ?? n.failureSummary})`).join('; ')}`);
  expect(found.length === 0, `${what}: ${found.join('\n')}`);
}
