// snippet:doc https://expressjs.com/en/guide/error-handling.html Error handling
// snippet:about Express
// snippet:check
import { listen } from "./server.mjs";
// snippet:prints 404 {"error":"no book has the number 7"}
// snippet:prints 500 {"error":"internal error"}
// snippet:prints 400 {"error":"Failed to decode param '%ff'"}
// snippet:prints 400
// snippet:needs Express 5
// snippet:end
import express from "express";

class HttpError extends Error {
  expose = true; // the message may be shown, as in the errors of express.json

  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const app = express();
app.use(express.json());

app.get("/books/:id", async (request, response) => {
  const book = await findBook(request.params.id); // a rejection goes to the handler below
  if (!book) throw new HttpError(404, `no book has the number ${request.params.id}`);
  response.json(book);
});

app.use((error, request, response, next) => {
  if (response.headersSent) return next(error); // too late for a status: Express logs it and closes the connection
  const undecodable = error instanceof URIError && error.status === 400; // the path
  const expected = undecodable || (error.expose && error.status);
  if (!expected) console.error(request.method, request.path, error);
  response.status(expected ? error.status : 500).json({ error: expected ? error.message : "internal error" });
});

async function findBook(id) {
  if (Number.isNaN(Number(id))) throw new Error(`invalid input syntax for integer: ${id}`);
  return null; // in production: a query
}

// snippet:check
console.error = () => {};
const get = await listen(app);
for (const path of ["/books/7", "/books/x", "/books/%ff"]) {
  const response = await get(path);
  console.log(response.status, await response.text());
}
console.log((await get("/books/7", { method: "POST", headers: { "content-type": "application/json" }, body: "{" })).status);
process.exit();
