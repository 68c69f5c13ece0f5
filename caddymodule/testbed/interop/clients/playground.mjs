// A person uses the playground of `make run`, in headless Chromium, with real keys
// and clicks: every tab, a login with all the attacks, and pages that mean harm.
import { execFileSync } from 'node:child_process';
import { checkAccessibility, launch, origin, serve, sleep } from './chromium.mjs';
import shared from './session.cjs';

const { session, step, expect } = shared;
const address = `${session.gateway}/playground`;
const browser = await launch();

// Text that becomes a script, if anything of it becomes markup.
const hostile = `<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>'"\u202e$(touch harmed)`;

/** open opens the playground in a browser of its own, which notes what must not happen. */
async function open(options = {}, at = address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'], ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.harm = [];
  page.on('pageerror', (error) => page.harm.push(`error: ${error.message}`));
  page.on('console', (message) => /Content Security Policy|TrustedHTML|Trusted Type/.test(message.text()) && page.harm.push(message.text()));
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol !== 'data:' && hostname !== 'localhost') {
      page.harm.push(`request to ${request.url()}`);
    }
  });
  await page.goto(at);
  return page;
}

/** close fails if anything happened that must not. */
async function close(page) {
  expect(!(await page.evaluate(() => window.harmed)), 'text became a script');
  expect(page.harm.length === 0, page.harm.join('\n'));
  await page.context().close();
}

/** inPage is a step in the playground. */
const inPage = (url, run) => async () => {
  const page = await open({}, url);
  await run(page);
  await close(page);
};

const tab = (page, name) => page.getByRole('navigation').getByRole('link', { name });
const door = (page, name) => page.getByRole('main').getByRole('link', { name, exact: true });
const message = (page) => page.getByRole('textbox', { name: 'Message' });
const button = (page, name) => page.getByRole('button', { name, exact: true });
const copied = (page) => page.evaluate(() => navigator.clipboard.readText());

/** eventually waits until a condition in this script holds. */
async function eventually(condition, what) {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    expect(Date.now() < end, what);
    await sleep(50);
  }
}

async function logIn(page) {
  await tab(page, 'App').click();
  await button(page, 'Begin a login').click();
  await goOn(page);
}

async function goOn(page) {
  await button(page, 'Go on to the identity provider').click();
  await page.locator(`button[value="${session.username}"]`).click();
  await button(page, 'Exchange the code').waitFor();
}

/** verdicts are the outcomes of a group of attacks, by name. */
const verdicts = (page, group) => page.getByRole('region', { name: group }).evaluate((section) =>
  Object.fromEntries([...section.querySelectorAll('.attack')].map((attack) => [attack.querySelector('h3').textContent, attack.dataset.verdict])));

async function tryAll(page, group, allowed = []) {
  await button(page, `Try all: ${group}`).click();
  await eventually(async () => Object.values(await verdicts(page, group)).every(Boolean), `${group}: not all were tried`);
  for (const [attack, verdict] of Object.entries(await verdicts(page, group))) {
    expect(verdict === (allowed.includes(attack) ? 'allowed' : 'refused'), `${attack}: ${verdict}`);
  }
}

await step('first sight', async () => {
  for (const at of [address, `${address}#login`, `${address}#agent`, `${address}#segmentation`, `${address}#personification`]) {
    const page = await open({ viewport: { width: 1280, height: 600 } }, at);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForTimeout(300);
    const [focus, scrolled] = await page.evaluate(() => [document.activeElement.tagName, scrollY]);
    expect(focus === 'BODY' && scrolled === 0, `${at}: the focus is on ${focus}, ${scrolled} pixels down`);
    await close(page);
  }
  const page = await open();
  const said = await page.locator('main').textContent();
  for (const word of ['Caddy', 'identity provider', 'MCP', 'apps', 'agent', 'message']) {
    expect(said.includes(word), `the first view does not say ${word}`);
  }
  expect((await page.getByRole('banner').getByRole('link', { name: 'Documentation' }).getAttribute('href')).startsWith('https://'), 'no link leads to the documentation');
  const doors = await page.locator('.door').all();
  expect(doors.length === 3, 'there are not three doors');
  for (const each of doors) {
    const box = await each.boundingBox();
    expect(box.y + box.height <= 900, 'a door is out of sight');
  }
  await door(page, 'Split a message').click();
  await page.locator('figure.code').first().waitFor(); // an example
  await close(page);
});

