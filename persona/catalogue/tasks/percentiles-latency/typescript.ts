// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/TypedArray/sort TypedArray.prototype.sort()
/** Nearest-rank percentiles; `values` in any order, `percents` from 0 to 100. */
export function percentiles<const P extends readonly number[]>(
  values: readonly number[],
  percents: P,
): { [I in keyof P]: number } {
  if (values.length === 0) throw new RangeError("no values");
  const sorted = Float64Array.from(values).sort(); // typed arrays sort by number
  const at = (percent: number): number =>
    sorted[Math.max(0, Math.ceil((percent * sorted.length) / 100 - 1e-7) - 1)]!; // 99.9 * 41000 / 100 is above 40959
  return percents.map(at) as { [I in keyof P]: number };
}

const milliseconds = [12, 14, 13, 240, 12, 16, 14, 900, 13, 12];
const [median, p90, p99] = percentiles(milliseconds, [50, 90, 99]);
const mean = milliseconds.reduce((sum, value) => sum + value, 0) / milliseconds.length;
console.log(`mean ${mean} ms, but half of the people waited at most ${median} ms, nine in ten at most ${p90} ms`);
console.log(`slowest ${p99} ms`);
// snippet:prints mean 124.6 ms, but half of the people waited at most 13 ms, nine in ten at most 240 ms
// snippet:prints slowest 900 ms
// snippet:check
if (percentiles(Array.from({ length: 41000 }, (_, i) => i + 1), [99.9])[0] !== 40959) throw new Error("99.9 percent of 41,000");
