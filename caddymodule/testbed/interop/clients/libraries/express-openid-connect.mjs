// express-openid-connect, with the secret that its sessions are sealed with.
import express from 'express';
import oidc from 'express-openid-connect';
import { app as baseURL, clientId as clientID, clientSecret, expect, issuer as issuerBaseURL, open, serve, step } from './app.mjs';

const secret = 'of-this-test-alone-and-long-enough';
const authorizationParams = { response_type: 'code', scope: 'openid profile email offline_access' };
const app = express();
app.use(oidc.auth({ issuerBaseURL, baseURL, clientID, clientSecret, secret, authRequired: false, idpLogout: true, authorizationParams }));
app.get('/', (request, response) => response.json(request.oidc.user ?? null));
app.get('/user', async (request, response) => response.json(await request.oidc.fetchUserInfo()));
app.get('/refresh', async (request, response) => {
  const before = request.oidc.accessToken.access_token;
  response.json(before !== (await request.oidc.accessToken.refresh()).access_token);
});
const stop = await serve(app);

await step('login', async () => expect((await open('/login'))?.email, 'nobody is logged in'));
await step('userinfo', async () => expect((await open('/user')).email, 'no address'));
await step('refresh', async () => expect(await open('/refresh'), 'the access token is still the old one'));
await step('logout', async () => expect((await open('/logout')) === null, 'still logged in'));
stop();
