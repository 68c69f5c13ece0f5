// snippet:doc https://nodejs.org/api/http.html#serverclosecallback server.close
// snippet:about Express
// snippet:check
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
// snippet:prints 200 done
// snippet:prints refused
// snippet:prints stopped with 0, at once
// snippet:needs Node.js 18.7
// snippet:end
import express from "express";

const app = express();
app.get("/report", async (request, response) => {
  await new Promise((done) => setTimeout(done, 200));
  response.send("done");
});

const server = app.listen(process.env.PORT ?? 8080, "127.0.0.1");

let stopping = false;
function stop(signal) {
  if (stopping) return; // a second signal changes nothing
  stopping = true;
  console.error(`${signal}: finishing the requests that are running`);
  server.close(() => process.exit(0)); // after the last response
  setInterval(() => server.closeIdleConnections(), 100).unref(); // kept alive, and idle from now on
  server.prependListener("request", (_, response) => response.setHeader("Connection", "close")); // kept busy
  setTimeout(() => process.exit(1), 9_000).unref(); // Docker kills after ten seconds
}

process.on("SIGTERM", stop);
process.on("SIGINT", stop);

// snippet:check
console.error = () => {};
const { exit } = process;
let stopped;
process.exit = (code) => { stopped ??= { code, at: performance.now() }; }; // the client is in this process too
await new Promise((done, fail) => server.listening ? done() : server.once("listening", done).once("error", fail));
const url = `http://127.0.0.1:${server.address().port}/report`;
const running = fetch(url);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const ask = () => get(url, { agent }, (answer) => answer.resume().on("end", ask)).on("error", () => {}); // again at once, on one connection
ask();
await sleep(50);
process.kill(process.pid, "SIGTERM");
await sleep(50);
for (const signal of ["SIGINT", "SIGINT", "SIGTERM"]) process.kill(process.pid, signal);
await sleep(20);
const late = fetch(url).then(() => "accepted", () => "refused");
const first = await running;
console.log(first.status, await first.text());
const answered = performance.now();
console.log(await late);
while (!stopped) await sleep(20);
console.log(`stopped with ${stopped.code}, ${stopped.at - answered < 2000 ? "at once" : "late"}`);
exit();
