// People answer the consent page in Chromium, and attackers try to have them answer it
// without a look. Each step has a browser of its own.
import { allow, authorizeURL, checkAccessibility, launch, origin, serve, sleep, unfocused } from './chromium.mjs';
import shared from './session.cjs';

const { session, step, expect } = shared;

/** The pause after which Allow can be chosen, in milliseconds. */
const pause = 2000;

const app = await serve('<!doctype html><title>page</title><button id="lure" style="position:fixed;inset:0;width:100%">Click twice!</button>');
const browser = await launch();

/** open opens a browser whose pages have the focus only when they are in front. */
async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 }, ...options });
  context.setDefaultTimeout(15_000);
  context.on('page', unfocused);
  return context;
}

/** inBrowser is a step in a browser. */
const inBrowser = (options, run) => async () => {
  const context = await open(options);
  await run(context);
  await context.close();
};

async function lure(context) {
  const page = await context.newPage();
  await page.goto(origin);
  await page.bringToFront();
  return page;
}

/** place is where Allow is on the page, in the middle. */
async function place(context, url = authorizeURL()) {
  const page = await context.newPage();
  await page.goto(url);
  const box = await allow(page).boundingBox();
  await page.close();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

async function click(page, [x, y]) {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.up();
}

/** approved tells whether the page's login came through within half a second. */
async function approved(run) {
  const before = app.codes;
  await run();
  for (let i = 0; i < 10 && app.codes === before; i++) {
    await sleep(50);
  }
  return app.codes > before;
}

async function refused(what, run) {
  expect(!(await approved(run)), `${what} approves`);
}

const live = (page) => page.waitForFunction(() => document.querySelector('[value=allow]').getAttribute('aria-disabled') !== 'true' && !document.querySelector('[value=allow]').disabled);

for (const delay of [250, 700, 1500]) {
  await step(`double click in a tab, ${delay} ms`, inBrowser({}, async (context) => {
    const at = await place(context);
    const page = await lure(context);
    await page.evaluate((url) => addEventListener('mousedown', () => { location = url; }), authorizeURL());
    await refused('the second click', async () => {
      await click(page, at);
      await sleep(delay);
      await click(page, at);
    });
  }));
  await step(`double click in a pop-up, ${delay} ms`, inBrowser({}, async (context) => {
    const at = await place(context);
    const page = await lure(context);
    await page.evaluate((url) => addEventListener('mousedown', () => open(url, '', 'popup,width=1000,height=800')), authorizeURL());
    await refused('the second click', async () => {
      const [popup] = await Promise.all([context.waitForEvent('page'), click(page, at)]);
      await popup.setViewportSize({ width: 1000, height: 800 });
      await popup.waitForLoadState();
      await sleep(delay);
      await click(popup, at);
    });
  }));
}

await step('the page beneath another one that closes at the first click', inBrowser({}, async (context) => {
  const at = await place(context);
  const page = await lure(context);
  const [popup] = await Promise.all([context.waitForEvent('page'), page.evaluate((url) => {
    open(location.href); // a tab: headless windows all have the focus
    location = url;
  }, authorizeURL())]);
  await popup.waitForLoadState();
  await page.waitForURL(/authorize/);
  await sleep(300);
  await popup.bringToFront();
  await sleep(pause + 500); // the page has been loaded for long
  expect(!(await page.evaluate(() => document.hasFocus())), 'the page beneath has the focus');
  await popup.evaluate(() => addEventListener('mousedown', () => close()));
  await refused('the second click', async () => {
    await click(popup, at).catch(() => {});
    await page.bringToFront();
    await sleep(250);
    await click(page, at);
  });
}));

await step('a pop-up in front that its opener sends to the page', inBrowser({}, async (context) => {
  const at = await place(context);
  const page = await lure(context);
  const [popup] = await Promise.all([context.waitForEvent('page'), page.evaluate(() => { window.w = open(location.href, '', 'popup,width=1000,height=800'); })]);
  await popup.setViewportSize({ width: 1000, height: 800 });
  await popup.bringToFront();
  await sleep(pause + 500);
  await popup.evaluate(() => addEventListener('mousedown', () => opener.postMessage('now', '*')));
  await page.evaluate((url) => addEventListener('message', () => { window.w.location = url; }), authorizeURL());
  await refused('the second click', async () => {
    await click(popup, at);
    await sleep(700);
    await click(popup, at);
  });
}));

await step('quick clicks that never pause', inBrowser({}, async (context) => {
  const at = await place(context);
  const page = await lure(context);
  await page.evaluate((url) => addEventListener('mousedown', () => { location = url; }), authorizeURL());
  await refused('one of them', async () => {
    for (let i = 0; i < 10; i++) {
      await click(page, at);
      await sleep(500);
    }
  });
}));

for (const key of ['Enter', 'Space']) {
  await step(`${key} held down`, inBrowser({}, async (context) => {
    const page = await lure(context);
    await page.keyboard.down(key);
    await page.goto(authorizeURL());
    await refused(key, async () => {
      await allow(page).focus(); // as Tab would
      for (let i = 0; i < 30; i++) {
        await page.keyboard.down(key);
        await sleep(100);
      }
      await page.keyboard.up(key);
    });
  }));
}

await step('two taps', inBrowser({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 640 } }, async (context) => {
  const at = await place(context);
  const page = await lure(context);
  await page.evaluate((url) => addEventListener('touchend', () => { location = url; }), authorizeURL());
  await refused('the second tap', async () => {
    await page.touchscreen.tap(...at);
    await sleep(500);
    await page.touchscreen.tap(...at);
  });
}));

