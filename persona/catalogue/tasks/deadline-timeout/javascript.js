// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/AbortSignal/timeout_static AbortSignal.timeout()
// snippet:description Give a request a time limit that holds until its body is read. An answer such as 404 is an error with its
// snippet:description status.
// snippet:into Save it as an .mjs file, and import it, or load it in a page with type="module".
export class HttpError extends Error {
  constructor(response) {
    super(`${response.status} ${response.statusText} from ${response.url}`);
    this.name = "HttpError";
    this.status = response.status;
  }
}

export async function getJson(url, { timeout = 5_000 } = {}) {
  const response = await fetch(url, {
    headers: { Accept: "application/json" },
    signal: AbortSignal.timeout(timeout), // until the body is read, too
  });
  // fetch rejects when the network fails or the time is up: 404 and 500 arrive here.
  if (!response.ok) {
    await response.body?.cancel(); // frees the connection
    throw new HttpError(response);
  }
  return response.json();
}
// snippet:check
const { createServer } = await import("node:http");
const server = createServer((request, response) => {
  if (request.url === "/slow") return;
  response.statusCode = request.url === "/ok" ? 200 : 404;
  response.setHeader("Content-Type", "application/json");
  response.end('{"name":"kettle"}');
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const base = `http://127.0.0.1:${server.address().port}`;
console.log(await getJson(`${base}/ok`));
await getJson(`${base}/missing`).catch((error) => console.log(error.name, error.status));
await getJson(`${base}/slow`, { timeout: 50 }).catch((error) => console.log(error.name));
server.closeAllConnections();
server.close();
// snippet:prints { name: 'kettle' }
// snippet:prints HttpError 404
// snippet:prints TimeoutError
