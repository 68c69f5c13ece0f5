// npm oidc-provider with its own development pages, on PORT, as ISSUER.
import { Provider } from 'oidc-provider';

const { PORT, ISSUER, REDIRECT_URI, RETURN_TO, SPA_URL } = process.env;

const publicClient = (client_id, application_type, redirect_uri, return_to) => ({
  client_id,
  application_type,
  redirect_uris: [redirect_uri],
  post_logout_redirect_uris: [return_to],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
});

const provider = new Provider(ISSUER, {
  clients: [
    publicClient('native', 'native', REDIRECT_URI, RETURN_TO),
    publicClient('spa', 'native', SPA_URL, SPA_URL),
  ],
  cookies: { keys: ['for tests only'] },
  claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
  features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
  // By itself it drops the scope offline_access unless the client also sends prompt=consent.
  issueRefreshToken: async (ctx, client) => client.grantTypeAllowed('refresh_token'),
  findAccount: (ctx, sub) => ({
    accountId: sub,
    claims: () => ({ sub, name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true }),
  }),
});
provider.listen(Number(PORT), 'localhost');
