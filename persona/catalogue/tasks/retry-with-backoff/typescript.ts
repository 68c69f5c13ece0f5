// snippet:doc https://www.typescriptlang.org/docs/handbook/2/generics.html Generics
import { setTimeout as sleep } from "node:timers/promises";

export interface RetryOptions {
  readonly attempts?: number;
  /** Limit of the first pause, in milliseconds; it doubles after each failure. */
  readonly base?: number;
  readonly cap?: number;
  readonly shouldRetry?: (error: unknown) => boolean;
  readonly signal?: AbortSignal;
}

export async function retry<T>(operation: () => Promise<T>, options: RetryOptions = {}) {
  const { attempts = 5, base = 200, cap = 10_000, shouldRetry = () => true, signal } = options;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await operation();
    } catch (error: unknown) {
      if (attempt >= attempts || !shouldRetry(error)) throw error;
      const pause = Math.random() * Math.min(cap, base * 2 ** (attempt - 1));
      await sleep(pause, undefined, signal ? { signal } : {});
    }
  }
}
// snippet:check
let calls = 0;
const value: number = await retry(
  async () => {
    if (++calls < 3) throw new TypeError("fetch failed");
    return calls;
  },
  { base: 1, shouldRetry: (error) => error instanceof TypeError },
);
console.log(value);
await retry(() => Promise.reject(new RangeError("no")), { shouldRetry: () => false }).catch(String).then(console.log);
// snippet:prints 3
// snippet:prints RangeError: no
