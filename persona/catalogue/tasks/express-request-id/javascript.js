// snippet:doc https://nodejs.org/api/async_context.html Asynchronous context
// snippet:about Express
// snippet:check
import { listen } from "./server.mjs";
// snippet:prints req-1 looking up "ada"
// snippet:prints req-2 looking up "bob"
// snippet:prints req-1 found "ada"
// snippet:prints req-2 found "bob"
// snippet:prints true
// snippet:end
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import express from "express";

const context = new AsyncLocalStorage();
const log = (message) => console.log(context.getStore()?.id ?? "-", message);

const app = express();

app.use((request, response, next) => {
  const given = request.get("x-request-id");
  const id = given && /^[\w-]{1,64}$/.test(given) ? given : randomUUID();
  response.set("x-request-id", id);
  context.run({ id }, next);
});

app.get("/users/:name", async (request, response) => {
  const name = JSON.stringify(request.params.name); // quoted: it may hold a line break
  log(`looking up ${name}`);
  await new Promise((done) => setTimeout(done, 50));
  log(`found ${name}`); // still knows its request
  response.json({});
});

// snippet:check
const get = await listen(app);
const first = get("/users/ada", { headers: { "x-request-id": "req-1" } });
await new Promise((done) => setTimeout(done, 15));
await Promise.all([first, get("/users/bob", { headers: { "x-request-id": "req-2" } })]);
const real = console.log;
console.log = () => {};
const bad = await get("/users/eve", { headers: { "x-request-id": "a b=c" } });
console.log = real;
console.log(/^[\w-]{36}$/.test(bad.headers.get("x-request-id")));
process.exit();
