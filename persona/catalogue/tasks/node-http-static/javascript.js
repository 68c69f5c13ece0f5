// snippet:doc https://nodejs.org/api/http.html HTTP
// snippet:into Save it as server.mjs, call server.listen(8080), and start it in the folder that holds public.
// snippet:about Node.js
// snippet:check
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
mkdirSync("public/docs", { recursive: true });
writeFileSync("public/index.html", "<p>hello");
writeFileSync("secret.txt", "secret");
execFileSync("mkfifo", ["public/pipe"]);
// snippet:prints 200 text/html; charset=utf-8 <p>hello
// snippet:prints 404
// snippet:prints 404
// snippet:prints 404
// snippet:prints 404
// snippet:prints 404
// snippet:prints 404
// snippet:end
import { constants, open } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";

const root = resolve("public");
const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css" };

export const server = createServer(async (request, response) => {
  let file;
  try {
    const path = decodeURIComponent(new URL(`http://localhost${request.url}`).pathname);
    const name = resolve(root, `.${path.endsWith("/") ? `${path}index.html` : path}`);
    if (!name.startsWith(root + sep)) throw new Error("outside of the folder");
    // NONBLOCK: opening a named pipe would wait for whoever writes to it.
    file = await open(name, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) throw new Error("a folder, a pipe, a device");
    const type = types[extname(name)] ?? "application/octet-stream";
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.writeHead(200, { "Content-Type": type }); // no length: the file may grow meanwhile
    await pipeline(file.createReadStream(), response);
  } catch {
    if (!response.headersSent) response.writeHead(404).end(); // one answer for all: nothing is told
    else response.destroy();
  } finally {
    await file?.close().catch(() => {});
  }
});

// snippet:measures no path leads out of the folder
// snippet:check
server.listen(0, "127.0.0.1", async () => {
  const get = (path) => new Promise((done, fail) => {
    request({ port: server.address().port, host: "127.0.0.1", path }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += chunk)).on("end", () => done([response, text]));
    }).on("error", fail).end();
  });
  const [good, text] = await get("/");
  console.log(good.statusCode, good.headers["content-type"], text);
  for (const path of ["/../secret.txt", "/%2e%2e%2fsecret.txt", "/%00", "/docs", "/pipe", "//docs"]) console.log((await get(path))[0].statusCode);
  process.exit();
});
