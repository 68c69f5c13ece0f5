// A login through the gateway as a public client makes it (RFC 6749 section 4.1,
// RFC 7636, OpenID Connect Core), one step at a time.
//
// What must hold, whoever sends somebody here or answers:
//   - A response counts only if its state is that of the login that this tab
//     began. Of any other one not a word is shown.
//   - Code and state leave the address, and so the history, before anything else
//     runs. They come in the fragment, which no server sees.
//   - Tokens are in variables only. sessionStorage keeps the verifier, state and
//     nonce for as long as the browser is away, and no longer.
//   - The page goes nowhere but to this site's own /authorize and /v2/logout.

import { startAttacks } from './attacks.js';
import { announce, button, byId, copyButton, el, notice, shortened } from './dom.js';
import { isServed, operations, reason, send } from './gateway.js';

const storageKey = 'playground.login';
const loggedOutKey = 'playground.logged_out';

/**
 * takeResponse takes the response of a login out of the address: {params, pending},
 * or {loggedOut} after a logout, or null.
 */
export function takeResponse() {
  for (const source of [location.hash, location.search]) {
    const params = new URLSearchParams(source.slice(1));
    if (params.has('code') || params.has('error')) {
      history.replaceState(null, '', location.pathname);
      const pending = JSON.parse(sessionStorage.getItem(storageKey));
      sessionStorage.removeItem(storageKey);
      return { params, pending };
    }
  }
  if (sessionStorage.getItem(loggedOutKey)) {
    sessionStorage.removeItem(loggedOutKey);
    return { loggedOut: true };
  }
  return null;
}

export function startLogin(settings, response) {
  const redirectURI = location.origin + settings.path;
  let login = { app: { client_id: settings.client, scope: settings.scope, audience: settings.audience } };
  if (response) {
    login = received(response, login);
  }
  const attacks = startAttacks(byId('attacks'), {
    authorize: async () => (await newRequest(login.app, redirectURI)).params,
    exchange: () => login.exchange,
    spent: () => Boolean(login.tokens),
  });

  // What the button of the step at hand does.
  async function begin(event) {
    event?.preventDefault();
    const form = byId('app');
    if (form) {
      login.app = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
    }
    login = { app: login.app, ...(await newRequest(login.app, redirectURI)) };
    login.preview = await preview(login.params);
    if (login.preview.code) {
      login = arrived(login, new URLSearchParams({ code: login.preview.code, state: login.preview.state }));
    }
    render('The gateway was asked where it would send the browser.');
  }

  function goToIdP() {
    const { app, params, secrets, preview: { forwarded } } = login;
    sessionStorage.setItem(storageKey, JSON.stringify({ app, params, secrets, preview: { forwarded } }));
    location.assign(`${operations.authorize}?${new URLSearchParams(params)}`);
  }

  async function exchange() {
    const answer = await ask({ method: 'POST', path: operations.token, form: login.exchange });
    if (answer.status === 200) {
      login.tokens = answer.json;
      login.exchangeRefused = null;
      const header = { Authorization: `Bearer ${login.tokens.access_token}` };
      login.user = await ask({ method: 'GET', path: operations.userInfo, headers: header });
    } else {
      login.exchangeRefused = answer;
    }
    render(answer.status === 200 ? 'The code was exchanged for tokens.' : 'The exchange was refused.');
  }

  function logOut() {
    const query = { client_id: login.app.client_id, returnTo: redirectURI };
    sessionStorage.setItem(loggedOutKey, 'yes');
    location.assign(`${operations.logout}?${new URLSearchParams(query)}`);
  }

  function again() {
    login = { app: login.app };
    render('Ready for another login.');
    byId('app').querySelector('input').focus();
  }

  function render(said = '') {
    const steps = [asking, checking, returning, exchanging, knowing];
    const at = stepOf(login);
    byId('steps').replaceChildren(...steps.map((step, i) => {
      const { title, content } = step(login, { redirectURI, begin, goToIdP, exchange, logOut, again });
      const state = i < at ? 'done' : i === at ? 'current' : 'todo';
      return el('li', { class: 'step', 'data-state': state, 'aria-current': state === 'current' && 'step' },
        el('h3', {}, title), i <= at && content);
    }));
    attacks.render();
    if (said) {
      announce(said);
      byId('steps').querySelector('[data-state=current] .primary')?.focus();
    }
  }

  render();
  return { goOn: () => byId('steps').querySelector('[data-state=current] .primary')?.click() };
}

