// The scenarios of @modelcontextprotocol/conformance for authorization servers
// (https://www.npmjs.com/package/@modelcontextprotocol/conformance), by its own command. It
// wants a client id, and gets one that it could have registered itself.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import shared from '../session.cjs';

const { session, step, walk, expect } = shared;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'conformance'));
const { registration_endpoint: endpoint } = await (await fetch(`${session.gateway}/.well-known/oauth-authorization-server`)).json();
const registered = await fetch(endpoint, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ redirect_uris: [`http://127.0.0.1:${session.spa_port}/callback`], token_endpoint_auth_method: 'none' }),
});
const { client_id: client } = await registered.json();
try {
  const output = await run(['--url', session.gateway, '--client-id', client, '--resource', session.mcp, '--port', session.spa_port]);
  for (const name of ['authorization-server-metadata-endpoint', 'authorization-code-grant']) {
    await step(name, () => {
      const result = readdirSync(folder).find((entry) => entry.includes(name));
      expect(result, `no result: ${output.slice(-1000)}`);
      const checks = JSON.parse(readFileSync(join(folder, result, 'checks.json'), 'utf8'));
      expect(checks.length > 0 && checks.every((check) => check.status === 'SUCCESS'), JSON.stringify(checks));
    });
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Runs the command to its end, and opens the URL that it prints. */
function run(args) {
  const command = spawn(process.execPath, [
    '--import', new URL('node20.mjs', import.meta.url).href, here('../node_modules/@modelcontextprotocol/conformance/dist/index.js'),
    'authorization', ...args.map(String), '--output-dir', folder,
  ]);
  let output = '';
  let opened = false;
  const read = (chunk) => {
    output += chunk;
    const [url] = output.match(/http\S+\/authorize\?\S+(?=\s)/) ?? [];
    if (url && !opened) {
      opened = true;
      walk(url).catch((error) => {
        output += error.message;
        command.kill(); // it would wait for minutes
      });
    }
  };
  command.stdout.on('data', read);
  command.stderr.on('data', read);
  return new Promise((resolve) => { command.on('close', () => resolve(output)); });
}
