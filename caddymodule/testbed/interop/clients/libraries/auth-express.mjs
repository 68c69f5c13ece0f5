// @auth/express (Auth.js), with the secret that its sessions are sealed with.
import { ExpressAuth, getSession } from '@auth/express';
import express from 'express';
import { app, clientId, clientSecret, expect, issuer, open, serve, step } from './app.mjs';

const config = {
  trustHost: true,
  secret: 'of-this-test-alone',
  providers: [{ id: 'gateway', name: 'Gateway', type: 'oidc', issuer, clientId, clientSecret }],
};
const site = express();
site.use('/auth', ExpressAuth(config));
site.get('/', async (request, response) => response.json(await getSession(request, config)));
const stop = await serve(site);

await step('login', async () => {
  const session = await open(`/auth/signin?callbackUrl=${encodeURIComponent(`${app}/`)}`);
  expect(session?.user?.email, `the session is ${JSON.stringify(session)}`);
});
stop();
