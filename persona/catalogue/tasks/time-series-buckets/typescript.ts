// snippet:doc https://www.typescriptlang.org/docs/handbook/2/objects.html Object types
interface Reading {
  readonly at: Date;
  readonly value: number;
}
interface Bucket {
  readonly start: Date;
  readonly count: number;
  readonly mean: number | null; // null: nothing was measured, which is not zero
}

export function resample(readings: readonly Reading[], minutes: number): Bucket[] {
  const size = minutes * 60_000;
  if (!(size > 0)) throw new RangeError(`minutes: expected more than 0, got ${minutes}`);
  const sums = new Map<number, { count: number; sum: number }>();
  let [first, last] = [Infinity, -Infinity];
  for (const { at, value } of readings) {
    const slot = Math.floor(at.getTime() / size);
    if (Number.isNaN(slot)) throw new RangeError("a reading without a valid time");
    if (!Number.isFinite(value)) throw new RangeError("a reading without a number"); // JSON may hold a text or null
    const { count, sum } = sums.get(slot) ?? { count: 0, sum: 0 };
    sums.set(slot, { count: count + 1, sum: sum + value });
    [first, last] = [Math.min(first, slot), Math.max(last, slot)];
  }
  return Array.from({ length: sums.size ? last - first + 1 : 0 }, (_, i): Bucket => {
    const start = new Date((first + i) * size);
    const bucket = sums.get(first + i);
    if (!bucket) return { start, count: 0, mean: null };
    return { start, count: bucket.count, mean: bucket.sum / bucket.count };
  });
}
// snippet:usage
const sample = [["10:02", 20], ["10:04", 21], ["10:16", 25]] as const;
const readings = sample.map(([time, value]) => ({ at: new Date(`2025-03-05T${time}Z`), value }));
for (const { start, count, mean } of resample(readings, 5)) {
  console.log(start.toISOString().slice(11, 16), count, mean);
}
console.log(resample([], 5));
try { resample([{ at: new Date("noon"), value: 1 }], 5); } catch (error) { console.log(String(error)); }
// snippet:prints 10:00 2 20.5
// snippet:prints 10:05 0 null
// snippet:prints 10:10 0 null
// snippet:prints 10:15 1 25
// snippet:prints []
// snippet:prints RangeError: a reading without a valid time
