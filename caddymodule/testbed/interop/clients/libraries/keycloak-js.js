// keycloak-js, whose oidcProvider is any OpenID Provider with JWTs as access tokens and, if it gives any, as refresh tokens.
import Keycloak from 'keycloak-js';

const { issuer: oidcProvider, clientId, app } = settings;
const keycloak = new Keycloak({ oidcProvider, clientId });
const ready = keycloak.init({ checkLoginIframe: false, pkceMethod: 'S256', scope: 'profile email' });

export const login = () => ready.then(() => keycloak.login({ redirectUri: `${app}/` }));
export const user = async () => (await ready, keycloak.idTokenParsed);
export const userinfo = () => keycloak.loadUserInfo();
export const logout = () => keycloak.logout({ redirectUri: `${app}/` });
