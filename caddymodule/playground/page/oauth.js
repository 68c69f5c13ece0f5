// What an app and an agent share as public clients (RFC 6749 section 4.1, RFC 7636).
//
// What must hold, whoever sends somebody here or answers:
//   - A response counts only if its state is that of the login that this tab
//     began. Of any other one not a word is shown.
//   - Code and state leave the address, and so the history, before anything else
//     runs. They come in the fragment, which no server sees.
//   - Tokens are in variables only. sessionStorage keeps the verifier, state and
//     nonce for as long as the browser is away, and no longer.

const storageKey = 'playground.login';
const loggedOutKey = 'playground.logged_out';

const base64url = (octets) => btoa(String.fromCharCode(...octets)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

export const octetsOf = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

/** newSecrets makes up what only this tab knows of a login, and the challenge (PKCE). */
export async function newSecrets() {
  const random = (size) => base64url(crypto.getRandomValues(new Uint8Array(size)));
  const secrets = { verifier: random(32), state: random(16), nonce: random(16) };
  const hash = crypto.subtle && await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secrets.verifier));
  return { secrets, challenge: hash ? base64url(new Uint8Array(hash)) : '' };
}

/** leave has the browser log in: to come back with what takeResponse takes. login has secrets. */
export function leave(login, url) {
  sessionStorage.setItem(storageKey, JSON.stringify(login));
  location.assign(url);
}

/** leaveForLogout is that of a logout. */
export function leaveForLogout(url) {
  sessionStorage.setItem(loggedOutKey, 'yes');
  location.assign(url);
}

/**
 * takeResponse takes the response of a login out of the address: {params, login}, without
 * a login if this tab did not ask for it, or {loggedOut} after a logout, or null.
 */
export function takeResponse() {
  for (const source of [location.hash, location.search]) {
    const params = new URLSearchParams(source.slice(1));
    if (params.has('code') || params.has('error')) {
      history.replaceState(null, '', location.pathname);
      const login = JSON.parse(sessionStorage.getItem(storageKey));
      sessionStorage.removeItem(storageKey);
      return login && params.get('state') === login.secrets.state ? { params, login } : {};
    }
  }
  if (sessionStorage.getItem(loggedOutKey)) {
    sessionStorage.removeItem(loggedOutKey);
    return { loggedOut: true };
  }
  return null;
}

/** refusalIn is the error that came instead of a code (RFC 6749 section 4.1.2.1), or null. */
export const refusalIn = (params) => (params.has('error') ? { code: params.get('error'), text: params.get('error_description') ?? '' } : null);
