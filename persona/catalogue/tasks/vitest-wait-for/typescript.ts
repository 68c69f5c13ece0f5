// snippet:doc https://vitest.dev/api/expect.html#poll expect.poll
// snippet:about Vitest
// snippet:prints passed: all jobs are done in the end
// snippet:prints passed: the listener hears of each
import { EventEmitter } from "node:events";
import { expect, test, vi } from "vitest";

class Queue extends EventEmitter<{ done: [job: string] }> {
  waiting: string[] = [];
  add(...jobs: string[]) {
    this.waiting.push(...jobs);
    setTimeout(() => this.#next(), 20);
  }
  #next() {
    const job = this.waiting.shift();
    if (job === undefined) return;
    this.emit("done", job);
    setTimeout(() => this.#next(), 20);
  }
}

test("all jobs are done in the end", async () => {
  const queue = new Queue();
  queue.add("a", "b");
  await expect.poll(() => queue.waiting.length, { timeout: 5_000, interval: 10 }).toBe(0);
});

test("the listener hears of each", async () => {
  const queue = new Queue();
  const heard = vi.fn();
  queue.on("done", heard).add("a", "b");
  await vi.waitFor(() => {
    expect(heard).toHaveBeenCalledTimes(2); // throws until it is so
    expect(heard).toHaveBeenLastCalledWith("b");
  }, { timeout: 5_000, interval: 10 });
});