/** stepOf is the number of the step that a login is at. */
function stepOf(login) {
  if (login.tokens) {
    return 4;
  }
  if (login.exchange) {
    return 3;
  }
  if (login.refused) {
    return 2;
  }
  return login.params ? 1 : 0;
}

/** newRequest makes up the secrets of a login, and the request that it begins with. */
async function newRequest(app, redirectURI) {
  const random = (size) => base64url(crypto.getRandomValues(new Uint8Array(size)));
  const secrets = { verifier: random(32), state: random(16), nonce: random(16) };
  const hash = crypto.subtle && await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secrets.verifier));
  const params = {
    response_type: 'code',
    response_mode: 'fragment',
    client_id: app.client_id,
    redirect_uri: redirectURI,
    scope: app.scope,
    ...(app.audience && { audience: app.audience }),
    state: secrets.state,
    ...(app.scope.split(' ').includes('openid') && { nonce: secrets.nonce }),
    code_challenge: hash ? base64url(new Uint8Array(hash)) : '',
    code_challenge_method: 'S256',
  };
  return { params, secrets };
}

const base64url = (octets) => btoa(String.fromCharCode(...octets)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/**
 * preview asks the gateway for the result of a login that needs nobody (prompt=none).
 * A gateway that would let the login pass names the URL at the identity provider
 * (ResultedPKCE); the browser could not see that redirect otherwise.
 */
async function preview(params) {
  const answer = await ask({
    method: 'GET', path: operations.authorize, query: { ...params, prompt: 'none' }, headers: { Accept: 'application/json' },
  });
  if (answer.status === 200 && answer.json?.code) {
    return answer.json;
  }
  const uri = answer.json?.error_uri;
  if (uri) {
    const url = new URL(uri, location.origin);
    return { forwarded: { to: url.origin + url.pathname, params: Object.fromEntries(url.searchParams) } };
  }
  return passedOn.has(answer.json?.error) ? {} : { refused: answer };
}

/** Errors with which an identity provider, or consent, asks for a person. */
const passedOn = new Set(['interaction_required', 'login_required', 'consent_required', 'account_selection_required']);

/** ask is send, with an answer also where there is none. */
async function ask(request) {
  try {
    return await send(request);
  } catch (error) {
    return { status: 0, text: '', json: { error: 'no answer', error_description: `The gateway can't be reached: ${error.message}` } };
  }
}

/** received is the login that a response belongs to, or one that says that there is none. */
function received({ params, pending, loggedOut }, fresh) {
  if (loggedOut) {
    return { ...fresh, loggedOut };
  }
  if (!pending || params.get('state') !== pending.secrets.state) {
    return { ...fresh, ignored: true };
  }
  return arrived(pending, params);
}

function arrived(login, params) {
  if (params.has('error')) {
    return { ...login, refused: { code: params.get('error'), text: params.get('error_description') ?? '' } };
  }
  return {
    ...login,
    exchange: {
      grant_type: 'authorization_code',
      client_id: login.params.client_id,
      redirect_uri: login.params.redirect_uri,
      code_verifier: login.secrets.verifier,
      code: params.get('code'),
    },
  };
}

// The steps: each returns its title and what is shown.

function asking(login, { redirectURI, begin }) {
  const field = (name, label, properties) => el('p', {}, el('label', { for: `app-${name}` }, label),
    el('input', { id: `app-${name}`, name, value: login.app[name], spellcheck: 'false', autocapitalize: 'off', ...properties }));
  if (login.params) {
    return {
      title: 'The app asks',
      content: el('details', {}, el('summary', {}, el('code', {}, `GET ${operations.authorize}`)), table(login.params, {
        code_challenge: 'SHA-256 of a verifier that stays in this tab (PKCE)',
        state: 'ties the response to this tab',
        nonce: 'ties the ID token to this login',
        response_mode: 'so that no server sees the response',
        redirect_uri: 'this page',
      })),
    };
  }
  return {
    title: 'The app asks',
    content: crypto.subtle
      ? el('form', { id: 'app', onsubmit: begin },
        login.loggedOut && notice('', '', 'You are logged out.'),
        login.ignored && notice('warn', '', 'A response came that this tab did not ask for: its state is not that of a login that began here. It was thrown away unread (RFC 6749 section 10.12). Somebody may have sent you the link.'),
        field('client_id', 'Client', { required: true, autocomplete: 'off' }),
        field('scope', 'Scope', { autocomplete: 'off' }),
        field('audience', 'Audience', { autocomplete: 'off', placeholder: 'optional' }),
        el('p', { class: 'hint' }, 'The client must be registered at the gateway with the redirect URI ', el('code', {}, redirectURI), '.'),
        el('div', { class: 'buttons' }, el('button', { type: 'submit', class: 'primary' }, 'Begin a login')))
      : notice('warn', '', 'Browsers offer SHA-256, which PKCE needs, over https and on localhost only. Open this page there.'),
  };
}

function checking(login, { redirectURI, goToIdP, again }) {
  const { forwarded, refused } = login.preview ?? {};
  const done = Boolean(login.exchange || login.refused);
  return {
    title: refused ? 'The gateway refuses' : 'The gateway checks, and sends the browser on',
    content: refused
      ? [refusal(refused), whatToAdd(refused, login.app, redirectURI), el('div', { class: 'buttons' }, button('Begin again', again, { class: 'primary' }))]
      : [
        forwarded && forwardedTo(login, forwarded, done),
        !done && el('div', { class: 'buttons' }, button('Go on to the identity provider', goToIdP, { class: 'primary' }), button('Begin again', again)),
      ],
  };
}

/** isSealed says whether the gateway has callback: the identity provider's code goes there, and not here. */
const isSealed = ({ params, preview }) => !params || preview?.forwarded?.params.redirect_uri !== params.redirect_uri;

function forwardedTo(login, { to, params }, folded) {
  const sealed = isSealed(login);
  return el('details', { open: !folded }, el('summary', {}, el('code', {}, `302 to ${to}`)), table(params, {
    state: sealed && 'this login, sealed: client, redirect URI, challenge, state and nonce, encrypted. The gateway remembers nothing',
    redirect_uri: sealed ? 'the gateway’s callback: the identity provider sends its code to the gateway, never to this page' : 'this page: without callback the code is not sealed',
    client_id: params.client_id !== login.params.client_id && 'the gateway’s own client there',
  }));
}

function returning(login, { again }) {
  if (login.refused) {
    return {
      title: 'The login ended with an error',
      content: [notice('bad', login.refused.code, login.refused.text), el('div', { class: 'buttons' }, button('Begin again', again, { class: 'primary' }))],
    };
  }
  const { code } = login.exchange ?? {};
  const sealed = isSealed(login);
  return {
    title: sealed ? 'A sealed code comes back' : 'A code comes back',
    content: code && [
      el('details', { open: !login.tokens },
        el('summary', {}, el('code', {}, `code = ${shortened(code)}`)),
        table({
          'state': 'the one that was sent ✓',
          'the address': 'without code and state again: nothing is left in the history',
        }),
        el('p', {}, sealed
          ? 'The identity provider’s own code went to the gateway only. What came here is that code, encrypted together with the client, redirect URI, challenge and nonce of this login (AES-256-GCM). It is good for a minute, once, and for nobody without the verifier.'
          : 'It is the identity provider’s own. Without callback it is up to the identity provider whether a stolen one is good for something: the attacks below go on to it, and may spend the code.'),
      ),
    ],
  };
}

function exchanging(login, { exchange, again }) {
  const { tokens, exchangeRefused } = login;
  return {
    title: 'The exchange',
    content: login.exchange && [
      el('details', { open: !tokens }, el('summary', {}, el('code', {}, `POST ${operations.token}`)), table(login.exchange, {
        code_verifier: 'shown to nobody before; its SHA-256 must be the challenge',
      })),
      exchangeRefused && refusal(exchangeRefused),
      !tokens && el('div', { class: 'buttons' },
        !exchangeRefused && button('Exchange the code', exchange, { class: 'primary' }),
        button('Begin again', again, { class: exchangeRefused ? 'primary' : '' })),
    ],
  };
}

function knowing(login, { logOut, again }) {
  if (!login.tokens) {
    return { title: 'Tokens, and who it is' };
  }
  const { access_token: access, id_token: id, refresh_token: refresh, expires_in: expires } = login.tokens;
  const claims = id ? claimsOf(id) : null;
  return {
    title: 'Tokens, and who it is',
    content: [
      table({
        access_token: shortened(access),
        ...(expires && { expires_in: `${expires} seconds` }),
        ...(refresh && { refresh_token: `${shortened(refresh)}, sealed to this client` }),
        ...(claims && { id_token: `${claims.iss}, ${claims.sub}`, nonce: claims.nonce === login.secrets.nonce ? 'the one that was sent ✓' : 'NOT the one that was sent' }),
      }),
      login.user.status === 200
        ? el('details', { open: true }, el('summary', {}, el('code', {}, `GET ${operations.userInfo}`)), table(flat(login.user.json)))
        : refusal(login.user),
      el('div', { class: 'buttons' }, button('Log out', logOut), button('Begin again', again)),
    ],
  };
}

function refusal(answer) {
  if (!isServed(answer)) {
    return notice('bad', 'Nobody answers here', 'This site has no login.');
  }
  const { code, text } = reason(answer);
  return notice('bad', `${answer.status || ''} ${code}`.trim(), text);
}

/** whatToAdd says which lines a Caddyfile lacks. */
function whatToAdd(answer, app, redirectURI) {
  const { text } = reason(answer);
  let lines = '';
  if (!isServed(answer)) {
    lines = 'identity_gateway https://your-identity-provider.example';
  } else if (/registered|redirect_uri/.test(text)) {
    const id = app.client_id || '<id>';
    lines = `client ${id} {\n\tredirect_uri ${redirectURI}\n\tidp_client ${id} { # with callback\n\t\tsecret {env.CLIENT_SECRET}\n\t}\n}`;
  }
  return lines && el('div', {}, el('p', {}, isServed(answer) ? 'In the block of identity_gateway:' : 'In the site’s block:'),
    el('figure', { class: 'listing' }, el('figcaption', {}, 'Caddyfile', copyButton('Copy', () => lines)), el('pre', {}, el('code', {}, lines))));
}

/** table shows parameters, with notes on some of them. Secrets are shortened. */
function table(params, notes = {}) {
  return el('dl', { class: 'params' }, Object.entries(params).map(([name, value]) => el('div', {},
    el('dt', {}, name),
    el('dd', {}, el('span', { class: 'value' }, secret.has(name) && value.length > 24 ? shortened(value) : String(value)),
      notes[name] && el('small', {}, notes[name])),
  )));
}

const secret = new Set(['code', 'code_verifier', 'code_challenge', 'state', 'nonce']);

/** claimsOf reads an ID token, which came from the gateway itself (OpenID Connect Core 3.1.3.7). */
function claimsOf(token) {
  try {
    const octets = Uint8Array.from(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(octets));
  } catch { // an encrypted one
    return null;
  }
}

const flat = (claims) => Object.fromEntries(Object.entries(claims ?? {}).map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]));
