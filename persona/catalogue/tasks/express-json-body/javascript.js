// snippet:doc https://expressjs.com/en/api.html#express.json express.json
// snippet:about Express
// snippet:check
import { listen } from "./server.mjs";
// snippet:prints 201 {"name":"Ada","age":36}
// snippet:prints 422 {"name":"1 to 80 characters","age":"a whole number from 0 to 150"}
// snippet:prints 201 422
// snippet:prints 413
// snippet:prints 400
// snippet:end
import express from "express";

const app = express();
app.use(express.json({ limit: "10kb" }));

const rules = {
  name: [(v) => typeof v === "string" && v !== "" && [...v].length <= 80, "1 to 80 characters"],
  age: [(v) => Number.isInteger(v) && v >= 0 && v <= 150, "a whole number from 0 to 150"],
};

app.post("/users", (request, response) => {
  const body = request.body ?? {}; // undefined if the type was not JSON
  const wrong = Object.entries(rules).filter(([field, [valid]]) => !valid(body[field]));
  if (wrong.length > 0) {
    return response.status(422).json(Object.fromEntries(wrong.map(([field, [, expected]]) => [field, expected])));
  }
  const { name, age } = body; // nothing else, such as "admin"
  response.status(201).json({ name, age });
});

// snippet:check
app.use((error, request, response, next) => response.sendStatus(error.status ?? 500));
const get = await listen(app);
const post = (body) => get("/users", { method: "POST", headers: { "content-type": "application/json" }, body });
const good = await post(JSON.stringify({ name: "Ada", age: 36, admin: true }));
console.log(good.status, await good.text());
const wrong = await post(JSON.stringify({ name: "", age: "36" }));
console.log(wrong.status, await wrong.text());
console.log((await post(JSON.stringify({ name: "😀".repeat(80), age: 0 }))).status, (await post(JSON.stringify({ name: "😀".repeat(81), age: 0 }))).status);
console.log((await post(JSON.stringify({ name: "x".repeat(20_000) }))).status);
console.log((await post("{")).status);
process.exit();
