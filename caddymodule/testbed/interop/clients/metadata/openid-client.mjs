// openid-client (https://www.npmjs.com/package/openid-client), set up as its
// documentation says, knowing only the gateway's URL and the client id.
import * as client from 'openid-client';
import shared from '../session.cjs';

const { session, step, walk, expect } = shared;

const discover = (algorithm) =>
  client.discovery(new URL(session.gateway), session.client_id, undefined, client.None(), {
    algorithm,
    execute: [client.allowInsecureRequests],
  });

async function logIn(config, scope, audience) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: session.redirect_uri,
    scope,
    audience,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  });
  const arrived = await walk(url);
  return client.authorizationCodeGrant(config, new URL(arrived.url), { pkceCodeVerifier, expectedState });
}

let config;
let tokens;
await step('login', async () => {
  config = await discover('oauth2');
  expect(config.serverMetadata().supportsPKCE(), 'S256 is not announced');
  tokens = await logIn(config, 'profile email', session.audience);
});
await step('protected API', async () => {
  const response = await client.fetchProtectedResource(config, tokens.access_token, new URL(session.api), 'GET');
  expect(response.status === 200, `the status is ${response.status}`);
  expect((await response.json()).sub, 'no user');
});
await step('another audience', async () => {
  const other = await logIn(config, 'profile email', session.other_audience);
  let refusal;
  await client.fetchProtectedResource(config, other.access_token, new URL(session.api), 'GET').catch((error) => { refusal = error; });
  expect(refusal?.status === 401, `it was not refused: ${refusal}`);
  expect(refusal.cause[0].parameters.error === 'invalid_token', 'no challenge');
});
await step('login with openid', async () => {
  const openid = await discover('oidc');
  client.enableNonRepudiationChecks(openid); // also checks the ID token's signature
  tokens = await logIn(openid, 'openid profile', session.audience);
  expect(tokens.claims().iss === session.issuer, 'another issuer');
});
