// snippet:doc https://nodejs.org/api/test.html Test runner
// snippet:needs Node.js 18.19
// snippet:into Save it as sum.test.mjs, with Express installed: node --test
// snippet:about Express
// snippet:check
// snippet:prints # pass 2
// snippet:end
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import express from "express";

const app = express();
app.get("/sum/:a/:b", (request, response) => {
  const { a, b } = request.params;
  if (![a, b].every((text) => /^-?\d{1,15}$/.test(text))) return response.sendStatus(400);
  response.json({ sum: Number(a) + Number(b) });
});

let server, url;
before(async () => {
  server = app.listen(0, "127.0.0.1"); // any free port
  await once(server, "listening");
  url = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());

test("adds two whole numbers", async () => {
  const response = await fetch(`${url}/sum/2/40`);
  assert.deepEqual(await response.json(), { sum: 42 });
});

test("refuses anything else", async () => {
  for (const text of ["x", "%20", "0x10"]) {
    assert.equal((await fetch(`${url}/sum/2/${text}`)).status, 400);
  }
});
