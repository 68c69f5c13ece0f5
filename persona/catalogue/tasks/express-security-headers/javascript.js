// snippet:doc https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CSP Content Security Policy
// snippet:about Express
// snippet:check
import { listen } from "./server.mjs";
// snippet:prints 404 true
// snippet:prints nosniff
// snippet:prints null
// snippet:end
import express from "express";

const app = express();
app.disable("x-powered-by");

app.use((request, response, next) => {
  response.set({
    "Content-Security-Policy":
      "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  });
  next();
});

app.get("/", (request, response) => {
  response.send("<!doctype html><title>Hello</title><script src=/app.js></script>");
});

// snippet:check
const get = await listen(app);
const missing = await get("/nothing");
console.log(missing.status, missing.headers.get("content-security-policy").includes("none"));
const home = await get("/");
console.log(home.headers.get("x-content-type-options"));
console.log(home.headers.get("x-powered-by"));
process.exit();
