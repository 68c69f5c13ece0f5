// snippet:doc https://nodejs.org/api/timers.html#timers-promises-api Timers Promises API
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Retry `operation` after failures that may pass, with random pauses whose limit grows.
 * `isTransient(error)` decides; an AbortSignal ends the waiting early.
 */
export async function retry(
  operation,
  { attempts = 5, base = 200, cap = 10_000, isTransient = () => true, signal } = {},
) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await operation({ attempt, signal });
    } catch (error) {
      if (attempt >= attempts || !isTransient(error)) throw error;
      // Random within the window, so that clients do not return in step.
      const pause = Math.random() * Math.min(cap, base * 2 ** attempt);
      await sleep(pause, undefined, { signal });
    }
  }
}
// snippet:check
const answer = await retry(
  async ({ attempt }) => {
    if (attempt < 3) throw Object.assign(new Error("busy"), { status: 503 });
    return `ok on attempt ${attempt}`;
  },
  { base: 1, isTransient: (error) => error.status >= 500 },
);
console.log(answer);
await retry(() => Promise.reject(new Error("bad request")), { isTransient: () => false }).catch(
  (error) => console.log("gave up:", error.message),
);
// snippet:prints ok on attempt 3
// snippet:prints gave up: bad request
