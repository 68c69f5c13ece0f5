// People read each page in their language, on light and dark screens of two sizes: axe finds
// nothing, the buttons are in sight, nothing is loaded, and the browser blocks nothing of ours.
// With SCREENSHOTS, a folder, pictures of all of that are in it.
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import shared from './session.cjs';

const { session, step, expect } = shared;
const axe = readFileSync(new URL('node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const browser = await chromium.launch({ executablePath: session.chromium, args: ['--no-sandbox', '--disable-dev-shm-usage'] });

const login = (parameters) => `/authorize?${new URLSearchParams({
  response_type: 'code', client_id: 'agent', redirect_uri: `http://localhost:${session.spa_port}/`, scope: 'openid files:read', state: 's', nonce: 'n',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbWJSD8gYVDg', code_challenge_method: 'S256', ...parameters,
})}`;
const pages = {
  consent: login({}),
  list: login({ scope: Array.from({ length: 50 }, (_, i) => `scope${i}`).join(' ') }),
  error: login({ code_challenge: 'short' }),
  logout: '/v2/logout',
};
const languages = session.look === 'template' ? { ar: 'rtl' } : { en: 'ltr', de: 'ltr', ar: 'rtl' };

for (const [name, path] of Object.entries(pages)) {
  await step(name, async () => {
    for (const [language, direction] of Object.entries(languages)) {
      for (const colorScheme of ['light', 'dark']) {
        for (const viewport of [{ width: 390, height: 844 }, { width: 1280, height: 800 }]) {
          const at = `${name}, ${language}, ${colorScheme}, ${viewport.width}`;
          const context = await browser.newContext({ locale: language, colorScheme, viewport });
          const page = await context.newPage();
          await page.addInitScript(() => new MutationObserver(() => {
            if (document.querySelector('[value=allow]')?.getAttribute('aria-disabled') === 'false') {
              window.alive ??= performance.now(); // in milliseconds
            }
          }).observe(document, { subtree: true, attributes: true }));
          const harm = [];
          page.on('console', (message) => harm.push(message.text()));
          page.on('request', (request) => !request.url().startsWith('data:') && !request.isNavigationRequest() && harm.push(request.url()));
          const response = await page.goto(session.gateway + path);
          expect(response.headers()['content-type'].startsWith('text/html'), `${at}: no page`);
          const seen = await page.evaluate(() => ({
            lang: document.documentElement.lang, dir: getComputedStyle(document.querySelector('main')).direction,
            wide: document.scrollingElement.scrollWidth > innerWidth, styled: getComputedStyle(document.body).display === 'flex',
            broken: [...document.images].some((image) => image.naturalWidth === 0),
          }));
          expect(seen.lang === language && seen.dir === direction && !seen.wide && seen.styled && !seen.broken, `${at}: ${JSON.stringify(seen)}`);
          for (const button of await page.locator('button').all()) {
            const box = await button.boundingBox();
            const top = await button.evaluate((it) => it.contains(document.elementFromPoint(it.getBoundingClientRect().x + 9, it.getBoundingClientRect().y + 9)));
            expect(top && box.y + box.height <= viewport.height, `${at}: a button is out of sight`);
          }
          if (name === 'consent' && viewport.width === 390) {
            await page.waitForFunction(() => window.alive);
            expect(await page.evaluate(() => window.alive) >= 2000, `${at}: Allow is not dead for long enough`);
          }
          expect(harm.filter((text) => !/status of 400/.test(text)).length === 0, `${at}: ${harm.join('\n')}`);
          if (process.env.SCREENSHOTS) {
            await page.screenshot({ path: `${process.env.SCREENSHOTS}/${[session.look, ...at.split(', ')].join('-')}.png` });
          }
          await page.evaluate(axe);
          const { violations } = await page.evaluate(() => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
          expect(violations.length === 0, `${at}: ${violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 200)}`).join('\n')}`);
          await context.close();
        }
      }
    }
  });
}

await browser.close();
