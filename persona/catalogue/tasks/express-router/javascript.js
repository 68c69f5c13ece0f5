// snippet:doc https://expressjs.com/en/guide/routing.html Routing
// snippet:about Express
// snippet:check
import { listen } from "./server.mjs";
// snippet:prints 200 {"id":"1","title":"Emma"}
// snippet:prints 404 {"error":"no such book"}
// snippet:prints 204
// snippet:end
import express, { Router } from "express";

const books = new Map([["1", { id: "1", title: "Emma" }]]);
const router = Router();

router.param("id", (request, response, next, id) => {
  request.book = books.get(id);
  if (!request.book) return response.status(404).json({ error: "no such book" });
  next();
});

router.get("/:id", (request, response) => {
  response.json(request.book);
});

router.delete("/:id", (request, response) => {
  books.delete(request.book.id);
  response.sendStatus(204);
});

const app = express();
app.use("/api/v1/books", router);

// snippet:check
const get = await listen(app);
for (const path of ["/api/v1/books/1", "/api/v1/books/2"]) {
  const response = await get(path);
  console.log(response.status, await response.text());
}
console.log((await get("/api/v1/books/1", { method: "DELETE" })).status);
process.exit(books.size);
