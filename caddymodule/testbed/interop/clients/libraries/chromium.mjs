// A page that is bundled as apps bundle theirs, in headless Chromium, and the person in front of it.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { chromium } from 'playwright-core';
import { app, issuer, serve, session } from './app.mjs';

/** Serves a page with a bundled script, whose exports are the global `app`, and files of packages, and opens it. */
export async function openPage(script, files = {}) {
  const settings = { issuer, clientId: session.spa_client_id, app };
  const { outputFiles } = buildSync({
    entryPoints: [script], bundle: true, write: false, format: 'iife', globalName: 'app', platform: 'browser', logLevel: 'error',
    banner: { js: `const settings = ${JSON.stringify(settings)};` }, absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
  });
  const bundle = outputFiles[0].text;
  const scripts = [...Object.keys(files).filter((path) => path.endsWith('.js')), '/app.js'];
  const page = `<!doctype html><title>page</title><body><div id="page"></div>${scripts.map((path) => `<script src="${path}"></script>`).join('')}`;
  const stop = await serve((request, response) => {
    const { pathname } = new URL(request.url, app);
    const isScript = pathname.endsWith('.js');
    response.setHeader('Content-Type', `text/${isScript ? 'javascript' : 'html'}; charset=utf-8`);
    const file = files[pathname];
    response.end(pathname === '/app.js' ? bundle : file ? readFileSync(new URL(`node_modules/${file}`, import.meta.url)) : page);
  });
  const browser = await chromium.launch({ executablePath: session.chromium, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  const tab = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
  tab.setDefaultTimeout(30_000);
  tab.on('console', (message) => { if (message.type() === 'error') console.error(message.text()); });
  tab.on('pageerror', (error) => console.error(String(error)));
  await tab.goto(app);
  return { tab, close: async () => { await browser.close(); stop(); } };
}

/** Chooses the user at the development identity provider. */
export const chooseUser = (tab) => tab.locator(`button[value="${session.username}"]`).click();
