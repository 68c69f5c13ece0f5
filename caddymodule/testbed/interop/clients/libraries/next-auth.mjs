// next-auth (NextAuth.js 4) in an app of Next.js, which is in the folder next.
import { fileURLToPath } from 'node:url';
import next from 'next';
import { app, clientId, clientSecret, expect, issuer, open, serve, step } from './app.mjs';

Object.assign(process.env, {
  NEXTAUTH_URL: app, NEXTAUTH_SECRET: 'of-this-test-alone', NEXT_TELEMETRY_DISABLED: '1',
  ISSUER: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret,
});
const site = next({ dev: true, dir: fileURLToPath(new URL('next', import.meta.url)), hostname: 'localhost', port: Number(new URL(app).port) });
await site.prepare();
const stop = await serve(site.getRequestHandler());

await step('login', async () => {
  const session = await open(`/api/auth/signin?callbackUrl=${encodeURIComponent(`${app}/`)}`);
  expect(session?.user?.email, `the session is ${JSON.stringify(session)}`);
});
stop();
process.exit();
