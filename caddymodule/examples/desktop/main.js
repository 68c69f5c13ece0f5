// What a desktop app does: a login in the user's browser (RFC 8252), and a refresh
// token that it keeps, so that the next start asks nobody. Each refresh returns a
// new refresh token, which replaces the one before.
import { spawn } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as oauth from 'openid-client';

const gateway = new URL(process.env.ADDRESS ?? 'http://localhost:8080');
const scope = 'profile email offline_access';
// A real app keeps it in the system's keychain.
const file = join(process.env.XDG_STATE_HOME ?? join(homedir(), '.local', 'state'), 'gateway-example-desktop', 'refresh_token');

const config = await oauth.discovery(gateway, 'desktop', undefined, oauth.None(), {
  algorithm: 'oauth2', // the gateway's own metadata (RFC 8414)
  execute: gateway.protocol === 'http:' ? [oauth.allowInsecureRequests] : [],
});

if (process.argv[2] === 'logout') {
  await logOut();
} else {
  const tokens = (await refresh()) ?? (await logIn());
  await keep(tokens.refresh_token);
  const userinfo = new URL(config.serverMetadata().userinfo_endpoint ?? '/userinfo', gateway);
  const response = await oauth.fetchProtectedResource(config, tokens.access_token, userinfo, 'GET');
  console.log('Hello,', (await response.json()).name);
}

/** The tokens for the refresh token of the last start, or undefined if there is none or its login has ended. */
async function refresh() {
  const token = await readFile(file, 'utf8').catch(() => undefined);
  if (!token) {
    return undefined;
  }
  try {
    return await oauth.refreshTokenGrant(config, token);
  } catch (error) {
    if (error.error !== 'invalid_grant') {
      throw error; // such as no network: the token is still good
    }
    console.error('The login has ended.');
    return undefined;
  }
}

async function logIn() {
  const { address, response, close } = await listen();
  try {
    const pkceCodeVerifier = oauth.randomPKCECodeVerifier();
    const expectedState = oauth.randomState();
    const url = oauth.buildAuthorizationUrl(config, {
      redirect_uri: address,
      scope,
      code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
    });
    console.error(`Log in at\n\n  ${url}\n`);
    openBrowser(url.href);
    return await oauth.authorizationCodeGrant(config, await response, { pkceCodeVerifier, expectedState });
  } finally {
    close();
  }
}

/** Serves the redirect URI on a free loopback port; response is the URL that the browser comes back with. */
async function listen() {
  let arrived;
  const response = new Promise((resolve) => { arrived = resolve; });
  const server = createServer((request, reply) => {
    const url = new URL(request.url, address);
    if (url.pathname !== '/callback') {
      reply.writeHead(404).end();
      return;
    }
    reply.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
    reply.end('You are logged in. Close this page and go back to the app.\n', () => arrived(url));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${server.address().port}/callback`;
  return { address, response, close: () => server.close() };
}

/** Replaces the kept token in one step, so that a crash loses neither the old one nor the new one. */
async function keep(token) {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, token, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function logOut() {
  const token = await readFile(file, 'utf8').catch(() => undefined);
  if (token) {
    await oauth.tokenRevocation(config, token, { token_type_hint: 'refresh_token' });
    await rm(file);
  }
  console.log('Logged out.');
}

function openBrowser(url) {
  const system = { darwin: ['open'], win32: ['rundll32', 'url.dll,FileProtocolHandler'] }[process.platform] ?? ['xdg-open'];
  const [command, ...args] = process.env.BROWSER ? [process.env.BROWSER] : system;
  spawn(command, [...args, url], { stdio: 'ignore', detached: true }).on('error', () => {}).unref(); // the URL is on the screen, too
}
