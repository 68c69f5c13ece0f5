// snippet:doc https://nodejs.org/api/http.html#httpcreateserveroptions-requestlistener http.createServer
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

const notes = new Map();

const routes = {
  "GET /notes": () => [200, [...notes.values()]],
  "POST /notes": async (request) => {
    const { text } = await json(request);
    if (typeof text !== "string" || !text.trim()) return [422, { error: "text is missing" }];
    const note = { id: notes.size + 1, text: text.trim() };
    notes.set(note.id, note);
    return [201, note];
  },
};

export const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  const handler = routes[`${request.method} ${pathname}`] ?? (() => [404, { error: "not found" }]);
  const [status, body] = await Promise.resolve(handler(request)).catch((error) =>
    error instanceof SyntaxError ? [400, { error: "not JSON" }] : [500, { error: "internal" }],
  );
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
});
// snippet:check
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/notes`;
for (const body of ['{"text":" buy tea "}', '{"text":""}', "{"]) {
  const answer = await fetch(url, { method: "POST", body });
  console.log(answer.status, await answer.text());
}
console.log(await (await fetch(url)).text());
server.close();
server.closeAllConnections();
// snippet:prints 201 {"id":1,"text":"buy tea"}
// snippet:prints 422 {"error":"text is missing"}
// snippet:prints 400 {"error":"not JSON"}
// snippet:prints [{"id":1,"text":"buy tea"}]
