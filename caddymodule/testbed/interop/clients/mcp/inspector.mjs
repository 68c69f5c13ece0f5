// The command of @modelcontextprotocol/inspector
// (https://www.npmjs.com/package/@modelcontextprotocol/inspector), which needs Node 22 and
// brings it along.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import shared from '../session.cjs';

const { session, step, walk, expect } = shared;

const installed = (path) => fileURLToPath(new URL(`../.inspector/node_modules/${path}`, import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'inspector'));

/** Finds a port that nobody listens on. */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address();
  await new Promise((resolve) => { server.close(resolve); });
  return port;
}

const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`;

/** Runs the command; a person opens the URL that it prints. */
function inspect(...args) {
  const command = spawn(installed('node/bin/node'), [
    installed('@modelcontextprotocol/inspector/clients/launcher/build/index.js'), '--cli', '--transport', 'http', '--server-url', session.mcp,
    '--callback-url', callback, ...args,
  ], { env: { ...process.env, HOME: home, BROWSER: 'true', MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let said = '';
  let opened = false;
  command.stdout.on('data', (chunk) => { output += chunk; });
  command.stderr.on('data', (chunk) => {
    said += chunk;
    const [url] = said.match(/http\S+\/authorize\?\S+(?=\s)/) ?? [];
    if (url && !opened) {
      opened = true;
      walk(url).catch((error) => {
        said += error.message;
        command.kill();
      });
    }
  });
  return new Promise((resolve, reject) => {
    command.on('close', (code) => (code === 0 ? resolve({ output, opened }) : reject(new Error(`${output}${said}`.slice(-600)))));
  });
}

try {
  await step('login', async () => {
    const { output, opened } = await inspect('--method', 'tools/list');
    expect(opened, 'nobody was asked to log in');
    expect(output.includes('"whoami"'), output);
  });
  await step('protected API', async () => {
    const { output, opened } = await inspect('--stored-auth-only', '--method', 'tools/call', '--tool-name', 'whoami');
    expect(!opened, 'it had to log in again');
    expect(/"text": "\S+"/.test(output), output);
  });
} finally {
  rmSync(home, { recursive: true });
}
