// snippet:doc https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CSP Content Security Policy
// snippet:about Express
// snippet:check
import { listen } from "./server.mjs";
// snippet:prints 404 true
// snippet:prints 500 true
// snippet:prints 404
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
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains", // once all subdomains have HTTPS
  });
  next();
});

app.get("/", (request, response) => {
  response.send("<!doctype html><title>Hello</title><script src=/app.js></script>");
});

// snippet:check
app.get("/broken", () => { throw new Error("broken"); });
// snippet:end
app.use((request, response) => response.status(404).send("Not found")); // Express's own page drops the policy
app.use((error, request, response, next) => {
  if (response.headersSent) return next(error);
  const known = Number.isInteger(error.status) && error.status >= 400 && error.status < 600; // a parser's 400, say
  const status = known ? error.status : 500;
  if (status >= 500) console.error(error);
  response.status(status).send(status < 500 ? "The request was refused" : "Something went wrong");
});

// snippet:check
console.error = () => {};
const get = await listen(app);
const missing = await get("/nothing");
console.log(missing.status, missing.headers.get("content-security-policy").includes("frame-ancestors 'none'"));
const broken = await get("/broken");
console.log(broken.status, broken.headers.get("content-security-policy").includes("frame-ancestors 'none'"));
console.log((await get("/%ff")).status);
const home = await get("/");
console.log(home.headers.get("x-content-type-options"));
console.log(home.headers.get("x-powered-by"));
process.exit();
