// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/AbortController AbortController
// snippet:into Save it as an .mts file.
// snippet:description Give an asynchronous operation a time limit with an `AbortSignal`, which it must look at. At the limit it is
// snippet:description told to stop; when it then fails, it is with a `DeadlineError`. Failures before it are passed on as they are.
// snippet:why Work that looks at its signal ends soon after the limit.
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
  constructor(milliseconds: number, options?: ErrorOptions) {
    super(`not finished within ${milliseconds} ms`, options);
  }
}

/** Give an operation a deadline, below 2 ** 31; it is told by the signal and should stop working then. */
export async function withDeadline<T>(
  milliseconds: number,
  operation: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), milliseconds);
  try {
    return await operation(late.signal);
  } catch (cause: unknown) {
    throw late.signal.aborted ? new DeadlineError(milliseconds, { cause }) : cause;
  } finally {
    clearTimeout(timer);
  }
}
// snippet:usage
// snippet:prints in time
// snippet:prints DeadlineError: not finished within 20 ms
const { setTimeout: sleep } = await import("node:timers/promises");
console.log(await withDeadline(1000, (signal) => sleep(5, "in time", { signal })));
await withDeadline(20, (signal) => sleep(5000, "late", { signal })).catch((error) => console.log(String(error)));
// snippet:check
// snippet:prints Error: no room
// snippet:prints DeadlineError: not finished within 20 ms
// snippet:prints a part
await withDeadline(1000, async () => { throw new Error("no room"); }).catch((error) => console.log(String(error)));
// Nothing else keeps the program alive.
await withDeadline(20, (signal) => new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))))
  .catch((error) => console.log(String(error)));
console.log(await withDeadline(20, async (signal) => { while (!signal.aborted) await sleep(5); return "a part"; }));
