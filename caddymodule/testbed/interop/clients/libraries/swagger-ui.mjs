// A person authorizes Swagger UI in its own pop-up.
import { expect, step } from './app.mjs';
import { chooseUser, openPage } from './chromium.mjs';

const { tab, close } = await openPage('./swagger-ui.js', {
  '/swagger-ui-bundle.js': 'swagger-ui-dist/swagger-ui-bundle.js', '/oauth2-redirect.html': 'swagger-ui-dist/oauth2-redirect.html',
  '/oauth2-redirect.js': 'swagger-ui-dist/oauth2-redirect.js',
});
await step('login', async () => {
  await tab.locator('button.authorize').first().click();
  const [popup] = await Promise.all([
    tab.waitForEvent('popup'),
    tab.locator('.auth-container', { hasText: 'authorization_code' }).locator('button.authorize').click(),
  ]);
  await chooseUser(popup);
  await tab.locator('.auth-container button', { hasText: 'Logout' }).first().waitFor();
  const authorized = Object.values(await tab.evaluate(() => window.app.user()));
  expect(authorized.some(({ token }) => token?.access_token), 'there is no access token');
});
await close();
