// A login through the gateway as a public client makes it, one step at a time. The page
// goes nowhere but to this site's own /authorize and /v2/logout.

import { attacksOnLogin, startAttacks } from './attacks.js';
import { button, byId, copyButton, el, notice, shortened } from './dom.js';
import { ask, isServed, operations, reason } from './gateway.js';
import { leave, leaveForLogout, newSecrets, octetsOf, refusalIn } from './oauth.js';
import { focusStep, goOn, refusal, showSteps, table } from './steps.js';

export function startLogin(settings, response) {
  const list = byId('steps');
  const redirectURI = location.origin + settings.path;
  const fresh = { app: { client_id: settings.client, scope: settings.scope, audience: '' } };
  let login = response ? received(response, fresh) : fresh;
  const attacks = startAttacks(byId('attacks'), attacksOnLogin({
    authorize: async () => (await newRequest(login.app, redirectURI)).params,
    exchange: () => login.exchange,
    spent: () => Boolean(login.tokens),
  }));

  // What the button of the step at hand does.
  async function check(event) {
    event?.preventDefault();
    const form = byId('app');
    if (form) {
      login.app = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
    }
    login = { app: login.app, ...(await newRequest(login.app, redirectURI)) };
    const answer = await ask({ method: 'GET', path: operations.authorize, query: login.params, redirect: 'manual' });
    if (!answer.redirects && !answer.text.includes('/oauth/consent')) { // the gateway's own page
      login.rejected = answer;
    }
    render('The gateway was asked.');
  }

  function goToIdP() {
    leave(login, `${operations.authorize}?${new URLSearchParams(login.params)}`);
  }

  // From the first view: as far as there is nothing to decide.
  async function begin() {
    if (!settings.client) {
      return;
    }
    login = fresh;
    render();
    await check();
    if (!login.rejected) {
      goToIdP();
    }
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
    leaveForLogout(`${operations.logout}?${new URLSearchParams(query)}`);
  }

  function again() {
    login = { app: login.app };
    render('Ready for another login.');
  }

  function render(said = '') {
    const steps = [asking, checking, returning, exchanging, knowing].map((step) => step(login, { redirectURI, check, goToIdP, exchange, logOut, again }));
    showSteps(list, steps, stepOf(login), said);
    attacks.render();
  }

  render();
  return { begin, returned: () => focusStep(list), goOn: () => goOn(list) };
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

/** newRequest is the request that a login begins with, and its secrets. */
async function newRequest(app, redirectURI) {
  const { secrets, challenge } = await newSecrets();
  const params = {
    response_type: 'code',
    response_mode: 'fragment',
    client_id: app.client_id,
    redirect_uri: redirectURI,
    scope: app.scope,
    ...(app.audience && { audience: app.audience }),
    state: secrets.state,
    ...(app.scope.split(' ').includes('openid') && { nonce: secrets.nonce }),
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  return { params, secrets };
}

/**
 * forwarded is where a gateway that lets a login pass sends the browser. Scripts can't see a
 * redirect; asked for a login that needs nobody (prompt=none), the gateway names the URL in
 * an error (ResultedPKCE).
 */
async function forwarded(params) {
  const { json } = await ask({ method: 'GET', path: operations.authorize, query: { ...params, prompt: 'none' }, headers: { Accept: 'application/json' } });
  return json?.error_uri ? new URL(json.error_uri, location.origin) : null;
}

/** received is the login that a response belongs to, or one that says that there is none. */
function received({ params, login, loggedOut }, fresh) {
  if (!login) {
    return { ...fresh, loggedOut, ignored: !loggedOut };
  }
  const refused = refusalIn(params);
  const { client_id, redirect_uri } = login.params;
  return refused ? { ...login, refused } : {
    ...login,
    exchange: { grant_type: 'authorization_code', client_id, redirect_uri, code_verifier: login.secrets.verifier, code: params.get('code') },
  };
}

// The steps: each returns its title and what is shown.

function asking(login, { redirectURI, check }) {
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
      ? el('form', { id: 'app', onsubmit: check },
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
  const { rejected } = login;
  if (rejected) {
    return {
      title: 'The gateway refuses',
      content: [refusal(rejected), whatToAdd(rejected, login.app, redirectURI), el('div', { class: 'buttons' }, button('Begin again', again, { class: 'primary' }))],
    };
  }
  const more = el('details', { ontoggle: () => showForwarded(login, more) }, el('summary', {}, 'What the identity provider is sent'));
  return {
    title: 'The gateway checks, and sends the browser on',
    content: login.params && [
      more,
      !login.exchange && !login.refused && el('div', { class: 'buttons' }, button('Go on to the identity provider', goToIdP, { class: 'primary' }), button('Begin again', again)),
    ],
  };
}

async function showForwarded(login, details) {
  if (details.childElementCount > 1) {
    return;
  }
  const shown = el('div');
  details.append(shown);
  const to = await forwarded(login.params);
  if (!to) {
    shown.append(el('p', {}, 'The gateway does not say.'));
    return;
  }
  const params = Object.fromEntries(to.searchParams);
  const sealed = params.redirect_uri !== login.params.redirect_uri;
  shown.append(table({ 'sent to': to.origin + to.pathname, ...params }, {
    state: sealed && 'this login, sealed: client, redirect URI, challenge, state and nonce, encrypted. The gateway remembers nothing',
    redirect_uri: sealed ? 'the gateway’s callback: the identity provider sends its code to the gateway, never to this page' : 'this page: without callback the code is not sealed',
    client_id: params.client_id !== login.params.client_id && 'the gateway’s own client there',
  }));
}

/** isSealed says whether a code is one that the gateway has sealed, by its version and hour. */
function isSealed(code) {
  try {
    const [version, , , , ...hour] = octetsOf(code.slice(0, 12));
    return version === 1 && Math.abs(hour.slice(0, 4).reduce((n, octet) => n * 256 + octet) - Date.now() / 3600e3) < 2;
  } catch { // not base64url
    return false;
  }
}

function returning(login, { again }) {
  if (login.refused) {
    return {
      title: 'The login ended with an error',
      content: [notice('bad', login.refused.code, login.refused.text), el('div', { class: 'buttons' }, button('Begin again', again, { class: 'primary' }))],
    };
  }
  const { code } = login.exchange ?? {};
  const sealed = !code || isSealed(code);
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
        button('Begin again', again, { class: exchangeRefused && 'primary' })),
    ],
  };
}

