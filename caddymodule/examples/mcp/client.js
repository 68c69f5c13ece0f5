// An agent that knows nothing but the URL of an MCP server. The SDK finds the gateway
// from the 401 (RFC 9728, RFC 8414), registers (RFC 7591), and logs in there with PKCE.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const url = new URL('/mcp', process.env.ADDRESS ?? 'http://localhost:8080');
const { redirectUrl, response, close } = await listen();

// What the SDK wants kept between the login and the calls; here in memory.
const state = randomBytes(16).toString('base64url');
let registered;
let tokens;
let verifier;
const authProvider = {
  redirectUrl,
  clientMetadata: { client_name: 'Example agent', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
  clientInformation: () => registered,
  saveClientInformation: (received) => { registered = received; },
  state: () => state,
  tokens: () => tokens,
  saveTokens: (received) => { tokens = received; },
  codeVerifier: () => verifier,
  saveCodeVerifier: (created) => { verifier = created; },
  redirectToAuthorization: (authorize) => {
    console.error(`Log in at\n\n  ${authorize}\n`);
    openBrowser(authorize.href);
  },
};

const client = new Client({ name: 'example', version: '1.0.0' });
const transport = new StreamableHTTPClientTransport(url, { authProvider });
try {
  await client.connect(transport);
} catch (error) {
  if (!(error instanceof UnauthorizedError)) {
    throw error;
  }
  const params = (await response).searchParams;
  if (params.get('state') !== state || params.get('iss') !== url.origin) {
    throw new Error('the response is not for this login');
  }
  if (params.has('error')) {
    throw new Error(`${params.get('error')}: ${params.get('error_description')}`);
  }
  await transport.finishAuth(params.get('code'));
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
}
close();
const { content } = await client.callTool({ name: 'greet', arguments: { language: 'fr' } });
console.log(content[0].text);
await client.close();

/** Serves the redirect URI on a free loopback port; response is the URL that the browser comes back with. */
async function listen() {
  let arrived;
  const response = new Promise((resolve) => { arrived = resolve; });
  const server = createServer((request, reply) => {
    const url = new URL(request.url, redirectUrl);
    if (url.pathname !== '/callback') {
      reply.writeHead(404).end();
      return;
    }
    reply.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
    reply.end('You are logged in. Close this page and go back to the terminal.\n', () => arrived(url));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const redirectUrl = `http://127.0.0.1:${server.address().port}/callback`;
  return { redirectUrl, response, close: () => server.close() };
}

function openBrowser(url) {
  const system = { darwin: ['open'], win32: ['rundll32', 'url.dll,FileProtocolHandler'] }[process.platform] ?? ['xdg-open'];
  const [command, ...args] = process.env.BROWSER ? [process.env.BROWSER] : system;
  spawn(command, [...args, url], { stdio: 'ignore', detached: true }).on('error', () => {}).unref(); // the URL is on the screen, too
}
