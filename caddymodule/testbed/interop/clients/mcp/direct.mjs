// @modelcontextprotocol/client (https://www.npmjs.com/package/@modelcontextprotocol/client) where nobody
// logs in: an agent whose company vouches for its user, a service that acts for itself, and a CI job.
import {
  Client, ClientCredentialsProvider, CrossAppAccessProvider, PrivateKeyJwtProvider, StreamableHTTPClientTransport, discoverAndRequestJwtAuthGrant,
} from '@modelcontextprotocol/client';
import { serve } from './server.mjs';
import shared from '../session.cjs';

const { session, step, expect } = shared;
const {
  issuer, secret, id_tokens: idTokens, key, jobs,
} = session.direct;

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

/** The CI job with a token: the SDK has hooks for such a grant, and a workload is no client. */
const jobWith = (token) => {
  let tokens;
  return {
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [] },
    clientInformation: () => ({ client_id: 'none', issuer: session.gateway }),
    addClientAuthentication: () => {},
    tokens: () => tokens,
    saveTokens: (given) => { tokens = given; },
    prepareTokenRequest: (scope) => new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: token, ...(scope && { scope }),
    }),
    redirectToAuthorization: () => { throw new Error('nobody is there to log in'); },
    saveCodeVerifier: () => {},
    codeVerifier: () => '',
  };
};

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
  await step('a service with a key', async () => {
    const user = await whoami(new PrivateKeyJwtProvider({
      clientId: 'robot', privateKey: key, algorithm: 'ES256', expectedIssuer: session.gateway,
    }));
    expect(user === 'nobody', `it acts for ${user}`);
  });
  await step('a CI job', async () => {
    const user = await whoami(jobWith(jobs.own));
    expect(user === 'nobody', `it acts for ${user}`);
  });
  await step('a CI job of a fork', () => refused(jobWith(jobs.fork), 'repository_id'));
} finally {
  stop();
}
