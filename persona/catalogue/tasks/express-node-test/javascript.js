// snippet:doc https://nodejs.org/api/test.html Test runner
// snippet:about Express
// snippet:check
// snippet:prints # pass 2
// snippet:end
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import express from "express";

const app = express();
app.get("/sum/:a/:b", (request, response) => {
  const sum = Number(request.params.a) + Number(request.params.b);
  Number.isFinite(sum) ? response.json({ sum }) : response.sendStatus(400);
});

let server, url;
before(async () => {
  server = app.listen(0, "127.0.0.1"); // any free port
  await new Promise((ready) => server.once("listening", ready));
  url = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());

test("adds two numbers", async () => {
  const response = await fetch(`${url}/sum/2/40`);
  assert.deepEqual(await response.json(), { sum: 42 });
});

test("refuses what is no number", async () => {
  assert.equal((await fetch(`${url}/sum/2/x`)).status, 400);
});
