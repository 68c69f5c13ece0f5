// A server of the Model Context Protocol with one tool, whoami, of @modelcontextprotocol/sdk.
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/** Serves it on a port of localhost and returns what ends it. */
export async function serve(port) {
  const server = createServer(async (request, response) => {
    const mcp = new McpServer({ name: 'protected', version: '1.0.0' });
    mcp.registerTool('whoami', {}, () => ({ content: [{ type: 'text', text: request.headers['x-user'] ?? 'nobody' }] }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await mcp.connect(transport);
    await transport.handleRequest(request, response);
  });
  await new Promise((resolve) => server.listen(port, 'localhost', resolve));
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
