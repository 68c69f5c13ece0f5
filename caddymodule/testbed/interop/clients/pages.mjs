// People read each page in their language, on light and dark screens of two sizes: axe finds
// nothing, the buttons are in sight, nothing is loaded, and the browser blocks nothing of ours.
// With SCREENSHOTS, a folder, pictures of all of that are in it.
import { authorizeURL, checkAccessibility, launch } from './chromium.mjs';
import shared from './session.cjs';

const { session, step, expect } = shared;
const browser = await launch();

const login = (parameters) => authorizeURL({ scope: 'openid files:read', nonce: 'n', ...parameters });
const pages = {
  consent: login({}),
  list: login({ scope: Array.from({ length: 50 }, (_, i) => `scope${i}`).join(' ') }),
  error: login({ code_challenge: 'short' }),
  logout: `${session.gateway}/v2/logout`,
};
const languages = session.look === 'template' ? { ar: 'rtl' } : { en: 'ltr', de: 'ltr', ar: 'rtl' };

for (const [name, url] of Object.entries(pages)) {
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
          const response = await page.goto(url);
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
          await checkAccessibility(page, at);
          await context.close();
        }
      }
    }
  });
}

await browser.close();
