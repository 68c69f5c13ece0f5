// snippet:doc https://nodejs.org/api/async_context.html#class-asynclocalstorage Class: AsyncLocalStorage
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

const context = new AsyncLocalStorage();

/** Every line is one JSON object and carries the request it belongs to; fields are what JSON can hold. */
function log(level, message, fields = {}) {
  const { cause, ...rest } = fields;
  const error = cause && { error: { name: cause.name, message: cause.message, stack: cause.stack } };
  const own = { time: new Date().toISOString(), level, message };
  // Twice: they come first, and no field replaces them.
  console.log(JSON.stringify({ ...own, ...context.getStore(), ...rest, ...error, ...own }));
}

export const logger = {
  info: (message, fields) => log("info", message, fields),
  error: (message, fields) => log("error", message, fields),
};

/** Run a handler so that all it calls, also after an await, logs its request id. */
export function withRequest(request, handler) {
  const requestId = request.headers["x-request-id"] ?? randomUUID();
  return context.run({ requestId, path: request.url.split("?")[0] }, () => handler(request));
}
// snippet:check
console.log = ((print) => (line) => print(line.replace(/"time":"[^"]+"/, '"time":"T"')))(console.log);
const load = async () => logger.info("loaded", { rows: 3 });
await withRequest({ url: "/orders", headers: { "x-request-id": "r-1" } }, async () => {
  await null;
  await load();
});
logger.info("idle", { level: 5 });
// snippet:prints {"time":"T","level":"info","message":"loaded","requestId":"r-1","path":"/orders","rows":3}
// snippet:prints {"time":"T","level":"info","message":"idle"}
