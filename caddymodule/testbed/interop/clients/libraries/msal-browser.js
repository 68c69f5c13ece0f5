// @azure/msal-browser.
import { ProtocolMode, PublicClientApplication } from '@azure/msal-browser';

const { issuer: authority, clientId, app } = settings;
const client = new PublicClientApplication({
  auth: { clientId, authority, knownAuthorities: [new URL(authority).host], redirectUri: `${app}/` },
  system: { protocolMode: ProtocolMode.OIDC },
});
const scopes = ['openid', 'profile', 'email', 'offline_access'];
const ready = client.initialize().then(() => client.handleRedirectPromise());
const account = () => client.getAllAccounts()[0];

export const login = () => ready.then(() => client.loginRedirect({ scopes }));
export const user = async () => (await ready, account()?.idTokenClaims);
export const refresh = async () => [
  (await client.acquireTokenSilent({ account: account(), scopes })).accessToken,
  (await client.acquireTokenSilent({ account: account(), scopes, forceRefresh: true })).accessToken,
];
export const logout = () => client.logoutRedirect({ account: account(), postLogoutRedirectUri: `${app}/` });
