// What a client of the Model Context Protocol does, with one of its SDKs for TypeScript,
// knowing only the URL of a server behind require_token, and a client id if there is one.
import { serve } from './server.mjs';
import shared from '../session.cjs';

const { session, step, walk, expect } = shared;

/** What an app keeps for the SDK, which asks for tokens for another resource if one is given. */
function provider(resource) {
  const kept = {};
  return {
    kept,
    redirectUrl: session.redirect_uri,
    clientMetadata: { client_name: 'interop', redirect_uris: [session.redirect_uri], token_endpoint_auth_method: 'none' },
    clientInformation: () => (session.client_id ? { client_id: session.client_id } : kept.client),
    saveClientInformation: (client) => { kept.client = client; },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => { kept.tokens = tokens; },
    codeVerifier: () => kept.verifier,
    saveCodeVerifier: (verifier) => { kept.verifier = verifier; },
    redirectToAuthorization: (url) => { kept.url = url; },
    ...(resource && { validateResourceURL: () => new URL(resource) }),
  };
}

/** Runs the steps. finish is what the SDK's finishAuth takes of the authorization response. */
export async function run({ Client, StreamableHTTPClientTransport, UnauthorizedError }, finish) {
  /** Connects as the SDK's documentation says: at first unauthorized, then with what came back. */
  async function connect(auth) {
    const client = () => new Client({ name: 'interop', version: '1.0.0' });
    const transport = () => new StreamableHTTPClientTransport(new URL(session.mcp), { authProvider: auth });
    const first = transport();
    let refusal;
    await client().connect(first).catch((error) => { refusal = error; });
    expect(refusal instanceof UnauthorizedError, `the server is not protected: ${refusal}`);
    expect(auth.kept.url.href.startsWith(`${session.gateway}/authorize?`), `it goes to ${auth.kept.url}`);
    const arrived = await walk(auth.kept.url);
    const response = new URL(arrived.url).searchParams;
    expect(response.has('code'), `the browser ended at ${arrived.url}`);
    await first.finishAuth(finish(response));
    const connected = client();
    await connected.connect(transport());
    return connected;
  }

  const stop = await serve(session.spa_port);
  try {
    let client;
    await step('login', async () => { client = await connect(provider()); });
    await step('protected API', async () => {
      const { content } = await client.callTool({ name: 'whoami', arguments: {} });
      expect(content[0].text !== 'nobody', 'no user');
    });
    await step('another audience', async () => {
      let refusal;
      const auth = provider(session.other_audience);
      await connect(auth).catch((error) => { refusal = error; });
      expect(auth.kept.tokens?.access_token, `there was no token: ${refusal}`);
      expect(refusal, 'it was not refused');
    });
    await client?.close();
  } finally {
    stop();
  }
}
