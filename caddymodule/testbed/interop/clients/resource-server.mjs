// jose as a resource server's check of access tokens (RFC 9068), set up as its documentation says, from the metadata of
// the gateway alone. openid-client logs in for it.
import * as jose from 'jose';
import * as client from 'openid-client';

const { gateway, api, redirect_uri, cookie, spring } = JSON.parse(process.argv[2]);

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

const config = await client.discovery(new URL(gateway), 'app', undefined, client.None(), { execute: [client.allowInsecureRequests] });
const verifier = client.randomPKCECodeVerifier();
const [state, nonce] = [client.randomState(), client.randomNonce()];
const url = client.buildAuthorizationUrl(config, {
  redirect_uri, state, nonce, scope: 'openid read', resource: api,
  code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
});
const tokens = await client.authorizationCodeGrant(config, await walk(url), { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }, { resource: api });

const { issuer, jwks_uri } = config.serverMetadata();
const keys = jose.createRemoteJWKSet(new URL(jwks_uri));
const verify = (token, audience) => jose.jwtVerify(token, keys, { issuer, audience, typ: 'at+jwt', algorithms: ['RS256'], requiredClaims: ['sub', 'client_id', 'jti', 'iat', 'exp'] });
const { payload } = await verify(tokens.access_token, api);
expect(payload.aud === api && payload.scope.split(' ').includes('read') && payload.client_id === 'app', `claims: ${Object.keys(payload)}`);
expect(payload.sub === tokens.claims().sub, 'access token and ID token are of two users');

for (const [token, audience] of [[tokens.id_token, 'app'], [tokens.id_token, api], [tokens.access_token, 'app'], [tokens.access_token, `${api}/`]]) {
  const refused = await verify(token, audience).then(() => false, (error) => error instanceof jose.errors.JOSEError);
  expect(refused, `a token for ${audience} is taken for one of the API`);
}
const calls = [[`${api}/x`, tokens.access_token, 200], [`${api}/x`, tokens.id_token, 401]];
if (spring) { // /api has the documented lines, /unchanged none
  calls.push([`${spring}/api`, tokens.access_token, 200], [`${spring}/api`, tokens.id_token, 401], [`${spring}/unchanged`, tokens.access_token, 401]);
}
for (const [url, token, status] of calls) {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status === status, `${url} answers ${response.status} ${response.headers.get('www-authenticate')}: ${await response.text()}`);
}
const info = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub);
expect(info.sub === payload.sub, 'user info');
