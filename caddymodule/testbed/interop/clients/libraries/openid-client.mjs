// openid-client, for an app without a secret.
import * as client from 'openid-client';
import { clientId, expect, issuer, logIn, session, step } from './app.mjs';

const server = new URL(issuer);
const config = await client.discovery(server, clientId, undefined, client.None());
client.enableNonRepudiationChecks(config); // the signature of ID tokens, too
let tokens;
await step('login', async () => {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: session.redirect_uri, scope: session.scope, state: expectedState, nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier), code_challenge_method: 'S256',
  });
  tokens = await client.authorizationCodeGrant(config, await logIn(url), { pkceCodeVerifier, expectedState, expectedNonce });
});
await step('userinfo', async () => expect((await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)).email, 'no address'));
await step('refresh', async () => {
  const fresh = await client.refreshTokenGrant(config, tokens.refresh_token);
  expect(fresh.access_token !== tokens.access_token, 'the access token is still the old one');
});
await step('logout', async () => {
  const arrived = await logIn(client.buildEndSessionUrl(config, { id_token_hint: tokens.id_token, post_logout_redirect_uri: session.return_to }));
  expect(arrived.href.startsWith(session.return_to), `it ended at ${arrived}`);
});
