// openid-client (https://www.npmjs.com/package/openid-client), set up as its
// documentation says for a public client.
import * as client from 'openid-client';
import shared from './session.cjs';

const { session, step, offered, walk, expect } = shared;

const config = new client.Configuration(
  {
    issuer: session.issuer,
    authorization_endpoint: `${session.gateway}/authorize`,
    token_endpoint: `${session.gateway}/oauth/token`,
    userinfo_endpoint: `${session.gateway}/userinfo`,
    jwks_uri: session.jwks_uri,
    code_challenge_methods_supported: ['S256'],
  },
  session.client_id,
  session.id_token_algorithm ? { id_token_signed_response_alg: session.id_token_algorithm } : undefined,
  client.None(),
);
client.allowInsecureRequests(config);
client.enableNonRepudiationChecks(config); // also checks the ID token's signature

let tokens;

const loggedIn = await step('login', async () => {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const expectedNonce = client.randomNonce();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: session.redirect_uri,
    scope: session.scope,
    audience: session.audience,
    response_mode: 'query',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    ...(session.oauth_only ? {} : { nonce: expectedNonce }),
    ...session.auth_params,
  });
  const arrived = await walk(url);
  tokens = await client.authorizationCodeGrant(config, new URL(arrived.url), {
    pkceCodeVerifier,
    expectedState,
    expectedNonce: session.oauth_only ? undefined : expectedNonce,
    idTokenExpected: !session.oauth_only,
  });
  expect(tokens.token_type.toLowerCase() === 'bearer', `token_type is ${tokens.token_type}`);
});
if (!loggedIn) {
  process.exit(1);
}

await step('userinfo', async () => {
  if (session.oauth_only) {
    const url = new URL(`${session.gateway}/userinfo`);
    const response = await client.fetchProtectedResource(config, tokens.access_token, url, 'GET');
    expect(response.ok, `userinfo answers ${response.status}`);
    return;
  }
  await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub);
});

await step('refresh', async () => {
  expect(tokens.refresh_token, 'there is no refresh token');
  const fresh = await client.refreshTokenGrant(config, tokens.refresh_token);
  expect(fresh.access_token !== tokens.access_token, 'the access token is still the old one');
  tokens.id_token = fresh.id_token ?? tokens.id_token; // a logout's hint is the last one
  if (offered('userinfo')) {
    await client.fetchUserInfo(config, fresh.access_token, tokens.claims().sub);
  }
});

await step('logout', async () => {
  const query = new URLSearchParams({ client_id: session.client_id, returnTo: session.return_to });
  if (session.hints) {
    query.set('id_token_hint', tokens.id_token);
  }
  const arrived = await walk(`${session.gateway}/v2/logout?${query}`);
  expect(arrived.url.startsWith(session.return_to), `it ended at ${arrived.url} and not at returnTo`);
});
