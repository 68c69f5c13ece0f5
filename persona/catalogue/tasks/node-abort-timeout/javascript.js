// snippet:doc https://nodejs.org/api/globals.html#static-method-abortsignalanysignals AbortSignal.any
// snippet:about Node.js
// snippet:usage
// snippet:prints TimeoutError
// snippet:prints the tab was closed
// snippet:prints disk full
// snippet:prints 3
// snippet:needs Node.js 20.3
// snippet:end
import { setTimeout as sleep } from "node:timers/promises";

export async function importRows(rows, store, { signal, timeout = 5000 } = {}) { // milliseconds, below 2 ** 31
  // A timer of our own: an AbortSignal.timeout that only any() refers to can be collected before it fires.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException(`${timeout} ms are over`, "TimeoutError")), timeout);
  const stop = AbortSignal.any([late.signal, ...(signal ? [signal] : [])]);
  let stored = 0;
  try {
    for (const row of rows) {
      // Between two rows; store decides how it stops within one, and has to wait for something: no timer fires before.
      stop.throwIfAborted();
      await store(row, stop);
      stored++;
    }
  } catch (error) {
    throw stop.aborted && error?.name === "AbortError" ? stop.reason : error; // timers hide the reason in an AbortError
  } finally {
    clearTimeout(timer);
  }
  return stored;
}

const slowStore = (row, signal) => sleep(40, undefined, { signal });

// snippet:usage
const rows = [1, 2, 3];
await importRows(rows, slowStore, { timeout: 30 }).catch((error) => console.log(error.name));
const closing = new AbortController();
setTimeout(() => closing.abort(new Error("the tab was closed")), 20);
await importRows(rows, slowStore, { signal: closing.signal }).catch((error) => console.log(error.message));
const full = new AbortController();
const failing = async () => { full.abort(); throw new Error("disk full"); };
await importRows(rows, failing, { signal: full.signal }).catch((error) => console.log(error.message));
console.log(await importRows(rows, async () => {}));
