// @auth0/auth0-spa-js in a page of its own, in headless Chromium: a person
// clicks through the login, and the page gets, uses and refreshes its tokens
// through the gateway, across origins.
import { launch, origin, serve } from './chromium.mjs';
import shared from './session.cjs';

const { session, step, offered, expect } = shared;

const options = {
  domain: session.gateway,
  clientId: session.spa_client_id,
  issuer: session.issuer.startsWith('https://') ? session.issuer : undefined, // else it is the domain
  useRefreshTokens: true,
  cacheLocation: 'localstorage',
  authorizationParams: {
    redirect_uri: `${origin}/`,
    audience: session.audience,
    scope: session.scope,
    response_mode: 'query',
  },
};
const page = `<!doctype html><title>page</title><script src="/auth0-spa-js.js"></script>
<script>window.ready = auth0.createAuth0Client(${JSON.stringify(options)}).then((c) => { window.client = c; })</script>`;
const app = await serve(page);
const browser = await launch();
const context = await browser.newContext({ ignoreHTTPSErrors: true });
const tab = await context.newPage();
tab.setDefaultTimeout(30_000);
await replaceForeignScripts(context);

/** Does what a person does on the provider's pages until the page's own origin is back. */
async function clickThrough(target) {
  for (let round = 0; round < 8; round++) {
    await tab.waitForLoadState('load');
    await tab.waitForTimeout(200);
    if (tab.url().startsWith(target)) {
      return;
    }
    const own = tab.locator(`button[value="${session.username}"]`);
    const password = tab.locator('input[type="password"], input[name="password"]');
    const here = tab.url();
    if (await own.count()) {
      await own.first().click();
    } else if (await password.count()) {
      await tab.locator('input[type="text"], input[type="email"], input[name="username"]').first().fill(session.username);
      await password.first().fill(session.password);
      await tab.locator('button[type="submit"], input[type="submit"]').first().click();
    } else {
      await tab.locator('button[type="submit"], input[type="submit"], button').first().click();
    }
    await tab.waitForURL((url) => url.href !== here, { timeout: 15_000 }).catch(() => {});
  }
  await tab.waitForURL((url) => url.href.startsWith(target));
}

/** The simulator's login page loads auth0.js from a content delivery network; this does the same without. */
async function replaceForeignScripts(browserContext) {
  await browserContext.route(/^https:\/\/(cdn\.auth0\.com|unpkg\.com)\//, (route) =>
    route.fulfill({
      contentType: route.request().url().endsWith('.js') ? 'text/javascript' : 'text/css',
      body: route.request().url().endsWith('.js') ? `(${auth0js})()` : '',
    }),
  );
}

function auth0js() {
  window.auth0 = {
    default: {
      WebAuth: function WebAuth(settings) {
        this.login = async (login) => {
          const response = await fetch('/usernamepassword/login', {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({
              ...login,
              client_id: settings.clientID,
              redirect_uri: settings.redirectUri,
              audience: settings.audience,
              response_type: 'code',
              tenant: 'localhost',
              connection: login.realm,
            }),
          });
          document.body.innerHTML = await response.text();
          document.forms[0].submit();
        };
      },
    },
  };
}

try {
  const loggedIn = await step('login', async () => {
    await tab.goto(origin);
    await tab.evaluate(() => window.ready);
    await Promise.all([
      tab.waitForURL((url) => !url.href.startsWith(origin)),
      tab.evaluate(() => { window.client.loginWithRedirect(); }),
    ]);
    await clickThrough(origin);
    await tab.evaluate(async () => {
      await window.ready;
      await window.client.handleRedirectCallback();
    });
    expect(await tab.evaluate(() => window.client.isAuthenticated()), 'the page is not logged in');
  });
  if (!loggedIn) {
    throw new Error(`stopped at ${tab.url().split('?')[0]}`);
  }

  if (session.api) {
    const call = (options) =>
      tab.evaluate(async ([api, settings]) => {
        await window.ready;
        const token = await window.client.getTokenSilently(settings);
        const response = await fetch(api, { headers: { Authorization: `Bearer ${token}` } });
        return { status: response.status, body: await response.text(), challenge: response.headers.get('WWW-Authenticate') };
      }, [session.api, options]);
    await step('protected API', async () => {
      const { status, body } = await call({});
      expect(status === 200 && JSON.parse(body).sub, `the status is ${status}: ${body}`);
    });
    await step('another audience', async () => {
      const authorizationParams = { audience: session.other_audience };
      await Promise.all([
        tab.waitForEvent('framenavigated'),
        tab.evaluate((params) => { window.client.loginWithRedirect({ authorizationParams: params }); }, authorizationParams),
      ]);
      await tab.waitForURL((url) => url.href.startsWith(`${origin}/?`));
      await tab.evaluate(async () => {
        await window.ready;
        await window.client.handleRedirectCallback();
      });
      const { status, challenge } = await call({ authorizationParams, cacheMode: 'cache-only' });
      expect(status === 401, `the status is ${status}`);
      expect(challenge.includes('error="invalid_token"'), `the challenge is ${challenge}`);
    });
  }

  const userInfo = () =>
    tab.evaluate(async (gateway) => {
      const token = await window.client.getTokenSilently();
      const response = await fetch(`${gateway}/userinfo`, { headers: { Authorization: `Bearer ${token}` } });
      const claims = await window.client.getIdTokenClaims();
      return { status: response.status, user: await response.json(), sub: claims.sub };
    }, session.gateway);

  await step('userinfo', async () => {
    const { status, user, sub } = await userInfo();
    expect(status === 200, `the status is ${status}: ${JSON.stringify(user)}`);
    expect(user.sub === sub, `user info is about ${user.sub}, the ID token about ${sub}`);
  });

  await step('refresh', async () => {
    const [before, after] = await tab.evaluate(async () => [
      await window.client.getTokenSilently(),
      await window.client.getTokenSilently({ cacheMode: 'off' }),
    ]);
    expect(before && after && before !== after, 'the access token is still the old one');
    if (offered('userinfo')) {
      const { status } = await userInfo();
      expect(status === 200, `with the new token the status is ${status}`);
    }
  });

  if (session.frames) {
    await step('silent login', async () => {
      const [before, after] = await tab.evaluate(async (settings) => {
        const client = await auth0.createAuth0Client({ ...settings, useRefreshTokens: false });
        return [await window.client.getTokenSilently(), await client.getTokenSilently({ cacheMode: 'off' })];
      }, options);
      expect(before && after && before !== after, 'the access token is still the old one');
    });
  }

  await step('logout', async () => {
    await Promise.all([
      tab.waitForEvent('framenavigated'),
      tab.evaluate((returnTo) => { window.client.logout({ logoutParams: { returnTo } }); }, `${origin}/`),
    ]);
    await clickThrough(origin);
    await tab.evaluate(() => window.ready);
    expect(!(await tab.evaluate(() => window.client.isAuthenticated())), 'the page is still logged in');
  });
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
} finally {
  await browser.close();
  app.close();
}
