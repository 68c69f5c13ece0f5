// Swagger UI, for an API whose document names the gateway.
const { issuer, clientId, app } = settings;
const spec = {
  openapi: '3.1.0', info: { title: 'API', version: '1' }, paths: {},
  components: { securitySchemes: { gateway: { type: 'openIdConnect', openIdConnectUrl: `${issuer}/.well-known/openid-configuration` } } },
};

export const ui = SwaggerUIBundle({ dom_id: '#page', spec, oauth2RedirectUrl: `${app}/oauth2-redirect.html` });
ui.initOAuth({ clientId, scopes: 'openid email', usePkceWithAuthorizationCodeGrant: true });

export const user = () => ui.authSelectors.authorized().toJS();
