// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Statements/function* function*
const MINUTE = 60_000;

/** Yield one `{ start, count, mean, max }` per bucket; an empty bucket has count 0. */
export function* bucketize(readings, size = 5 * MINUTE) {
  const slotOf = ({ time }) => Math.floor(Date.parse(time) / size) * size;
  const slots = new Map();
  for (const reading of readings) {
    const slot = slotOf(reading);
    if (!slots.has(slot)) slots.set(slot, []);
    slots.get(slot).push(reading.value);
  }
  const last = Math.max(...slots.keys());
  for (let slot = Math.min(...slots.keys()); slot <= last; slot += size) {
    const values = slots.get(slot) ?? [];
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    yield {
      start: new Date(slot).toISOString().slice(11, 16),
      count: values.length,
      // A gap is null, not zero: charts leave it open.
      mean: values.length ? mean : null,
      max: values.length ? Math.max(...values) : null,
    };
  }
}
// snippet:check
const readings = [["10:02", 20], ["10:04", 21], ["10:16", 25], ["10:06", 23.5]];
for (const bucket of bucketize(readings.map(([at, value]) => ({ time: `2025-03-05T${at}Z`, value })))) {
  console.log(JSON.stringify(bucket));
}
// snippet:prints {"start":"10:00","count":2,"mean":20.5,"max":21}
// snippet:prints {"start":"10:05","count":1,"mean":23.5,"max":23.5}
// snippet:prints {"start":"10:10","count":0,"mean":null,"max":null}
// snippet:prints {"start":"10:15","count":1,"mean":25,"max":25}
