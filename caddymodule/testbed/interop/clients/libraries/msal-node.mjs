// @azure/msal-node, for an app with a secret.
import { ConfidentialClientApplication, CryptoProvider, ProtocolMode } from '@azure/msal-node';
import { clientId, clientSecret, expect, issuer, logIn, session, step } from './app.mjs';

const authority = issuer;
const client = new ConfidentialClientApplication({
  auth: { clientId, clientSecret, authority, knownAuthorities: [new URL(authority).host] },
  system: { protocolMode: ProtocolMode.OIDC },
});
const redirectUri = session.redirect_uri;
const scopes = ['openid', 'profile', 'email', 'offline_access'];
let result;
await step('login', async () => {
  const { verifier, challenge } = await new CryptoProvider().generatePkceCodes();
  const url = await client.getAuthCodeUrl({ scopes, redirectUri, codeChallenge: challenge, codeChallengeMethod: 'S256', state: 'state' });
  const response = await logIn(url);
  const code = response.searchParams.get('code');
  expect(code, `the response is ${response}`);
  result = await client.acquireTokenByCode({ scopes, redirectUri, code, codeVerifier: verifier });
  expect(result.idTokenClaims.email, 'no address');
});
await step('refresh', async () => {
  const fresh = await client.acquireTokenSilent({ account: result.account, scopes, forceRefresh: true });
  expect(fresh.accessToken !== result.accessToken, 'the access token is still the old one');
});
