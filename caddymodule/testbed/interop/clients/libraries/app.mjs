// What the web apps share: a server on its own address, and what a person sees there.
import { createServer } from 'node:http';
import shared from '../session.cjs';

export const { session, step, walk, expect } = shared;
export const [issuer, clientId, clientSecret] = [session.gateway, session.client_id, session.client_secret];
export const app = `http://localhost:${session.spa_port}`;

/** Runs a web app; the answer ends it. */
export async function serve(handler) {
  const server = createServer(handler);
  await new Promise((resolve) => server.listen(session.spa_port, 'localhost', resolve));
  return () => { server.close(); server.closeAllConnections(); };
}

/** A person opens a page of the app, and goes on to where that leads; the page there is JSON. */
export async function open(path) {
  const { url, page } = await walk(`${app}${path}`);
  try {
    return JSON.parse(page);
  } catch {
    throw new Error(`${url.split('?')[0]} shows: ${page.slice(0, 500)}`);
  }
}

/** A person logs in at the gateway, and the app that has no server gets the response. */
export async function logIn(url) {
  return new URL((await walk(url)).url);
}
