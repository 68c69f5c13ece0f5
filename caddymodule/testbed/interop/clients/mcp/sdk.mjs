// The client of @modelcontextprotocol/sdk (https://www.npmjs.com/package/@modelcontextprotocol/sdk).
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { run } from './connect.mjs';

await run({ Client, StreamableHTTPClientTransport, UnauthorizedError }, (response) => response.get('code'));
