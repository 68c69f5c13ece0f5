// @pieces.app/pieces-os-client, the client that the wire contract was taken from.
'use strict';

const { createHash, randomBytes } = require('node:crypto');
const { Auth0Api, Configuration, MachineLearningApi } = require('@pieces.app/pieces-os-client');
const { session, step, offered, walk, expect } = require('./session.cjs');

const configuration = (more) => new Configuration({ basePath: session.gateway, ...more });
const auth = new Auth0Api(configuration());

let tokens;

/** The authorize URL that the client itself builds, taken before it is fetched. */
async function authorizeURL(request) {
  let built;
  const stop = new Error('the URL is all that was wanted');
  const api = new Auth0Api(configuration({
    fetchApi: async (url) => {
      built = url;
      throw stop;
    },
  }));
  await api.authorizeAuth0(request).catch((error) => {
    if (error !== stop && error.cause !== stop) {
      throw error;
    }
  });
  return built;
}

function newPKCE() {
  const codeVerifier = randomBytes(32).toString('base64url');
  return { codeVerifier, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') };
}

async function main() {
  let { codeVerifier, codeChallenge } = newPKCE();
  const state = randomBytes(16).toString('base64url');
  const authorize = {
    audience: session.audience,
    scope: session.scope.split(' '),
    responseType: 'code',
    clientId: session.client_id,
    codeChallengeMethod: 'S256',
    codeChallenge,
    responseMode: 'query',
    state,
    redirectUri: session.redirect_uri,
  };

  if (session.silent) {
    await step('authorize', async () => {
      const api = new Auth0Api(configuration({ headers: { Accept: 'application/json' } }));
      const resulted = await api.authorizeAuth0({ ...authorize, prompt: 'none' });
      expect(resulted.code, `no code: ${JSON.stringify(resulted)}`);
      expect(resulted.state === state, 'the state is another one');
      const { accessToken } = await auth.exchangeForAuth0Token({
        grantType: 'authorization_code',
        clientId: session.client_id,
        code: resulted.code,
        redirectUri: session.redirect_uri,
        codeVerifier,
      });
      expect(accessToken, 'there is no access token');
    });
    ({ codeVerifier, codeChallenge: authorize.codeChallenge } = newPKCE());
  }

  const loggedIn = await step('login', async () => {
    const arrived = new URLSearchParams((await walk(await authorizeURL(authorize))).params);
    expect(arrived.get('code'), `no code but ${arrived.get('error')} ${arrived.get('error_description')}`);
    expect(arrived.get('state') === state, 'the state is another one');
    tokens = await auth.exchangeForAuth0Token({
      schema: { migration: 0, semantic: 'MAJOR_0_MINOR_0_PATCH_1' },
      grantType: 'authorization_code',
      clientId: session.client_id,
      code: arrived.get('code'),
      redirectUri: session.redirect_uri,
      codeVerifier,
      audience: session.audience,
    });
    expect(tokens.accessToken, 'there is no access token');
    expect(/^bearer$/i.test(tokens.tokenType), `token_type is ${tokens.tokenType}`);
    expect(tokens.expiresIn > 0, `expires_in is ${tokens.expiresIn}`);
  });
  if (!loggedIn) {
    process.exit(1);
  }

  const userInfo = (accessToken) =>
    new Auth0Api(configuration({ accessToken: `Bearer ${accessToken}` })).getAuth0UserInfo();

  await step('userinfo', async () => {
    const user = await userInfo(tokens.accessToken);
    expect(user.email || user.name, `neither name nor email: ${JSON.stringify(user)}`);
  });

  await step('refresh', async () => {
    expect(tokens.refreshToken, 'there is no refresh token');
    // The generated method has no parameter for the token: it is added on the way.
    const fresh = await auth.exchangeForAuth0Token(
      { grantType: 'refresh_token', clientId: session.client_id, code: '', redirectUri: '', codeVerifier: '' },
      async ({ init }) => {
        for (const name of ['code', 'redirect_uri', 'code_verifier']) {
          init.body.delete(name);
        }
        init.body.set('refresh_token', tokens.refreshToken);
        return init;
      },
    );
    expect(fresh.accessToken !== tokens.accessToken, 'the access token is still the old one');
    if (offered('userinfo')) {
      await userInfo(fresh.accessToken);
    }
  });

  await step('logout', async () => {
    const page = await auth.auth0Logout({ clientId: session.client_id, returnTo: session.return_to });
    expect(typeof page === 'string', `the answer is a ${typeof page}`);
  });

  const language = new MachineLearningApi(configuration());
  const message = 'Please look at this:\n\n```python\ndef add(a, b):\n    return a + b\n```\n\nIs it right?\n';

  await step('segmentation', async () => {
    const { iterable } = await language.segmentTechnicalLanguage({ unsegmentedTechnicalLanguage: { value: message } });
    expect(iterable.map(({ generic }) => generic).join() === 'TEXT,CODE,TEXT', `segments: ${JSON.stringify(iterable)}`);
    expect(iterable.every(({ specific }) => specific == null), 'languages were not asked for');
    expect(iterable[1].fragment.string.raw.includes('def add(a, b):'), 'the code is not in its segment');
  });

  await step('classification', async () => {
    const { iterable } = await language.segmentTechnicalLanguage({
      classify: true,
      unsegmentedTechnicalLanguage: { value: message },
    });
    expect(iterable[1].specific === 'py', `the code is said to be ${iterable[1].specific}`);
  });

  await step('personification', async () => {
    const { seeds } = await language.personificationTechnicalLanguageGeneration({
      preonboardedPersonaDetails: { languages: ['Go'], personas: ['SRE'] },
    });
    expect(seeds.iterable.length > 0, 'there are no seeds');
    const [{ asset }] = seeds.iterable;
    expect(asset.format.fragment.string.raw, 'the first seed has no code');
    expect(asset.metadata.name, 'the first seed has no name');
  });
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
