// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Promise/allSettled Promise.allSettled()
/** Like Promise.allSettled over `items.map(task)`, with at most `limit` tasks under way. */
export async function mapWithLimit(items, limit, task) {
  if (!(limit >= 1)) throw new RangeError(`limit ${limit}: expected 1 or more`);
  const results = new Array(items.length);
  const queue = items.entries(); // shared by all workers: each item is taken once

  async function worker() {
    for (const [index, item] of queue) {
      try {
        results[index] = { status: "fulfilled", value: await task(item, index) };
      } catch (reason) {
        results[index] = { status: "rejected", reason };
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
// snippet:check
let running = 0;
let peak = 0;
const results = await mapWithLimit([30, 10, -1, 20, 5], 2, async (ms) => {
  peak = Math.max(peak, ++running);
  await new Promise((resolve) => setTimeout(resolve, Math.max(ms, 0)));
  running--;
  if (ms < 0) throw new RangeError("negative");
  return ms;
});
console.log(results.map((result) => result.value ?? result.reason.message).join(" "), "peak", peak);
console.log((await mapWithLimit([1], Infinity, async (item) => item))[0].value);
await mapWithLimit([1], 0, async () => {}).catch((error) => console.log(error.message));
// snippet:prints 30 10 negative 20 5 peak 2
// snippet:prints 1
// snippet:prints limit 0: expected 1 or more
