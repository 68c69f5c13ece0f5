// Drives caddymodule/examples/spa in headless Chromium as a person would:
// node example-spa.mjs <url> <chromium>
import { chromium } from 'playwright-core';

const [url, executablePath] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(30_000);
  page.on('console', (message) => message.type() === 'error' && console.error(`console: ${message.text()}`));
  await page.goto(url);
  await page.getByText('Nobody is logged in').waitFor();
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.locator('button[value="ada"]').click();
  await page.getByText('Hello, Ada Lovelace').waitFor();
  console.log(`logged in at ${page.url()}`);
  await page.getByRole('button', { name: 'Find the code' }).click();
  console.log(await page.locator('li.code').innerText());
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByText('Nobody is logged in').waitFor();
  console.log('logged out');
} finally {
  await browser.close();
}
