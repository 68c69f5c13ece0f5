// snippet:description Time every call of a handler, also one that fails, in a histogram of constant size, and report the median, the
// snippet:description 95th and the 99th percentile, the longest and the number of calls. The times are those of the histogram,
// snippet:description correct to about three digits, and shown to a tenth of a millisecond.
// snippet:doc https://nodejs.org/api/perf_hooks.html#class-histogram Class: Histogram
import { createHistogram, performance } from "node:perf_hooks";

const latency = createHistogram(); // constant memory, however many values

/** Wrap a handler so that each call is timed, also when it fails. */
export function timed(handler) {
  return async (...args) => {
    const start = performance.now();
    try {
      return await handler(...args);
    } finally {
      latency.record(Math.max(1, Math.round((performance.now() - start) * 1000)));
    }
  };
}

export function report(histogram = latency) {
  const ms = (microseconds) => `${(microseconds / 1000).toFixed(1)} ms`;
  return [50, 95, 99]
    .map((percentile) => `p${percentile} ${ms(histogram.percentile(percentile))}`)
    .concat(`max ${ms(histogram.max)}`, `n ${histogram.count}`)
    .join("  ");
}
// snippet:check
const sample = createHistogram();
for (let i = 1; i <= 100; i++) sample.record(i * 1000);
console.log(report(sample));
await timed(async () => {})();
await timed(async () => Promise.reject(new Error("x")))().catch(() => {});
console.log(latency.count);
// snippet:prints p50 50.0 ms  p95 95.0 ms  p99 99.0 ms  max 100.0 ms  n 100
// snippet:prints 2
