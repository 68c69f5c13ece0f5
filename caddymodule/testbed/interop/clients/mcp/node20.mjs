// Lets @modelcontextprotocol/conformance, unmodified, start in Node 20, which lacks
// fs.globSync. The command authorization does not use it.
import * as fs from 'node:fs';
import { register } from 'node:module';

const data = (script) => `data:text/javascript,${encodeURIComponent(script)}`;

if (!fs.globSync) {
  const stub = data("export * from 'node:fs'; export const globSync = undefined;");
  register(data(`export const resolve = (specifier, context, next) =>
    specifier === 'fs' && context.parentURL.includes('/conformance/') ? { url: ${JSON.stringify(stub)}, shortCircuit: true } : next(specifier, context);`));
}
