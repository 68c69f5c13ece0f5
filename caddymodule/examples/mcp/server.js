// An MCP server that knows nothing of OAuth: the gateway lets only requests with
// a token for it through, and says who the user is.
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const port = Number(process.env.MCP_PORT ?? 3000);

createServer(async (request, response) => {
  const user = request.headers['x-user']; // from the token: what a client sends by that name is removed
  const server = new McpServer({ name: 'greetings', version: '1.0.0' });
  server.registerTool(
    'greet',
    { description: 'Greets the user in a language', inputSchema: { language: z.enum(['en', 'de', 'fr']) } },
    ({ language }) => ({ content: [{ type: 'text', text: `${{ en: 'Hello', de: 'Hallo', fr: 'Bonjour' }[language]}, ${user}` }] }),
  );
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  response.on('close', () => server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response);
}).listen(port, 'localhost', () => console.log(`MCP server on http://localhost:${port}`));
