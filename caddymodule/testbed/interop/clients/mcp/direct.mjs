// @modelcontextprotocol/client (https://www.npmjs.com/package/@modelcontextprotocol/client) where nobody
// logs in: an agent whose company vouches for its user, and a service that acts for itself.
import {
  Client, ClientCredentialsProvider, CrossAppAccessProvider, StreamableHTTPClientTransport, discoverAndRequestJwtAuthGrant,
} from '@modelcontextprotocol/client';
import { serve } from './server.mjs';
import shared from '../session.cjs';

const { session, step, expect } = shared;
const { issuer, secret, id_tokens: idTokens } = session.direct;

/** Calls the tool, knowing the URL of the server, and says as whom. */
async function whoami(authProvider) {
  const client = new Client({ name: 'interop', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(session.mcp), { authProvider }));
  try {
    return (await client.callTool({ name: 'whoami', arguments: {} })).content[0].text;
  } finally {
    await client.close();
  }
}

/** The agent of a user, with the ID token of a login at the company, as the SDK's documentation says. */
const agentOf = (user) => new CrossAppAccessProvider({
  clientId: 'desk', clientSecret: secret, expectedIssuer: session.gateway,
  assertion: async ({ authorizationServerUrl, resourceUrl, scope, fetchFn }) => {
    const { jwtAuthGrant } = await discoverAndRequestJwtAuthGrant({
      idpUrl: issuer, audience: authorizationServerUrl, resource: resourceUrl, scope, fetchFn, idToken: idTokens[user], clientId: 'desk-at-the-company',
    });
    return jwtAuthGrant;
  },
});

const serviceWith = (clientSecret) => new ClientCredentialsProvider({ clientId: 'reports', clientSecret, expectedIssuer: session.gateway });

/** Expects a refusal that says so. */
async function refused(authProvider, says) {
  const outcome = await whoami(authProvider).then((user) => `it is let in as ${user}`, (error) => `${error.code} ${error.message}`);
  expect(outcome.includes(says), outcome);
}

const stop = await serve(session.spa_port);
try {
  await step('a company\'s agent', async () => {
    const user = await whoami(agentOf('ada'));
    expect(user === 'ada', `it acts for ${user}`);
  });
  await step('a user outside the group', () => refused(agentOf('bob'), 'may not come in'));
  await step('a service', async () => {
    const user = await whoami(serviceWith(secret));
    expect(user === 'nobody', `it acts for ${user}`);
  });
  await step('a service with a wrong secret', () => refused(serviceWith('wrong'), 'invalid_client'));
} finally {
  stop();
}
