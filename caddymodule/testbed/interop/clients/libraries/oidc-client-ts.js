// oidc-client-ts.
import { UserManager } from 'oidc-client-ts';

const { issuer: authority, clientId: client_id, app } = settings;
const [redirect_uri, post_logout_redirect_uri] = [`${app}/`, `${app}/`];
const manager = new UserManager({ authority, client_id, redirect_uri, post_logout_redirect_uri, scope: 'openid profile email offline_access', loadUserInfo: true });
const ready = location.search.includes('code=') ? manager.signinRedirectCallback().then(() => history.replaceState({}, '', '/')) : Promise.resolve();

export const login = () => manager.signinRedirect();
export const user = async () => (await ready, (await manager.getUser())?.profile);
export const userinfo = user;
export const refresh = async () => [(await manager.getUser()).access_token, (await manager.signinSilent()).access_token];
export const logout = () => manager.signoutRedirect();
