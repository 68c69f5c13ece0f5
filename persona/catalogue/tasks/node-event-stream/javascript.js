// snippet:doc https://nodejs.org/api/events.html#eventsonemitter-eventname-options events.on
// snippet:about Node.js
// snippet:usage
import { setTimeout as sleep } from "node:timers/promises";
// snippet:end
import { EventEmitter, on } from "node:events";

export async function record(sensor, store, signal) {
  try {
    for await (const [celsius] of on(sensor, "reading", { signal })) {
      await store(celsius); // slow: what arrives meanwhile waits in line
    }
  } catch (error) {
    if (error.name !== "AbortError" || !signal?.aborted) throw error; // of the store, or an "error" event
  }
}

export const sensor = new EventEmitter();

// snippet:usage
// snippet:prints 21 22 23
// snippet:prints stopped, 0 listeners
const stored = [];
const stop = new AbortController();
const running = record(sensor, async (celsius) => { await sleep(5); stored.push(celsius); }, stop.signal);
for (const celsius of [21, 22, 23]) sensor.emit("reading", celsius);
while (stored.length < 3) await sleep(5);
console.log(stored.join(" "));
stop.abort();
await running;
console.log(`stopped, ${sensor.listenerCount("reading")} listeners`);
