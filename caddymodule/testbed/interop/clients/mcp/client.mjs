// @modelcontextprotocol/client (https://www.npmjs.com/package/@modelcontextprotocol/client),
// which checks iss (RFC 9207).
import * as sdk from '@modelcontextprotocol/client';
import { run } from './connect.mjs';

await run(sdk, (response) => response);
