// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/AbortSignal/any_static AbortSignal.any()
// snippet:into Save it as an .mts file.
// snippet:needs Node.js 20.3
// snippet:description Give an asynchronous operation a time limit with an `AbortSignal`, which it must look at. At the limit it is
// snippet:description told to stop; when it then fails, it is with a `DeadlineError`. Failures before it are passed on as they are.
// snippet:why Work that looks at its signal ends soon after the limit.
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
  constructor(milliseconds: number, options?: ErrorOptions) {
    super(`not finished within ${milliseconds} ms`, options);
  }
}

/** Give an operation a deadline; it is told by the signal and should stop working then. */
export async function withDeadline<T>(
  milliseconds: number,
  operation: (signal: AbortSignal) => Promise<T>,
  parent?: AbortSignal,
): Promise<T> {
  const timeout = AbortSignal.timeout(milliseconds);
  const signal = parent ? AbortSignal.any([timeout, parent]) : timeout;
  try {
    return await operation(signal);
  } catch (cause: unknown) {
    if (timeout.aborted && signal.reason === timeout.reason) throw new DeadlineError(milliseconds, { cause });
    throw cause;
  }
}
// snippet:usage
// snippet:prints in time
// snippet:prints DeadlineError: not finished within 20 ms
const { setTimeout: sleep } = await import("node:timers/promises");
console.log(await withDeadline(1000, (signal) => sleep(5, "in time", { signal })));
await withDeadline(20, (signal) => sleep(5000, "late", { signal })).catch((error) => console.log(String(error)));
// snippet:check
// snippet:prints Error: page left
// snippet:prints a part
const parent = AbortSignal.abort(new Error("page left"));
await withDeadline(1000, async (signal) => signal.throwIfAborted(), parent).catch((error) => console.log(String(error)));
console.log(await withDeadline(20, async (signal) => { while (!signal.aborted) await sleep(5); return "a part"; }));