await step('a tab that was hidden, behind another, resized, or left', inBrowser({}, async (context) => {
  const page = await lure(context);
  await page.goto(authorizeURL());
  const at = await place(context);
  const changes = {
    'a tab that comes to the front': async () => {
      const other = await lure(context);
      await sleep(pause + 500);
      await other.close();
      await page.bringToFront();
    },
    'a window with another size': async () => {
      await page.setViewportSize({ width: 1000, height: 700 });
      await page.setViewportSize({ width: 1000, height: 800 });
    },
    'a page that comes back': async () => {
      await page.goto(origin);
      await page.goBack();
    },
    'a page that was loaded again': () => page.reload(),
  };
  for (const [what, change] of Object.entries(changes)) {
    await page.bringToFront();
    await sleep(pause + 500);
    await change();
    await refused(what, async () => {
      await sleep(250);
      await click(page, at);
    });
  }
}));

await step('a pop-up without scripts', async () => {
  for (const client of ['agent', 'spa']) {
    const context = await open();
    const url = authorizeURL({ client_id: client });
    const at = await place(context, url);
    const page = await lure(context);
    const opened = context.waitForEvent('page');
    await page.evaluate((link) => {
      const frame = document.createElement('iframe');
      frame.sandbox = 'allow-popups allow-forms allow-same-origin'; // which its pop-ups inherit
      frame.style = 'position:fixed;inset:0;width:100%;height:100%;z-index:1';
      frame.srcdoc = `<a target="_blank" style="position:fixed;inset:0" href="${link.replaceAll('&', '&amp;')}">Click!</a>`;
      document.body.append(frame);
    }, url);
    await sleep(300);
    await click(page, at);
    const popup = await opened;
    await popup.setViewportSize({ width: 1000, height: 800 });
    await sleep(pause + 500);
    await refused(`the pop-up of ${client}`, () => click(popup, at));
    await context.close();
  }
});