await step('a site without the operations', inPage(`${address}#segmentation`, async (page) => {
  await page.route((url) => /^\/(machine_learning|authorize)/.test(url.pathname), (route) => route.fulfill({ status: 200, body: '' }));
  await message(page).fill('x');
  await page.locator('.notice').getByText('This site has no text_segmentation.').waitFor();
  await tab(page, 'Snippets').click();
  await page.locator('.notice').getByText('This site has no personification.').waitFor();
  await tab(page, 'App').click();
  await button(page, 'Begin a login').click();
  await page.locator('.notice').getByText('This site has no login.').waitFor();
}));

await step('segmentation while typing', inPage(`${address}#segmentation`, async (page) => {
  await page.locator('figure.code').first().waitFor(); // it opens with an example
  await message(page).fill('');
  await page.getByText('The segments of the message appear here.').waitFor();
  const before = [await message(page).boundingBox(), await page.locator('.foot').first().boundingBox()];
  await message(page).click();
  await page.keyboard.type('Try this:\n\nfor i in range(3):\n    print(i)\n\nand tell me what you see.', { delay: 5 });
  const code = page.locator('figure.code');
  await eventually(async () => (await code.locator('.language').allTextContents()).join() === 'Python', 'the language is not Python');
  expect(/^\d+ %$/.test(await code.locator('.confidence').textContent()), 'there is no confidence');
  await eventually(async () => (await page.locator('#segments .text').allTextContents()).join('|') === 'Try this:|and tell me what you see.', 'the text is not there');
  const after = [await message(page).boundingBox(), await page.locator('.foot').first().boundingBox()];
  expect(JSON.stringify(before) === JSON.stringify(after), 'the page moved while somebody typed');
  await page.getByText(/\d+ B sent · .* received · .* ms there and back/).waitFor();
  await eventually(async () => /^3 segments: text, Python, \d+ %, text$/.test(await page.locator('#announcement').textContent()), 'screen readers hear nothing');
}));

await step('newest message wins', inPage(`${address}#segmentation`, async (page) => {
  await page.locator('figure.code').first().waitFor();
  await page.route('**/segmentation?*', async (route) => {
    const slow = route.request().postData().includes('slow');
    await sleep(slow ? 1000 : 0);
    await route.continue().catch(() => {}); // it was given up
  });
  const abandoned = page.waitForEvent('requestfailed');
  await message(page).fill('This one is slow.');
  await page.waitForRequest('**/segmentation?*');
  await message(page).fill('This one is fast.');
  await page.locator('#segments').getByText('This one is fast.').waitFor();
  expect((await abandoned).failure().errorText.includes('ABORTED'), 'the older request was not given up');
  await page.waitForTimeout(1200);
  expect((await page.locator('#segments').textContent()) === 'This one is fast.', 'the older answer replaced the newer one');
}));

await step('copy as curl', inPage(`${address}#segmentation`, async (page) => {
  await message(page).fill(`It's ${hostile}\n\nx = 1\n`);
  await page.locator('#segments').getByText('onerror').first().waitFor();
  const curl = page.locator('#segmentation-curl');
  await curl.click();
  await eventually(async () => (await curl.textContent()) === 'Copied', 'nothing says that it was copied');
  const command = await copied(page);
  expect(!/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/.test(command), 'a terminal could obey it');
  const printed = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
  expect(JSON.parse(printed).iterable[0].fragment.string.raw.includes(hostile), `the shell changed the message: ${printed}`);
}));

await step('errors of the gateway', inPage(`${address}#segmentation`, async (page) => {
  await page.route('**/segmentation?*', (route) => route.continue({ postData: '{"value":1}' }));
  await message(page).fill('x');
  await page.getByText('/value must be a string').waitFor();
  await page.unroute('**/segmentation?*');
  await page.route('**/segmentation?*', (route) => route.abort());
  await message(page).fill('y');
  await page.locator('.notice').getByText("The gateway can't be reached").waitFor();
}));

