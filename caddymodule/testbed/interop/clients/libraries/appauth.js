// @openid/appauth (AppAuth-JS), as a page uses it.
import * as appauth from '@openid/appauth';

const { issuer, clientId: client_id, app } = settings;
const requestor = new appauth.FetchRequestor();
const server = appauth.AuthorizationServiceConfiguration.fetchFromIssuer(issuer, requestor);
const redirect_uri = `${app}/`;
const tokenHandler = new appauth.BaseTokenRequestHandler(requestor);
let tokens;

const handler = new appauth.RedirectRequestHandler(undefined, { // as its sample: the response is in the query
  parse: ({ search }) => Object.fromEntries(new URLSearchParams(search)),
  parseQueryString: (query) => Object.fromEntries(new URLSearchParams(query)),
  stringify: (params) => new URLSearchParams(params).toString(),
});
const notifier = new appauth.AuthorizationNotifier();
handler.setAuthorizationNotifier(notifier);
const buy = async (params) => tokenHandler.performTokenRequest(await server, new appauth.TokenRequest({ client_id, redirect_uri, ...params }));
const response = new Promise((resolve) => {
  notifier.setAuthorizationListener((request, answer) => resolve({ code: answer.code, code_verifier: request.internal.code_verifier }));
});
const ready = !location.search.includes('code=') ? Promise.resolve() : handler.completeAuthorizationRequestIfPossible().then(async () => {
  const { code, code_verifier } = await response;
  tokens = await buy({ grant_type: 'authorization_code', code, extras: { code_verifier } });
});

export const login = async () => handler.performAuthorizationRequest(await server, new appauth.AuthorizationRequest({
  client_id, redirect_uri, scope: 'openid profile email offline_access', response_type: 'code',
}));
export const user = async () => (await ready, tokens && JSON.parse(atob(tokens.idToken.split('.')[1].replace(/-/g, '+').replace(/_/g, '/'))));
export const userinfo = async () => requestor.xhr({ url: (await server).userInfoEndpoint, dataType: 'json', headers: { Authorization: `Bearer ${tokens.accessToken}` } });
export const refresh = async () => [tokens.accessToken, (await buy({ grant_type: 'refresh_token', refresh_token: tokens.refreshToken })).accessToken];