await step('scripts of the same host', inBrowser({}, async (context) => {
  const page = await context.newPage();
  await page.goto(`${session.gateway}/app`);
  const send = (script) => page.evaluate(script, [authorizeURL(), `${session.gateway}/oauth/consent`]);
  await refused('fetch', () => send(async ([url, target]) => {
    const document = new DOMParser().parseFromString(await (await fetch(url, { headers: { Accept: 'text/html' } })).text(), 'text/html');
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const transaction = document.querySelector('[name=transaction]')?.value ?? '';
    await fetch(target, { method: 'POST', mode: 'no-cors', body: new URLSearchParams({ transaction, decision: 'allow' }) }).catch(() => {});
    const frame = window.document.createElement('iframe');
    frame.name = 'frame';
    window.document.body.append(frame);
    for (const where of ['frame', '_self']) {
      const form = window.document.createElement('form');
      form.innerHTML = '<input name="transaction"><input name="decision" value="allow">';
      Object.assign(form, { method: 'post', action: target, target: where });
      form.elements.transaction.value = transaction;
      window.document.body.append(form);
      form.submit();
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }).catch(() => {}));
}));

await step('a script of the same host with a pop-up', inBrowser({}, async (context) => {
  const page = await context.newPage();
  await page.goto(`${session.gateway}/app`);
  await refused('its pop-up', () => page.evaluate(async (url) => {
    const popup = open(url);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    popup.document.querySelector('[value=allow]').click();
  }, authorizeURL()).catch(() => {}));
}));

await step('people who allow it', async () => {
  for (const options of [{}, { hasTouch: true, isMobile: true, viewport: { width: 360, height: 640 } }, { javaScriptEnabled: false }]) {
    const context = await open(options);
    const page = await context.newPage();
    for (const press of [() => (options.hasTouch ? allow(page).tap({ force: true }) : allow(page).click({ force: true })), () => allow(page).press('Enter'), () => allow(page).press('Space')]) {
      await page.goto(authorizeURL());
      await page.bringToFront();
      expect(await approved(async () => {
        await press(); // too early
        await sleep(300);
        await sleep(pause + 500);
        await press();
        await page.waitForURL(`${origin}/**`);
      }), `an honest user is refused: ${JSON.stringify(options)} at ${page.url().split('?')[0]}`);
    }
    await page.goto(authorizeURL());
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(/error=access_denied/);
    await context.close();
  }
});

await step('what assistive technology is told', inBrowser({}, async (context) => {
  const page = await context.newPage();
  await page.goto(authorizeURL());
  await page.bringToFront();
  expect((await allow(page).getAttribute('aria-disabled')) === 'true', 'Allow is not said to be disabled');
  const before = await page.getByRole('status').innerText();
  await live(page);
  const after = await page.getByRole('status').innerText();
  expect(before && after && before !== after, `the status stays ${before}`);
  await page.setViewportSize({ width: 900, height: 800 });
  await page.waitForFunction(() => document.querySelector('[value=allow]').getAttribute('aria-disabled') === 'true');
}));

await step('a thousand scopes', async () => {
  const scope = ['profile', ...Array.from({ length: 1000 }, (_, i) => `r${i}`)].join(' ');
  for (const options of [{}, { colorScheme: 'dark' }, { viewport: { width: 360, height: 640 } }]) {
    const context = await open({ bypassCSP: true, ...options }); // axe is a script of ours
    const page = await context.newPage();
    for (const [name, parameters] of Object.entries({ few: {}, many: { scope, prompt: 'login', claims: '{"userinfo":{}}', login_hint: '\u202egpj.exe', ui_locales: 'de' } })) {
      await page.goto(authorizeURL(parameters));
      await page.bringToFront();
      const height = await page.evaluate(() => [document.scrollingElement.scrollHeight, innerHeight, document.scrollingElement.scrollWidth, innerWidth]);
      for (const button of [allow(page), page.getByRole('button', { name: 'Deny' })]) {
        const box = await button.boundingBox();
        expect(box.y + box.height <= height[1] && box.y >= 0, `${name}: a button is out of sight: ${JSON.stringify(box)} of ${height}`);
      }
      expect(height[2] <= height[3], `${name}: too wide, ${height}`);
      await live(page);
      await checkAccessibility(page, name);
    }
    const text = await page.locator('main').innerText();
    expect(text.includes('[U+202E]gpj.exe') && text.includes('login_hint') && text.includes('ui_locales de'), 'something is not listed');
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await page.waitForFunction(() => document.querySelector('[role=region]').scrollTop > 10_000);
    await context.close();
  }
});

await step('a small window', async () => {
  for (const fragment of ['', '#:~:text=Allow', '#:~:text=Deny']) {
    const context = await open({ viewport: { width: 300, height: 150 } });
    const page = await lure(context);
    await page.evaluate((url) => { onclick = () => { location = url; }; }, authorizeURL() + fragment);
    await page.mouse.click(100, 100);
    await page.waitForURL(/authorize/);
    await sleep(500);
    expect((await page.evaluate(() => scrollY)) === 0, `with the fragment ${fragment} the page begins at its end`);
    expect((await allow(page).boundingBox()).y > 150, 'the button is all that is seen');
    await context.close();
  }
});

await step('auth0-spa-js logs in in a pop-up', inBrowser({}, async (context) => {
  await context.route('**/oauth/token', async (route) => { // the library wants RS256, and checks no signature
    const response = await route.fetch();
    const tokens = await response.json();
    const [, payload, signature] = tokens.id_token.split('.');
    tokens.id_token = [Buffer.from('{"alg":"RS256","typ":"JWT"}').toString('base64url'), payload, signature].join('.');
    await route.fulfill({ response, json: tokens });
  });
  const page = await lure(context);
  await page.addScriptTag({ url: '/auth0-spa-js.js' });
  const opened = context.waitForEvent('page');
  const login = page.evaluate(async ([domain, user]) => {
    const client = await auth0.createAuth0Client({ domain, clientId: 'spa', authorizationParams: { redirect_uri: `${location.origin}/`, user } });
    await client.loginWithPopup();
    return (await client.getUser()).sub;
  }, [session.gateway, session.username]);
  const popup = await opened;
  await allow(popup).waitFor();
  await popup.bringToFront();
  await popup.mouse.move(10, 10);
  await popup.mouse.move(20, 20);
  await live(popup);
  await allow(popup).click();
  expect((await login) !== undefined, 'nobody is logged in');
}));

await browser.close();
app.close();
