// oauth4webapi (https://www.npmjs.com/package/oauth4webapi), set up as its
// documentation says, knowing only the gateway's URL and the client id.
import * as oauth from 'oauth4webapi';
import shared from '../session.cjs';

const { session, step, walk, expect } = shared;
const insecure = { [oauth.allowInsecureRequests]: true };
const client = { client_id: session.client_id };

/** A login by a document of the gateway: plain OAuth, or OpenID Connect. */
async function logIn(as, scope, audience) {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const nonce = scope.includes('openid') ? oauth.generateRandomNonce() : undefined;
  const url = new URL(as.authorization_endpoint);
  const params = {
    client_id: session.client_id,
    redirect_uri: session.redirect_uri,
    response_type: 'code',
    scope,
    audience,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...(nonce && { nonce }),
  };
  Object.entries(params).forEach(([name, value]) => url.searchParams.set(name, value));
  const arrived = await walk(url);
  const response = oauth.validateAuthResponse(as, client, new URL(arrived.url), state); // also iss (RFC 9207)
  const answer = await oauth.authorizationCodeGrantRequest(
    as, client, oauth.None(), response, session.redirect_uri, verifier, insecure,
  );
  return oauth.processAuthorizationCodeResponse(as, client, answer, { expectedNonce: nonce, requireIdToken: Boolean(nonce) });
}

const call = (token) => fetch(session.api, { headers: { Authorization: `Bearer ${token}` } });

async function discover(issuer, algorithm) {
  const response = await oauth.discoveryRequest(new URL(session.gateway), { algorithm, ...insecure });
  return oauth.processDiscoveryResponse(new URL(issuer), response);
}

let as;
let tokens;
await step('login', async () => {
  as = await discover(session.gateway, 'oauth2');
  expect(as.authorization_response_iss_parameter_supported, 'iss is not announced');
  tokens = await logIn(as, 'profile email', session.audience);
});
await step('protected API', async () => {
  const response = await call(tokens.access_token);
  expect(response.status === 200, `the status is ${response.status}`);
  expect((await response.json()).sub, 'no user');
});
await step('another audience', async () => {
  const other = await logIn(as, 'profile email', session.other_audience);
  const response = await call(other.access_token);
  expect(response.status === 401, `the status is ${response.status}`);
  expect(response.headers.get('WWW-Authenticate').includes('error="invalid_token"'), 'no challenge');
});
await step('login with openid', async () => {
  tokens = await logIn(await discover(session.gateway, 'oidc'), 'openid profile', session.audience);
  expect(oauth.getValidatedIdTokenClaims(tokens).iss === session.issuer, 'another issuer');
});
