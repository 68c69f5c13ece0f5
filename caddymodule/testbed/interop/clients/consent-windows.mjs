// The consent page in Chromium with a window manager, where windows cover each other: another
// one, always on top, hides the page while its pause runs out. The clicks and keys are xdotool's.
import { execFileSync, spawn } from 'node:child_process';
import { allow, authorizeURL, launch, origin, serve, sleep, unfocused } from './chromium.mjs';
import shared from './session.cjs';

const { step, expect } = shared;

/** The pause after which Allow can be chosen, and some time more, in milliseconds. */
const pause = 2000 + 700;

/**
 * The attacker's page. The first click opens a window that stays on top and can show anything
 * (Document Picture-in-Picture), the second one, in it, the consent page beneath, of which a strip
 * to the left is seen.
 */
const lure = `<!doctype html><title>lure</title><button style="position:fixed;inset:0;width:100%">Play</button><script>
  document.querySelector('button').onclick = async () => {
    const top = window.top.cover = await documentPictureInPicture.requestWindow({ width: 620, height: 560 });
    top.document.body.innerHTML = '<button style="position:fixed;inset:0;width:100%">Click here, and here again</button>';
    top.document.querySelector('button').onclick = () => {
      window.consent = open(${JSON.stringify(authorizeURL())}, '', 'popup,left=' + (top.screenX - 100) + ',top=' + top.screenY + ',width=700,height=500');
    };
  };
</script>`;

const app = await serve(lure);

const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
const DISPLAY = `:${String(await new Promise((resolve) => server.stdio[3].once('data', resolve))).trim()}`;
const env = { ...process.env, DISPLAY };
const manager = spawn('openbox', [], { env, stdio: 'ignore' });
const xdotool = (...args) => execFileSync('xdotool', args.map(String), { env }).toString();

const browser = await launch({ headless: false, env }, '--force-device-scale-factor=1');

/** place is where the middle of an element is on the screen. */
async function place(locator) {
  const box = await locator.boundingBox();
  const [x, y] = await locator.evaluate(() => [screenX + (outerWidth - innerWidth) / 2, screenY + outerHeight - innerHeight]);
  return [Math.round(x + box.x + box.width / 2), Math.round(y + box.y + box.height / 2)];
}

const isLive = (page) => allow(page).evaluate((button) => button.getAttribute('aria-disabled') === 'false');

async function approved(run) {
  const before = app.codes;
  await run();
  for (let i = 0; i < 10 && app.codes === before; i++) {
    await sleep(100);
  }
  return app.codes > before;
}

/** move moves the pointer as a hand does. */
async function move([fromX, fromY], [toX, toY]) {
  for (let i = 1; i <= 5; i++) {
    xdotool('mousemove', Math.round(fromX + (toX - fromX) * i / 5), Math.round(fromY + (toY - fromY) * i / 5));
    await sleep(20);
  }
}

/**
 * covered has the consent page loaded beneath a window that stays on top. It runs with the page,
 * the attacker's, and where the pointer is, in the middle of the window on top.
 */
async function covered(run) {
  const context = await browser.newContext({ viewport: null });
  context.setDefaultTimeout(15_000);
  context.on('page', unfocused);
  const page = await context.newPage();
  await page.goto(origin);
  await page.bringToFront();
  xdotool('mousemove', ...await place(page.locator('button')), 'click', 1);
  await page.waitForFunction(() => window.cover?.document.querySelector('button'));
  await sleep(700);
  const at = (await page.evaluate(() => [cover.screenX + cover.outerWidth / 2, cover.screenY + cover.outerHeight / 2])).map(Math.round);
  xdotool('mousemove', ...at, 'click', 1);
  let consent;
  for (let i = 0; i < 50 && !consent; i++) {
    await sleep(100);
    consent = context.pages().find((opened) => opened.url().includes('/authorize'));
  }
  expect(consent, 'the consent page did not open');
  await allow(consent).waitFor();
  await sleep(300);
  await run(consent, page, at);
  await context.close();
}

async function clicked(consent, target) {
  const hit = await approved(async () => {
    await sleep(150);
    xdotool('click', 1);
  });
  expect(!hit, `${target} approves`);
  expect(await consent.evaluate(() => document.hasFocus()), 'the page was not in front: the attack is none');
}

await step('a window on top that closes as the pointer nears', () => covered(async (consent, page, at) => {
  const to = await place(allow(consent));
  await sleep(pause);
  expect(await isLive(consent), 'the page was not in front: the attack is none');
  await page.evaluate(() => { cover.onmousemove = () => cover.close(); });
  await move(at, to);
  await clicked(consent, 'a click on what the window had hidden');
}));

await step('a window on top that closes by itself', () => covered(async (consent, page, at) => {
  const to = await place(allow(consent));
  await move(at, to);
  await sleep(pause);
  await page.evaluate(() => cover.close());
  await clicked(consent, 'a click of a pointer that rested');
}));

await step('a window on top of a page that the pointer had crossed', () => covered(async (consent, page, at) => {
  const to = await place(allow(consent));
  const edge = await consent.evaluate(() => [screenX + 50, screenY + 250]);
  await move(at, edge);
  await move(edge, [edge[0], edge[1] + 50]);
  await move(edge, to);
  await sleep(pause);
  await page.evaluate(() => cover.close());
  await clicked(consent, 'a click after the pointer had left');
}));

await step('keys that the window on top asks for', () => covered(async (consent) => {
  await sleep(pause);
  expect(await isLive(consent), 'the page was not in front: the attack is none');
  expect(!(await approved(async () => {
    for (const key of ['Tab', 'Tab', 'space']) {
      xdotool('key', key);
      await sleep(100);
    }
  })), 'Tab, Tab, Space approve');
  expect(await consent.evaluate(() => document.activeElement.value === 'allow'), 'the keys did not reach the page: the attack is none');
}));

await step('a person with a mouse', () => covered(async (consent, page, at) => {
  const to = await place(allow(consent));
  await page.evaluate(() => cover.close());
  await move(at, to);
  await sleep(pause);
  await move(to, [to[0] + 30, to[1] - 60]); // he reads, and rests
  await sleep(pause);
  await move([to[0] + 30, to[1] - 60], to);
  expect(await approved(() => xdotool('click', 1)), 'an honest user is refused');
}));

await step('a person whose pointer never moves', () => covered(async (consent, page) => {
  xdotool('mousemove', ...await place(allow(consent)));
  await page.evaluate(() => cover.close());
  await sleep(pause);
  expect(await approved(async () => {
    xdotool('click', 1);
    await sleep(pause);
    xdotool('click', 1);
  }), 'an honest user is refused');
}));

await step('a person by keyboard', () => covered(async (consent, page) => {
  await page.evaluate(() => cover.close());
  xdotool('key', 'Tab');
  xdotool('key', 'Tab');
  await sleep(pause);
  expect(await approved(() => xdotool('key', 'space')), 'an honest user is refused');
}));

await browser.close();
manager.kill();
server.kill();
app.close();
