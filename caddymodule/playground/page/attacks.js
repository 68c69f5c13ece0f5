// Attacks on a login, each a request that a thief or a careless app would make, and
// what the gateway answers. They are sent to this site only, one at a time, when
// somebody presses the button.

import { announce, button, el, outside } from './dom.js';
import { isServed, operations, reason, send } from './gateway.js';

const rfc = (number, section) => ({ text: `RFC ${number} section ${section}`, url: `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}` });

/** On the way to the identity provider: a request that begins a login, and what is changed in it. */
const beginnings = [
  {
    name: 'No PKCE', why: 'A stolen code would be good for whoever has it.', rule: rfc(9700, '2.1.1'),
    change: { code_challenge: null, code_challenge_method: null },
  },
  {
    name: 'PKCE with plain', why: 'The challenge would be the verifier: whoever sees the request has it.', rule: rfc(7636, '4.2'),
    change: { code_challenge_method: 'plain' },
  },
  {
    name: 'A token instead of a code', why: 'The implicit flow leaves tokens in addresses and histories.', rule: rfc(9700, '2.1.2'),
    change: { response_type: 'token' },
  },
  {
    name: 'Another redirect URI', why: 'The code would go to the thief’s own site.', rule: rfc(9700, '2.1'),
    change: { redirect_uri: 'https://attacker.example/callback' },
  },
  {
    name: 'Nearly the redirect URI', why: 'Lenient matching lets a path or a query of the thief’s pass.', rule: rfc(9700, '4.1.3'),
    change: { redirect_uri: (uri) => `${uri}/../?next=https://attacker.example` },
  },
  {
    name: 'redirect_uri twice', why: 'One is checked, and the other one used.', rule: rfc(6749, '3.1'),
    append: { redirect_uri: 'https://attacker.example/callback' },
  },
  {
    name: 'A request object', why: 'It would replace everything that was checked.', rule: { text: 'OpenID Connect Core section 6', url: 'https://openid.net/specs/openid-connect-core-1_0.html#JWTRequests' },
    change: { request_uri: 'https://attacker.example/request.jwt' },
  },
  {
    name: 'No state', why: 'Somebody could finish the thief’s login in your browser.', rule: rfc(6749, '10.12'),
    change: { state: null }, passes: 'Allowed here: PKCE and the nonce protect this login.',
  },
  {
    name: 'Another spelling of the path', why: 'A server behind the gateway may read /AUTHORIZE as /authorize, unchecked.', rule: rfc(3986, '6.2'),
    path: operations.authorize.toUpperCase(), change: { code_challenge: null, code_challenge_method: null },
  },
];

