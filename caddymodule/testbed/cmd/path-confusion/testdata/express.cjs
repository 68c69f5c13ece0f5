// Express with a private and a public route; node express.cjs <address>.
const express = require("express");

const [host, port] = process.argv[2].split(":");
const app = express();
app.get("/admin/secret", (request, response) => response.send("this page is private"));
app.get("/public/hello.txt", (request, response) => response.send("this page is public"));
app.listen(Number(port), host);
