// What an app of NextAuth.js has to say of the gateway.
const [issuer, clientId, clientSecret] = [process.env.ISSUER, process.env.CLIENT_ID, process.env.CLIENT_SECRET];

export const authOptions = {
  providers: [{
    id: 'gateway', name: 'Gateway', type: 'oauth', wellKnown: `${issuer}/.well-known/openid-configuration`, clientId, clientSecret,
    idToken: true, checks: ['pkce', 'state', 'nonce'], authorization: { params: { scope: 'openid email' } },
    profile: ({ sub, email }) => ({ id: sub, email }),
  }],
};