/** With a code: a token request, and what is changed in it. */
const exchanges = [
  {
    name: 'The verifier of another login', why: 'A stolen code, put into the thief’s own login.', rule: rfc(7636, '4.6'),
    change: { code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' },
  },
  { name: 'No verifier', why: 'The code alone.', rule: rfc(7636, '4.5'), change: { code_verifier: null } },
  {
    name: 'The identity provider’s own code', why: 'One that was stolen before it was sealed. (This page can’t see it, and makes one up.)', rule: rfc(9700, '4.5'),
    change: { code: 'SplxlOBeZQQYbYS6WxSbIA' },
  },
  {
    name: 'A code with one character changed', why: 'A sealed value that somebody has altered.', rule: rfc(6749, '10.10'),
    change: { code: (code) => code.slice(0, -9) + (code.at(-9) === 'A' ? 'B' : 'A') + code.slice(-8) },
  },
  {
    name: 'Another redirect URI', why: 'The code was issued to this one only.', rule: rfc(6749, '4.1.3'),
    change: { redirect_uri: 'https://attacker.example/callback' },
  },
  { name: 'Another client', why: 'A client that got hold of a code that is not its own.', rule: rfc(6749, '4.1.3'), change: { client_id: 'another-client' } },
  { name: 'Parameters in the URL', why: 'Codes and verifiers would be in every access log.', rule: rfc(6749, '3.2'), inQuery: true },
];

/** After the exchange. */
const afterwards = [
  { name: 'The same code again', why: 'A code that was copied, with its verifier, too.', rule: rfc(6749, '4.1.2'), change: {} },
  {
    name: 'A token in the URL', why: 'Tokens would be in logs, histories and Referer. (Sent with a made-up one.)', rule: rfc(9700, '4.3.2'),
    request: () => ({ method: 'GET', path: operations.userInfo, query: { access_token: 'made-up' } }),
  },
  {
    name: 'No token', why: 'The request alone.', rule: rfc(6750, '3'),
    request: () => ({ method: 'GET', path: operations.userInfo }),
  },
];

/**
 * attacksOnLogin are groups of attacks on a login: authorize makes the parameters of a new
 * one, exchange is the token request with its code or undefined, spent says whether that
 * code was exchanged.
 */
export function attacksOnLogin(login) {
  async function authorizeRequest(attack) {
    const params = new URLSearchParams(changed(await login.authorize(), attack.change));
    for (const [name, value] of Object.entries(attack.append ?? {})) {
      params.append(name, value);
    }
    return { method: 'GET', path: attack.path ?? operations.authorize, query: params, headers: { Accept: 'application/json' } };
  }

  function tokenRequest(attack) {
    const form = changed(login.exchange(), attack.change);
    return attack.inQuery
      ? { method: 'POST', path: operations.token, query: changed(form, { code: 'a-code', code_verifier: 'a-verifier' }), form: {} }
      : { method: 'POST', path: operations.token, form };
  }

  const stolen = { title: 'With a stolen code', note: 'Log in, and try these before the exchange.', list: exchanges, first: () => login.exchange(), ready: () => login.exchange() && !login.spent(), request: tokenRequest };
  const before = { title: 'Before the login', note: '', list: beginnings, ready: () => true, request: authorizeRequest };
  const after = { title: 'Afterwards', note: 'Log in and exchange the code first.', list: afterwards, first: login.spent, ready: () => login.spent(), request: tokenRequest };
  return [before, stolen, after];
}

/**
 * startAttacks fills the container with groups: {title, note, list, ready, first, request}. The last
 * one whose time has come, which first says, stands first.
 */
export function startAttacks(container, groups) {
  const outcomes = new Map(); // attack to outcome

  async function run(attack, group) {
    const request = await (attack.request ?? group.request)(attack);
    let outcome;
    try {
      const answer = await send(request);
      outcome = { request, answer, ...judge(answer, attack) };
    } catch (error) {
      outcome = { request, verdict: 'failed', text: `The gateway can't be reached: ${error.message}` };
    }
    outcomes.set(attack, outcome);
    return outcome;
  }

  async function runAll(group) {
    for (const attack of group.list) {
      await run(attack, group);
      render();
    }
    const refused = group.list.filter((attack) => outcomes.get(attack).verdict === 'refused').length;
    announce(`${refused} of ${group.list.length} were refused.`);
  }

  function render() {
    const focused = container.contains(document.activeElement) ? document.activeElement.id : '';
    const sections = groups.map((group, g) => el('section', { 'aria-labelledby': `${container.id}-${g}` },
      el('header', {},
        el('h2', { id: `${container.id}-${g}` }, group.title),
        group.ready()
          ? button('Try all', () => runAll(group), { id: `try-${container.id}-${g}`, class: 'quiet', 'aria-label': `Try all: ${group.title}` })
          : el('span', { class: 'hint' }, group.note)),
      el('ul', {}, group.list.map((attack, a) => entry(attack, outcomes.get(attack), group.ready() && button('Try', async () => {
        const { verdict, text } = await run(attack, group);
        render();
        announce(`${attack.name}: ${verdict}. ${text}`);
      }, { id: `try-${container.id}-${g}-${a}`, class: 'quiet', 'aria-label': `Try: ${attack.name}` }))))),
    );
    const first = groups.findLastIndex((group) => group.first?.());
    container.replaceChildren(...(first > 0 ? sections.splice(first, 1) : []), ...sections);
    if (focused) {
      document.getElementById(focused)?.focus();
    }
  }

  return { render };
}

/** changed replaces parameters, or leaves them out (null). A function gets the old value. */
function changed(params, change = {}) {
  const result = { ...params };
  for (const [name, to] of Object.entries(change)) {
    if (to === null) {
      delete result[name];
    } else {
      result[name] = typeof to === 'function' ? to(result[name]) : to;
    }
  }
  return result;
}

/**
 * judge reads an answer. That the identity provider wants a person (or answered)
 * means that the gateway has let the request pass.
 */
function judge(answer, attack) {
  const { code, text } = reason(answer);
  if (!isServed(answer) && answer.status !== 404) {
    return { verdict: 'failed', code: '', text: 'This site has no login.' };
  }
  const passed = answer.status < 400 || code === 'interaction_required' || code === 'login_required' || code === 'consent_required';
  if (passed) {
    return { verdict: attack.passes ? 'allowed' : 'passed', code: '', text: attack.passes ?? 'The gateway let it pass.' };
  }
  return answer.status === 404
    ? { verdict: 'refused', code: '404', text: 'No handler of this site gets to see it.' }
    : { verdict: 'refused', code: `${answer.status} ${code}`, text };
}

function entry(attack, outcome, tryButton) {
  return el('li', { class: 'attack', 'data-verdict': outcome?.verdict },
    el('div', { class: 'attack-head' },
      el('div', {}, el('h3', {}, attack.name), el('p', {}, attack.why)),
      tryButton),
    outcome && el('dl', { class: 'params' },
      el('div', {}, el('dt', {}, 'sent'), el('dd', {}, el('span', { class: 'value' }, sent(outcome.request, attack)))),
      el('div', {}, el('dt', {}, el('span', { class: 'verdict' }, outcome.verdict)), el('dd', {},
        outcome.code && el('span', { class: 'value' }, outcome.code),
        el('span', {}, outcome.text))),
      el('div', {}, el('dt', {}, 'rule'), el('dd', {}, outside(attack.rule.url, attack.rule.text))),
    ));
}

/** sent says what is different about a request. */
function sent(request, attack) {
  const changes = Object.entries({ ...attack.change, ...attack.append }).map(([name, to]) => {
    if (to === null) {
      return `without ${name}`;
    }
    const value = new URLSearchParams(request.form ?? request.query).getAll(name).at(-1);
    return `${attack.append ? 'and ' : ''}${name}=${name === 'code' && value.length > 24 ? `${value.slice(0, 6)}…${value.slice(-12)}` : value}`;
  });
  if (attack.inQuery) {
    changes.push('?code=…&code_verifier=…');
  }
  if (attack.request && request.query) {
    changes.push(`?${new URLSearchParams(request.query)}`);
  }
  return [`${request.method} ${request.path}`, ...changes].join(' ');
}
