// snippet:doc https://nodejs.org/api/http.html#httpcreateserveroptions-requestlistener http.createServer
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

const notes = new Map();

const routes = {
  "GET /notes": () => [200, [...notes.values()]],
  "POST /notes": async (request) => {
    const text = (await json(request))?.text; // of any size: for more than a prototype, set a limit
    if (typeof text !== "string" || !text.trim()) return [422, { error: "text is missing" }];
    const note = { id: notes.size + 1, text: text.trim() };
    notes.set(note.id, note);
    return [201, note];
  },
};

async function answer(request) {
  const [path] = request.url.split("?", 1); // new URL() would throw for "//"
  const route = routes[`${request.method} ${path}`];
  return route ? route(request) : [404, { error: "not found" }];
}

export const server = createServer(async (request, response) => {
  const [status, body] = await answer(request).catch((error) =>
    error instanceof SyntaxError ? [400, { error: "not JSON" }] : [500, { error: "internal" }],
  );
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
});
// snippet:check
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const root = `http://127.0.0.1:${server.address().port}`;
for (const body of ['{"text":" buy tea "}', '{"text":""}', "null", "{"]) {
  const answer = await fetch(`${root}/notes`, { method: "POST", body });
  console.log(answer.status, await answer.text());
}
for (const path of ["/notes?sort=id", "//", "//[", "/notes/../toString"]) {
  const answer = await fetch(root + path);
  console.log(answer.status, await answer.text());
}
server.close();
server.closeAllConnections();
// snippet:prints 201 {"id":1,"text":"buy tea"}
// snippet:prints 422 {"error":"text is missing"}
// snippet:prints 422 {"error":"text is missing"}
// snippet:prints 400 {"error":"not JSON"}
// snippet:prints 200 [{"id":1,"text":"buy tea"}]
// snippet:prints 404 {"error":"not found"}
// snippet:prints 404 {"error":"not found"}
// snippet:prints 404 {"error":"not found"}
