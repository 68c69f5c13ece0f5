// openid-client and oauth4webapi with DPoP (RFC 9449), and openid-client as a confidential
// client (private_key_jwt, pushed requests), each set up as its documentation says, from the
// metadata of the gateway alone to the API behind it.
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';

const { gateway, api, redirect_uri, cookie, token_type, private_key } = JSON.parse(process.argv[2]);
const insecure = { [oauth.allowInsecureRequests]: true };

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

// walk is a browser whose user is logged in at the identity provider.
async function walk(url) {
  for (let hops = 0; hops < 10; hops++) {
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    const location = response.headers.get('location');
    expect(location, `${url} answers ${response.status}: ${await response.text()}`);
    url = new URL(location, url);
    if (url.href.startsWith(redirect_uri)) return url;
  }
  throw new Error('too many redirects');
}

async function withOpenIDClient() {
  const config = await client.discovery(new URL(gateway), 'agent', undefined, client.None(), {
    algorithm: 'oauth2', execute: [client.allowInsecureRequests],
  });
  expect(config.serverMetadata().dpop_signing_alg_values_supported.includes('ES256'), 'the metadata does not say that there is DPoP');
  const keys = await client.randomDPoPKeyPair('ES256');
  const DPoP = client.getDPoPHandle(config, keys);
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri, state, code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
    dpop_jkt: await DPoP.calculateThumbprint(),
  });
  let tokens = await client.authorizationCodeGrant(config, await walk(url), { pkceCodeVerifier: verifier, expectedState: state }, undefined, { DPoP });
  expect(tokens.token_type === token_type, `token_type is ${tokens.token_type}`);
  const options = token_type === 'dpop' ? { DPoP } : undefined;
  for (let i = 0; i < 3; i++) {
    const response = await client.fetchProtectedResource(config, tokens.access_token, new URL(`${api}?page=${i}`), 'GET', undefined, undefined, options);
    expect(response.ok, `the API answers ${response.status}: ${await response.text()}`);
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token, undefined, { DPoP });
    tokens = { ...tokens, ...refreshed };
  }
  const thief = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
  for (const stolen of [undefined, { DPoP: thief }]) {
    const refused = await client.refreshTokenGrant(config, tokens.refresh_token, undefined, stolen).then(() => null, (error) => error);
    expect(refused && /invalid_dpop_proof|invalid_grant/.test(refused.error), `a stolen refresh token: ${refused}`);
  }
}

async function withOAuth4WebAPI() {
  const issuer = new URL(gateway);
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }));
  const self = { client_id: 'agent' };
  const DPoP = oauth.DPoP(self, await oauth.generateKeyPair('ES256'));
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint);
  for (const [name, value] of Object.entries({
    client_id: 'agent', redirect_uri, response_type: 'code', state, code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
  })) url.searchParams.set(name, value);
  const params = oauth.validateAuthResponse(server, self, await walk(url), state);
  const exchange = async () => oauth.processAuthorizationCodeResponse(server, self,
    await oauth.authorizationCodeGrantRequest(server, self, oauth.None(), params, redirect_uri, verifier, { DPoP, ...insecure }));
  const tokens = await exchange().catch((error) => {
    if (oauth.isDPoPNonceError(error)) return exchange(); // as its documentation says
    throw error;
  });
  expect(tokens.token_type === token_type, `token_type is ${tokens.token_type}`);
  const call = () => oauth.protectedResourceRequest(tokens.access_token, 'GET', new URL(api), undefined, undefined, { ...(token_type === 'dpop' ? { DPoP } : {}), ...insecure });
  const response = await call().catch((error) => {
    if (oauth.isDPoPNonceError(error)) return call();
    throw error;
  });
  expect(response.ok, `the API answers ${response.status}`);
}

async function withPrivateKeyJwt() {
  const key = await crypto.subtle.importKey('jwk', private_key, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
  const discover = (auth) => client.discovery(new URL(gateway), 'backend', undefined, auth, { algorithm: 'oauth2', execute: [client.allowInsecureRequests] });
  const config = await discover(client.PrivateKeyJwt(key));
  expect(config.serverMetadata().token_endpoint_auth_methods_supported.includes('private_key_jwt'), 'the metadata does not say how to authenticate');
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const url = await client.buildAuthorizationUrlWithPAR(config, {
    redirect_uri, state, code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
  });
  const tokens = await client.authorizationCodeGrant(config, await walk(url), { pkceCodeVerifier: verifier, expectedState: state });
  await client.refreshTokenGrant(config, tokens.refresh_token);
  const thief = await discover(client.None());
  const refused = await client.refreshTokenGrant(thief, tokens.refresh_token).then(() => null, (error) => error);
  expect(refused?.error === 'invalid_client' || refused?.code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE', `a stolen refresh token: ${refused}`);
}

await withPrivateKeyJwt();
await withOpenIDClient();
await withOAuth4WebAPI();
