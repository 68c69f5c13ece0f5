// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Statements/function* function*
const MINUTE = 60_000;

/** Yield one `{ start, count, mean, max }` per bucket; an empty bucket has count 0. */
export function* bucketize(readings, size = 5 * MINUTE) {
  const slots = new Map();
  let [first, last] = [Infinity, -Infinity];
  for (const { time, value } of readings) {
    const slot = Math.floor(Date.parse(time) / size);
    if (Number.isNaN(slot)) throw new RangeError(`not a time: ${time}`);
    if (!Number.isFinite(value)) throw new TypeError(`not a number: ${value}`); // a text or null from JSON
    const { count, sum, max } = slots.get(slot) ?? { count: 0, sum: 0, max: -Infinity };
    slots.set(slot, { count: count + 1, sum: sum + value, max: Math.max(max, value) });
    [first, last] = [Math.min(first, slot), Math.max(last, slot)];
  }
  for (let slot = first; slot <= last; slot++) {
    const { count, sum, max } = slots.get(slot) ?? { count: 0 };
    // A gap is null, not zero: charts leave it open.
    yield { start: new Date(slot * size).toISOString(), count, mean: count ? sum / count : null, max: max ?? null };
  }
}
// snippet:usage
const readings = [["10:02", 20], ["10:04", 21], ["10:16", 25], ["10:06", 23.5]];
for (const bucket of bucketize(readings.map(([at, value]) => ({ time: `2025-03-05T${at}Z`, value })))) {
  console.log(JSON.stringify(bucket));
}
console.log([...bucketize([])].length);
try { [...bucketize([{ time: "noon", value: 1 }])]; } catch (error) { console.log(error.message); }
// snippet:prints {"start":"2025-03-05T10:00:00.000Z","count":2,"mean":20.5,"max":21}
// snippet:prints {"start":"2025-03-05T10:05:00.000Z","count":1,"mean":23.5,"max":23.5}
// snippet:prints {"start":"2025-03-05T10:10:00.000Z","count":0,"mean":null,"max":null}
// snippet:prints {"start":"2025-03-05T10:15:00.000Z","count":1,"mean":25,"max":25}
// snippet:prints 0
// snippet:prints not a time: noon
