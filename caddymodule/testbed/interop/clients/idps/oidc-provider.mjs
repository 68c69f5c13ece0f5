// npm oidc-provider with its own development pages, on PORT, as ISSUER.
import { Provider } from 'oidc-provider';

const { PORT, ISSUER, CLIENTS } = process.env;

const registered = ({ id, redirect_uri, return_to, origin, secret }) => ({
  client_id: id,
  application_type: origin ? 'web' : 'native', // native ones get no silent logins
  redirect_uris: [redirect_uri],
  post_logout_redirect_uris: [return_to],
  ...(secret
    ? { client_secret: secret, token_endpoint_auth_method: 'client_secret_basic' }
    : { token_endpoint_auth_method: 'none' }),
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
});

const provider = new Provider(ISSUER, {
  clients: JSON.parse(CLIENTS).map(registered),
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