await step('personification', inPage(address, async (page) => {
  await tab(page, 'Snippets').click();
  await page.locator('.snippet').first().waitFor();
  const languages = page.getByRole('combobox', { name: 'Languages' });
  await languages.click();
  await page.keyboard.type('golan');
  await page.getByRole('option', { name: /^Go\b/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  const active = await languages.getAttribute('aria-activedescendant');
  expect((await page.locator(`#${active}`).getAttribute('aria-selected')) === 'true', 'the active suggestion is not selected');
  await page.keyboard.press('Enter');
  await button(page, 'Remove Go').waitFor();
  await page.keyboard.type(`${hostile.replaceAll(',', '')},`);
  await page.getByRole('combobox', { name: 'Personas' }).fill('data scietist');
  await page.keyboard.press('Enter');
  await page.locator('.snippet figcaption', { hasText: 'Go' }).first().waitFor();
  await page.locator('#not-understood').getByText('Not understood').waitFor();
  await page.locator('.why').first().waitFor();

  const first = page.locator('.snippet').first();
  await first.getByRole('button', { name: /^Copy / }).click();
  await eventually(async () => (await copied(page)) === (await first.locator('code').textContent()), 'the snippet was not copied');

  await languages.click();
  await page.keyboard.press('Backspace');
  await page.keyboard.type('Pyxthan,');
  const nearest = page.locator('#not-understood button').first();
  await nearest.waitFor();
  const name = await nearest.textContent();
  await nearest.click();
  await button(page, `Remove ${name}`).waitFor();
  await eventually(async () => (await page.locator('#not-understood').getByText('Not understood').count()) === 0, 'the nearest name was not understood');
}));

await step('login', inPage(address, async (page) => {
  page.on('console', (line) => line.type() === 'error' && page.harm.push(line.text())); // there must be none
  await door(page, 'Log in').click();
  await page.locator(`button[value="${session.username}"]`).click();
  await button(page, 'Exchange the code').waitFor();
  expect(await button(page, 'Exchange the code').evaluate((b) => b === document.activeElement), 'the focus got lost at the identity provider');
  await button(page, 'Exchange the code').click();
  await page.getByText('Ada Lovelace').first().waitFor();
  const clipped = await button(page, 'Log out').evaluate((b) => {
    for (let e = b.parentElement; e !== document.body; e = e.parentElement) {
      if (e.scrollHeight > e.clientHeight + 1 && getComputedStyle(e).overflowY !== 'visible') {
        return e.outerHTML.slice(0, 80);
      }
    }
  });
  expect(!clipped, `Log out is in the scroll area ${clipped}`);
  expect(await button(page, 'Log out').evaluate((b) => b.getBoundingClientRect().bottom <= innerHeight), 'Log out is out of sight');
}));

await step('attacks with a code', inPage(address, async (page) => {
  await logIn(page);
  const history = await (await page.context().newCDPSession(page)).send('Page.getNavigationHistory');
  for (const { url } of history.entries.filter((entry) => entry.url.startsWith(address))) {
    expect(!/code=|state=/.test(url), `the history has ${url}`);
  }
  expect(!/code=|state=/.test(page.url()), `the address is ${page.url()}`);
  expect((await page.evaluate(() => sessionStorage.length + localStorage.length + document.cookie.length)) === 0, 'something was left behind');

  await tryAll(page, 'With a stolen code');
  const [tokens] = await Promise.all([
    page.waitForResponse('**/oauth/token').then((response) => response.json()),
    button(page, 'Exchange the code').click(),
  ]);
  await page.getByText('Ada Lovelace').first().waitFor();
  const shown = await page.locator('body').textContent();
  for (const token of [tokens.access_token, tokens.id_token]) {
    expect(token && !shown.includes(token), 'a whole token is on the page');
  }
  expect(!shown.includes('NOT the one'), 'the nonce is another one');
  await tryAll(page, 'Afterwards');

  await button(page, 'Log out').click();
  await page.getByText('You are logged out.').waitFor();
  expect((await page.evaluate(() => sessionStorage.length)) === 0, 'something was left behind');
}));

/** allow reads the consent page for as long as it wants, and allows. */
async function allow(page) {
  await page.mouse.move(30, 30);
  await page.mouse.move(60, 60);
  await page.locator('[value=allow][aria-disabled=false]').waitFor();
  await page.locator('[value=allow]').hover();
  await page.locator('[value=allow][aria-disabled=false]').click();
}

await step('agent', inPage(address, async (page) => {
  await door(page, 'Connect the agent').click();
  await button(page, 'Ask the user').click();
  await allow(page);
  await page.locator(`button[value="${session.username}"]`).click();
  await page.getByText(/^Bonjour, Ada Lovelace$/).waitFor();
  expect(page.url() === `${address}#agent`, `the address is ${page.url()}`);
  expect((await page.evaluate(() => sessionStorage.length + localStorage.length + document.cookie.length)) === 0, 'something was left behind');
  expect(await button(page, 'Call it again').evaluate((b) => b === document.activeElement), 'the focus got lost at the identity provider');
  await tryAll(page, 'With nothing, or a stolen token');
}));

await step('an agent that the user denies', inPage(address, async (page) => {
  await door(page, 'Connect the agent').click();
  await button(page, 'Ask the user').click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('access_denied').waitFor();
}));

await step('attacks before a login', inPage(address, async (page) => {
  await tab(page, 'App').click();
  await button(page, 'Try: PKCE with plain').click();
  await page.locator('.attacks').getByText('code_challenge_method plain is not accepted').waitFor();
  expect(await button(page, 'Try: PKCE with plain').evaluate((b) => b === document.activeElement), 'the focus got lost');
  await tryAll(page, 'Before the login', ['No state']);
}));

await step('what a configuration lacks', inPage(address, async (page) => {
  await tab(page, 'App').click();
  await page.getByLabel('Client').fill('somebody-else');
  await button(page, 'Begin a login').click();
  await page.getByText('not registered').waitFor();
  await page.getByText(`redirect_uri ${address}`).waitFor();
}));

await step('refused at the identity provider', inPage(address, async (page) => {
  await tab(page, 'App').click();
  await button(page, 'Begin a login').click();
  await button(page, 'Go on to the identity provider').click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('access_denied').waitFor();
  expect(!page.url().includes('error'), `the address is ${page.url()}`);
}));

await step('responses that nobody asked for', async () => {
  for (const separator of ['#', '?']) {
    const page = await open({}, `${address}${separator}${new URLSearchParams({ error: 'call_us', error_description: `Call 555-0100 ${hostile}`, state: 'x' })}`);
    await page.getByText('did not ask for').waitFor();
    expect(!(await page.locator('body').textContent()).includes('555-0100'), 'a stranger wrote on the page');
    expect(page.url() === `${address}#login`, `the address is ${page.url()}`);
    await close(page);
  }
  const page = await open({}, `${address}#code=stolen&state=x`);
  await page.getByText('did not ask for').waitFor();
  expect((await button(page, 'Exchange the code').count()) === 0, 'a code of somebody else can be exchanged');
  await close(page);
});

await step('a code of another login', inPage(address, async (page) => {
  await tab(page, 'App').click();
  await button(page, 'Begin a login').click();
  await button(page, 'Go on to the identity provider').click();
  await page.locator(`button[value="${session.username}"]`).waitFor();
  await page.goto(`${address}#code=stolen&state=of-the-thief`); // while this tab waits for its own
  await page.getByText('did not ask for').waitFor();
  expect((await button(page, 'Exchange the code').count()) === 0, 'a code of somebody else can be exchanged');
  expect((await page.evaluate(() => sessionStorage.length)) === 0, 'something was left behind');
}));

await step('an error with a script in it', inPage(address, async (page) => {
  await tab(page, 'App').click();
  await button(page, 'Begin a login').click();
  await button(page, 'Go on to the identity provider').click();
  await page.locator(`button[value="${session.username}"]`).waitFor();
  // The response to this login, from an identity provider that was taken over.
  await page.goto(`${session.gateway}/playground/icon.svg`);
  const { state } = (await page.evaluate(() => JSON.parse(sessionStorage.getItem('playground.login')))).secrets;
  await page.goto(`${address}#${new URLSearchParams({ error: 'access_denied', error_description: hostile, state })}`);
  await page.getByText('onerror').waitFor();
}));

await step('frames of other sites', async () => {
  const other = await serve(`<iframe src="${address}"></iframe>`);
  const page = await (await browser.newContext()).newPage();
  await page.goto(origin);
  const frame = page.frames()[1];
  await frame.waitForLoadState().catch(() => {});
  expect((await frame.getByRole('link').count()) === 0, 'the page is in a frame');
  await page.context().close();
  other.close();
});

await step('keyboard', inPage(address, async (page) => {
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent.trim());
  await page.keyboard.press('Tab');
  expect((await focused()) === 'Skip to the content', `the first stop is ${await focused()}`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect((await focused()) === 'App', `the third stop is ${await focused()}`);
  await page.keyboard.press('Enter');
  await eventually(async () => (await focused()) === 'login-title', 'the focus is not on the heading of the view');
  await page.keyboard.press('Control+Enter');
  await eventually(async () => (await focused()) === 'Go on to the identity provider', 'the focus is not on the next step');
  await page.keyboard.press('Control+Enter');
  await page.waitForURL((url) => url.pathname !== '/playground');
  await page.locator(`button[value="${session.username}"]`).focus();
  await page.keyboard.press('Enter');
  await button(page, 'Exchange the code').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('Ada Lovelace').first().waitFor();

  // Every control can be reached, and shows that it was.
  for (const name of ['Message', 'Snippets', 'Agent', 'App']) {
    await tab(page, name).click();
    if (name === 'Snippets') {
      await page.locator('.snippet').first().waitFor();
    }
    const stops = await page.evaluate(() => [...document.querySelectorAll('button, input, textarea, a, summary, pre[tabindex]')]
      .filter((e) => e.checkVisibility() && e.tabIndex >= 0).length);
    await page.evaluate(() => document.activeElement.blur());
    const seen = new Set();
    for (let i = 0; i < stops + 20; i++) {
      await page.keyboard.press('Tab');
      const visible = await page.evaluate(() => {
        const e = document.activeElement;
        e.dataset.stop ??= String(Math.random());
        const outlined = (x) => x && getComputedStyle(x).outlineStyle !== 'none' && parseFloat(getComputedStyle(x).outlineWidth) >= 2;
        return { stop: e.dataset.stop, shown: e === document.body || outlined(e) || outlined(e.closest('.combobox')), name: e.outerHTML.slice(0, 80) };
      });
      expect(visible.shown, `the focus is invisible on ${visible.name}`);
      seen.add(visible.stop);
    }
    expect(seen.size >= stops, `${name}: ${seen.size} of ${stops} controls can be reached`);
  }
}));

for (const [mode, options] of Object.entries({
  light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' },
  phone: { viewport: { width: 320, height: 640 } }, 'phone, dark': { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
})) {
  await step(`accessibility, ${mode}`, async () => {
    const page = await open({ ...options, bypassCSP: true, reducedMotion: 'reduce' }); // axe is a script of ours
    const check = async (what) => {
      if (process.env.SCREENSHOTS) {
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/playground-${[...mode.split(', '), ...what.split(/, | /)].join('-')}.png` });
      }
      await checkAccessibility(page, what);
      const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
      expect(wide <= 0, `${what}: ${wide} pixels too wide`);
    };
    await check('home');
    await tab(page, 'Message').click();
    for (const example of (await page.locator('#examples button').all()).slice(0, mode.startsWith('phone') ? 1 : undefined)) {
      await example.click();
      await page.waitForTimeout(300);
      await check(`segmentation, ${await example.textContent()}`);
    }
    await tab(page, 'Snippets').click();
    await button(page, 'Made a typo').click();
    await page.locator('#not-understood button').first().waitFor();
    await page.getByRole('combobox', { name: 'Personas' }).pressSequentially('dev');
    await page.keyboard.press('ArrowDown');
    await check('personification');
    await page.keyboard.press('Escape');
    await tab(page, 'App').click();
    await check('login');
    await tryAll(page, 'Before the login', ['No state']);
    await button(page, 'Begin a login').click();
    await button(page, 'Go on to the identity provider').waitFor();
    await check('login, begun');
    await goOn(page);
    await tryAll(page, 'With a stolen code');
    await check('login, with a code');
    await button(page, 'Exchange the code').click();
    await page.getByText('Ada Lovelace').first().waitFor();
    await check('login, done');
    await tab(page, 'Agent').click();
    await check('agent');
    await button(page, 'Connect the agent').click();
    await button(page, 'Ask the user').click();
    await page.locator('[value=allow]').waitFor();
    await allow(page); // who is logged in at the identity provider
    await button(page, 'Call it again').waitFor();
    await tryAll(page, 'With nothing, or a stolen token');
    await check('agent, done');
    await page.context().close();
  });
}

await browser.close();
