// snippet:doc https://www.typescriptlang.org/docs/handbook/2/functions.html#generic-functions Generic functions
// snippet:into Save it as an .mts file.
/** Apply `task` to every item, at most `limit` (or 1) at a time, and yield results as they are ready and asked for. */
export async function* mapConcurrently<T, R>(
  items: Iterable<T>,
  limit: number,
  task: (item: T) => Promise<R>,
): AsyncGenerator<{ item: T; result: PromiseSettledResult<R> }> {
  const running = new Map<number, ReturnType<typeof settle>>();
  let id = 0;

  for (const item of items) {
    running.set(++id, settle(id, item));
    if (!(running.size + 1 <= limit)) yield await takeOne();
  }
  while (running.size > 0) yield await takeOne();

  async function settle(id: number, item: T) {
    const [result] = await Promise.allSettled([(async () => task(item))()]); // also where task throws
    return { id, item, result };
  }
  async function takeOne() {
    const { id, ...finished } = await Promise.race(running.values());
    running.delete(id);
    return finished;
  }
}
// snippet:usage
// snippet:prints 5 fulfilled
// snippet:prints -30 rejected
// snippet:prints 600 fulfilled
// snippet:prints 700 fulfilled
let active = 0;
let peak = 0;
const wait = async (ms: number): Promise<string> => {
  peak = Math.max(peak, ++active);
  await new Promise((resolve) => setTimeout(resolve, Math.abs(ms)));
  active--;
  if (ms < 0) throw new Error("negative");
  return `${ms} ms`;
};
for await (const { item, result } of mapConcurrently([600, 5, -30, 700], 2, wait)) {
  console.log(item, result.status);
}
// snippet:check
// snippet:prints peak 2
// snippet:prints rejected
console.log("peak", peak);
for await (const _ of mapConcurrently([1, 2, 3], NaN, wait)) if (active > 0) console.log("NaN is no limit");
for await (const { result } of mapConcurrently([1], 2, () => JSON.parse("{"))) console.log(result.status);
