// snippet:doc https://vitest.dev/guide/mocking/timers Timers
// snippet:about Vitest
// snippet:prints passed: asks again every 10 seconds until it is done
// snippet:prints passed: gives up after 30 seconds
import { afterEach, beforeEach, expect, test, vi } from "vitest";

async function untilDone(ask: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 30_000; !(await ask()); ) {
    if (Date.now() >= end) throw new Error("not done after 30 s");
    await new Promise((later) => setTimeout(later, 10_000));
  }
}

beforeEach(() => void vi.useFakeTimers()); // Date.now() follows them, too
afterEach(() => void vi.useRealTimers());

test("asks again every 10 seconds until it is done", async () => {
  const ask = vi.fn().mockResolvedValueOnce(false).mockResolvedValue(true);
  const done = untilDone(ask);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(ask).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  await expect(done).resolves.toBeUndefined();
});

test("gives up after 30 seconds", async () => {
  // Expect before time moves: a rejection that nobody waits for would fail the run.
  const ask = vi.fn(async () => false);
  const failed = expect(untilDone(ask)).rejects.toThrow("not done after 30 s");
  await vi.advanceTimersByTimeAsync(30_000);
  await failed;
  expect(ask).toHaveBeenCalledTimes(4); // at 0, 10, 20 and 30 seconds
});