function knowing(login, { logOut, again }) {
  if (!login.tokens) {
    return { title: 'Tokens, and who the user is' };
  }
  const { access_token: access, id_token: id, refresh_token: refresh, expires_in: expires } = login.tokens;
  const claims = id ? claimsOf(id) : null;
  return {
    title: 'Tokens, and who the user is',
    content: [
      login.user.status === 200 && el('p', {}, 'You are ', el('strong', {}, login.user.json.name ?? login.user.json.sub), '.'),
      el('div', { class: 'buttons' }, button('Log out', logOut, { class: 'primary' }), button('Begin again', again)),
      login.user.status !== 200 && refusal(login.user),
      el('details', { open: true }, el('summary', {}, 'What the app has'), table({
        access_token: access,
        ...(expires && { expires_in: `${expires} seconds` }),
        ...(refresh && { refresh_token: `${shortened(refresh)}, sealed to this client` }),
        ...(claims && { id_token: `${claims.iss}, ${claims.sub}`, nonce: claims.nonce === login.secrets.nonce ? 'the one that was sent ✓' : 'NOT the one that was sent' }),
        ...(login.user.status === 200 && flat(login.user.json)),
      })),
    ],
  };
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

/** claimsOf reads an ID token, which came from the gateway itself (OpenID Connect Core 3.1.3.7). */
function claimsOf(token) {
  try {
    return JSON.parse(new TextDecoder().decode(octetsOf(token.split('.')[1])));
  } catch { // an encrypted one
    return null;
  }
}

const flat = (claims) => Object.fromEntries(Object.entries(claims ?? {}).map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]));
