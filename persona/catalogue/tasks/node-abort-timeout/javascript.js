// snippet:doc https://nodejs.org/api/globals.html#static-method-abortsignalanysignals AbortSignal.any
// snippet:about Node.js
// snippet:check
// snippet:prints TimeoutError
// snippet:prints the tab was closed
// snippet:prints 3
// snippet:end
import { setTimeout as sleep } from "node:timers/promises";

export async function importRows(rows, store, { signal, timeout = 5000 } = {}) {
  const stop = AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]);
  let stored = 0;
  for (const row of rows) {
    stop.throwIfAborted(); // between two steps: never half a row
    await store(row, stop);
    stored++;
  }
  return stored;
}

const slowStore = (row, signal) => sleep(40, undefined, { signal });

// snippet:check
const rows = [1, 2, 3];
const name = (error) => (error.cause ?? error).name ?? String(error.cause ?? error);
await importRows(rows, slowStore, { timeout: 30 }).catch((error) => console.log(name(error)));
const closing = new AbortController();
setTimeout(() => closing.abort(new Error("the tab was closed")), 20);
await importRows(rows, slowStore, { signal: closing.signal }).catch((error) => console.log((error.cause ?? error).message));
console.log(await importRows(rows, async () => {}));
