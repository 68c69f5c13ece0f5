// A library in a page, as a person uses it. The page's script says who is logged in, and has a function for each step.
import { app, expect, session, step } from './app.mjs';
import { chooseUser, openPage } from './chromium.mjs';

const { tab, close } = await openPage(`./${session.page}`);
const back = (url) => url.href.startsWith(`${app}/`);

await step('login', async () => {
  expect(!(await tab.evaluate(() => window.app.user())), 'somebody is logged in already');
  await tab.evaluate(() => { window.app.login(); }).catch(() => {}); // it leaves the page
  await chooseUser(tab);
  await tab.waitForURL(back);
  const user = await tab.evaluate(() => window.app.user());
  expect(user?.email, `the user is ${JSON.stringify(user)}`);
});
for (const name of ['userinfo', 'refresh']) {
  if (await tab.evaluate((what) => what in window.app, name)) {
    await step(name, async () => {
      const got = await tab.evaluate((what) => window.app[what](), name);
      expect(name === 'refresh' ? got[0] && got[1] && got[0] !== got[1] : got.sub, JSON.stringify(got));
    });
  }
}
if (await tab.evaluate(() => 'logout' in window.app)) {
  await step('logout', async () => {
    const [left] = await Promise.all([
      tab.waitForRequest((request) => request.url().startsWith(`${session.gateway}/v2/logout`)),
      tab.waitForEvent('framenavigated'),
      tab.evaluate(() => { window.app.logout(); }).catch(() => {}),
    ]);
    expect(left, 'the gateway was not asked');
    await tab.waitForLoadState();
    expect(back(new URL(tab.url())), `it ended at ${tab.url()}`);
    expect(!(await tab.evaluate(() => window.app.user())), 'the page is still logged in');
  });
}
await close();
