// An agent that is given the URL of an MCP server: it finds the login (RFC 9728, RFC 8414),
// registers (RFC 7591), has the user allow it, and calls a tool (MCP 2025-06-18,
// "Authorization").

import { startAttacks } from './attacks.js';
import { button, byId, el, notice } from './dom.js';
import { ask } from './gateway.js';
import { leave, newSecrets, refusalIn } from './oauth.js';
import { focusStep, goOn, refusal, showSteps, table } from './steps.js';

export function startAgent(settings, response) {
  const list = byId('agent-steps');
  const redirectURI = location.origin + settings.path;
  let agent = response ? { ...response.login.agent, refused: refusalIn(response.params) } : {};
  const attacks = startAttacks(byId('agent-attacks'), [{
    title: 'With nothing, or a stolen token', note: 'Connect the agent first.', ready: () => Boolean(agent.token),
    list: [
      { name: 'No token', why: 'The request alone.', rule: { text: 'RFC 6750 section 3', url: 'https://www.rfc-editor.org/rfc/rfc6750#section-3' }, request: () => message('tools/list') },
      {
        name: 'The token at another API', why: 'An agent’s token is for its server alone: here it goes to the app’s user info.',
        rule: { text: 'RFC 9700 section 2.3', url: 'https://www.rfc-editor.org/rfc/rfc9700#section-2.3' },
        request: () => ({ method: 'GET', path: '/userinfo', headers: { Authorization: `Bearer ${agent.token}` } }),
      },
      {
        name: 'A token with one character changed', why: 'A sealed value that somebody has altered.', rule: { text: 'RFC 6750 section 5.2', url: 'https://www.rfc-editor.org/rfc/rfc6750#section-5.2' },
        request: () => message('tools/list', {}, agent.token.slice(0, -9) + (agent.token.at(-9) === 'A' ? 'B' : 'A') + agent.token.slice(-8)),
      },
      {
        name: 'The same code again', why: 'A code that was copied, with its verifier, too.', rule: { text: 'RFC 6749 section 4.1.2', url: 'https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2' },
        request: () => agent.exchange,
      },
    ],
  }]);

  let id = 0;
  const message = (method, params = {}, token) => ({
    method: 'POST', path: settings.mcp, json: { jsonrpc: '2.0', id: ++id, method, params },
    headers: { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-06-18', ...(token && { Authorization: `Bearer ${token}` }) },
  });

  /** got asks, and ends the attempt with an answer that is not what should come. */
  async function got(request, status = 200) {
    const answer = await ask(request);
    if (answer.status !== status) {
      agent.failed = answer;
      throw new Failed();
    }
    return answer;
  }

  // Until the user is asked.
  async function begin() {
    agent = { begun: true };
    await attempt(async () => {
      const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'Playground', version: '1' } };
      agent.challenge = (await got(message('initialize', hello), 401)).header('WWW-Authenticate');
      const metadata = /resource_metadata="([^"]*)"/.exec(agent.challenge)?.[1];
      const { resource, authorization_servers: [issuer] } = (await got({ method: 'GET', path: metadata })).json;
      const { origin, pathname } = new URL(issuer);
      const server = (await got({ method: 'GET', path: `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, '')}` })).json;
      agent.found = { resource, issuer, authorization_endpoint: server.authorization_endpoint, token_endpoint: server.token_endpoint, registration_endpoint: server.registration_endpoint };
      const registration = { client_name: 'Playground', redirect_uris: [redirectURI], token_endpoint_auth_method: 'none', grant_types: ['authorization_code'], response_types: ['code'] };
      agent.client = (await got({ method: 'POST', path: server.registration_endpoint, json: registration }, 201)).json.client_id;
    }, 'The agent has registered. Now the user is asked.');
  }

  async function askUser() {
    const { secrets, challenge } = await newSecrets();
    const query = {
      response_type: 'code', response_mode: 'fragment', client_id: agent.client, redirect_uri: redirectURI,
      resource: agent.found.resource, state: secrets.state, code_challenge: challenge, code_challenge_method: 'S256',
    };
    leave({ agent, secrets }, `${agent.found.authorization_endpoint}?${new URLSearchParams(query)}`);
  }

  // With the code. The tool is the first one that takes no arguments.
  async function returned() {
    if (agent.refused) {
      focusStep(list);
      return;
    }
    agent.exchange = {
      method: 'POST', path: agent.found.token_endpoint,
      form: {
        grant_type: 'authorization_code', client_id: agent.client, redirect_uri: redirectURI, resource: agent.found.resource,
        code: response.params.get('code'), code_verifier: response.login.secrets.verifier,
      },
    };
    await attempt(async () => {
      agent.token = (await got(agent.exchange)).json.access_token;
      const tools = resultOf(await got(message('tools/list', {}, agent.token))).tools;
      agent.tools = tools.map((tool) => tool.name);
      agent.tool = tools.find((tool) => !tool.inputSchema?.required?.length)?.name;
      await call();
    }, 'The agent has called the tool.');
  }

  async function call() {
    if (agent.tool) {
      const result = resultOf(await got(message('tools/call', { name: agent.tool, arguments: {} }, agent.token)));
      agent.said = result.content.map((part) => part.text ?? part.type).join('\n');
    }
  }

  async function attempt(steps, said) {
    render();
    try {
      await steps();
    } catch (error) {
      agent.failed ??= { status: 0, json: { error: 'not what should come', error_description: error.message }, text: '' };
    }
    render(agent.failed ? 'The agent got no further.' : said);
  }

  function render(said = '') {
    const at = agent.tools ? 4 : agent.exchange || agent.refused ? 3 : agent.found ? 2 : agent.challenge ? 1 : 0;
    const again = el('div', { class: 'buttons' }, button('Begin again', begin, { class: 'primary' }));
    const failed = agent.failed && [refusal(agent.failed), again];
    const of = (step, content) => (step === at && failed ? failed : content);
    const steps = [
      {
        title: 'The agent calls the server, and is refused',
        content: settings.mcp
          ? of(0, agent.challenge
            ? el('details', {}, el('summary', {}, el('code', {}, `POST ${settings.mcp}`)), table({ status: '401', 'WWW-Authenticate': agent.challenge }))
            : [el('p', {}, 'All that it has is ', el('code', {}, settings.mcp)),
              !agent.begun && el('div', { class: 'buttons' }, button('Connect the agent', begin, { class: 'primary' }))])
          : notice('', '', 'This page has no MCP server. In its block in the Caddyfile, write: mcp https://mcp.example.com/mcp. ' +
            'In the block of protect_mcp, write: ', el('code', {}, `origin ${location.origin}`)),
      },
      {
        title: 'It finds the login',
        content: of(1, agent.found && el('details', {}, el('summary', {}, el('code', {}, agent.found.issuer)), table(agent.found, { issuer: 'the gateway, whatever the identity provider is' }))),
      },
      {
        title: 'It registers',
        content: of(2, agent.client && [
          el('details', { open: at === 2 }, el('summary', {}, el('code', {}, `POST ${agent.found.registration_endpoint}`)),
            table({ client_name: 'Playground', client_id: agent.client, redirect_uris: redirectURI }, { client_id: 'the registration itself, encrypted: the gateway stores nothing' })),
          at === 2 && el('div', { class: 'buttons' }, button('Ask the user', askUser, { class: 'primary' })),
        ]),
      },
      {
        title: agent.refused ? 'The user does not allow it' : 'The user allows it',
        content: of(3, agent.refused
          ? [notice('bad', agent.refused.code, agent.refused.text), again]
          : agent.exchange && el('details', {}, el('summary', {}, el('code', {}, `POST ${agent.found.token_endpoint}`)),
            table({ code: agent.exchange.form.code, ...(agent.token && { access_token: agent.token }) }, { access_token: 'for this server alone; the identity provider’s own stays in the gateway' }))),
      },
      {
        title: 'It calls a tool',
        content: of(4, agent.tools && [
          el('p', {}, el('code', {}, agent.tool ?? agent.tools.join(', ')), agent.tool ? ' says' : ' is what it has; each takes arguments'),
          agent.said && el('p', { class: 'said' }, agent.said),
          el('div', { class: 'buttons' },
            agent.tool && button('Call it again', () => attempt(call, `The tool says: ${agent.said}`), { class: 'primary' }),
            button('Begin again', begin)),
        ]),
      },
    ];
    showSteps(list, steps, at, said);
    attacks.render();
  }

  render();
  return { begin: () => settings.mcp && begin(), returned, goOn: () => goOn(list) };
}

/** Failed ends an attempt whose answer is shown. */
class Failed extends Error {}

/** resultOf is that of a response to JSON-RPC, which may come as an event stream. */
function resultOf({ json, text }) {
  const { result, error } = json ?? JSON.parse(/^data: ?(.*)$/m.exec(text)?.[1] ?? '{}');
  if (!result) {
    throw new Error(error?.message ?? 'The server sent no result.');
  }
  return result;
}
