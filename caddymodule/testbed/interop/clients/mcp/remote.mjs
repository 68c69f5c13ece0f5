// mcp-remote (https://www.npmjs.com/package/mcp-remote) as what it is to programs that
// only speak stdio: a command that is given the URL of an MCP server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { serve } from './server.mjs';
import shared from '../session.cjs';

const { session, step, walk, expect } = shared;

const stop = await serve(session.spa_port);
const folder = mkdtempSync(join(tmpdir(), 'mcp-remote'));
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [fileURLToPath(new URL('../node_modules/mcp-remote/dist/proxy.js', import.meta.url)), session.mcp],
  env: { ...process.env, MCP_REMOTE_CONFIG_DIR: folder, BROWSER: 'true' },
  stderr: 'pipe',
});
let said = '';
let walked; // where the browser ended
transport.stderr.on('data', (chunk) => {
  said += chunk;
  const [url] = said.match(/http\S+\/authorize\?\S+(?=\s)/) ?? [];
  if (url && !walked) {
    walked = walk(url);
    walked.catch(() => {}); // the login says so
  }
});
const client = new Client({ name: 'interop', version: '1.0.0' });
try {
  await step('login', async () => {
    await client.connect(transport).catch((error) => { throw new Error(`${error.message}: ${said.slice(-600)}`); });
    expect(walked, 'nobody was asked to log in');
    await walked;
  });
  await step('protected API', async () => {
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name).join() === 'whoami', JSON.stringify(tools));
    const { content } = await client.callTool({ name: 'whoami', arguments: {} });
    expect(content[0].text !== 'nobody', 'no user');
  });
} finally {
  await client.close();
  rmSync(folder, { recursive: true });
  stop();
}
