// oauth4webapi, for an app without a secret.
import * as oauth from 'oauth4webapi';
import { clientId, expect, issuer, logIn, session, step } from './app.mjs';

const server = new URL(issuer);
const as = await oauth.processDiscoveryResponse(server, await oauth.discoveryRequest(server));
const client = { client_id: clientId };
let tokens;
await step('login', async () => {
  const [verifier, state, nonce] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState(), oauth.generateRandomNonce()];
  const url = new URL(as.authorization_endpoint);
  url.search = new URLSearchParams({
    client_id: clientId, redirect_uri: session.redirect_uri, response_type: 'code', scope: session.scope, state, nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
  });
  const response = oauth.validateAuthResponse(as, client, await logIn(url), state);
  const answer = await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), response, session.redirect_uri, verifier);
  tokens = await oauth.processAuthorizationCodeResponse(as, client, answer, { expectedNonce: nonce, requireIdToken: true });
});
await step('userinfo', async () => {
  const { sub } = oauth.getValidatedIdTokenClaims(tokens);
  const user = await oauth.processUserInfoResponse(as, client, sub, await oauth.userInfoRequest(as, client, tokens.access_token));
  expect(user.email, 'no address');
});
await step('refresh', async () => {
  const answer = await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token);
  const fresh = await oauth.processRefreshTokenResponse(as, client, answer);
  expect(fresh.access_token !== tokens.access_token, 'the access token is still the old one');
});
