// A login of a browser app by oauth4webapi: authorization code with PKCE, at the
// gateway, which is found by its metadata (RFC 8414). Tokens stay in memory; a page
// that is loaded again logs in anew, which needs no click while the IdP's session lasts.
import * as oauth from 'oauth4webapi';

const gateway = new URL(location.origin); // the gateway serves this page
const client = { client_id: 'spa' };
const redirectUri = `${location.origin}/`;
const options = { [oauth.allowInsecureRequests]: gateway.protocol === 'http:' }; // on this machine only

const discovered = oauth
  .discoveryRequest(gateway, { algorithm: 'oauth2', ...options })
  .then((response) => oauth.processDiscoveryResponse(gateway, response));

/** Sends the browser to the login. */
export async function logIn() {
  const as = await discovered;
  const login = { state: oauth.generateRandomState(), verifier: oauth.generateRandomCodeVerifier() };
  sessionStorage.setItem('login', JSON.stringify(login)); // for the page that the browser comes back to
  const url = new URL(as.authorization_endpoint);
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'profile email',
    audience: 'https://api.example/',
    state: login.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(login.verifier),
    code_challenge_method: 'S256',
  });
  location.assign(url);
}

/** The access token, if the browser has just come back from a login; else undefined. */
export async function finishLogin() {
  const here = new URL(location.href);
  const login = JSON.parse(sessionStorage.getItem('login'));
  if (!login || !here.searchParams.has('state')) {
    return undefined;
  }
  sessionStorage.removeItem('login');
  history.replaceState(null, '', redirectUri); // no code in the history
  const as = await discovered;
  const params = oauth.validateAuthResponse(as, client, here, login.state); // also iss (RFC 9207)
  const response = await oauth.authorizationCodeGrantRequest(
    as, client, oauth.None(), params, redirectUri, login.verifier, options,
  );
  return (await oauth.processAuthorizationCodeResponse(as, client, response)).access_token;
}

/** Ends the session at the IdP, and comes back. */
export function logOut() {
  const url = new URL('/v2/logout', gateway);
  url.search = new URLSearchParams({ client_id: client.client_id, returnTo: redirectUri });
  location.assign(url);
}
