// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/Server-sent_events/Using_server-sent_events Server-sent events
// snippet:about Express
// snippet:check
import { listen } from "./server.mjs";
// snippet:prints id: 2
// snippet:prints data: {"price":11}
// snippet:prints 0 listeners left
// snippet:end
import { EventEmitter } from "node:events";
import express from "express";

const prices = new EventEmitter().setMaxListeners(0);
const history = []; // in earnest: a table, which survives a restart
const app = express();

app.get("/prices", (request, response) => {
  if (response.closed) return; // gone already: "close" would not come again
  response.set({ "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  response.flushHeaders();
  const send = ({ id, data }) => response.write(`id: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
  const last = Number(request.get("last-event-id") ?? history.length);
  history.filter((event) => event.id > last).forEach(send); // what was missed meanwhile
  prices.on("change", send);
  const beat = setInterval(() => response.write(":\n\n"), 15_000); // proxies close what is silent
  response.on("close", () => {
    prices.off("change", send);
    clearInterval(beat);
  });
});

export function publish(data) {
  const event = { id: history.length + 1, data };
  history.push(event);
  prices.emit("change", event);
}

// snippet:check
const get = await listen(app);
publish({ price: 10 });
publish({ price: 11 });
const stop = new AbortController();
const response = await get("/prices", { headers: { "last-event-id": "1" }, signal: stop.signal });
const { value } = await response.body.getReader().read();
console.log(new TextDecoder().decode(value).trim());
stop.abort();
for (let i = 0; i < 100 && prices.listenerCount("change") > 0; i++) await new Promise((done) => setTimeout(done, 20));
console.log(prices.listenerCount("change"), "listeners left");
process.exit();
