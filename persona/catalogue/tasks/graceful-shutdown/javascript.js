// snippet:needs Node.js 18.7
// snippet:doc https://nodejs.org/api/process.html#signal-events Signal events
import { createServer } from "node:http";

export function serve(handler, { port, grace = 10_000 }) {
  const server = createServer(handler).listen(port, "127.0.0.1");
  let stopping = false;
  // A connection that is kept could bring new requests: it ends with the answer to the last one.
  server.on("request", (_, response) => response.on("finish", () => stopping && server.closeIdleConnections()));

  async function stop(signal) {
    stopping = true;
    console.log(`${signal}: finishing the open requests`);
    // Kept connections that are idle would keep the process alive.
    server.closeIdleConnections();
    const limit = setTimeout(() => {
      console.error("grace period over, cutting off what is left");
      process.exit(1); // closing the connections would not end what a handler still waits for
    }, grace);
    await new Promise((resolve) => server.close(resolve));
    limit.unref(); // what a handler goes on with after its answer meets the limit, too
  }

  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, stop);
  return server;
}
// snippet:usage
// snippet:prints SIGTERM: finishing the open requests
// snippet:prints slow answer
// snippet:prints closed true
const server = serve((request, response) => setTimeout(() => response.end("slow answer"), 600), { port: 0 });
await new Promise((resolve) => server.once("listening", resolve));
const closed = new Promise((resolve) => server.once("close", resolve));
const answer = fetch(`http://127.0.0.1:${server.address().port}/`);
const start = performance.now();
setTimeout(() => process.emit("SIGTERM", "SIGTERM"), 200);
console.log(await (await answer).text());
await closed;
console.log("closed", performance.now() - start < 3000);
