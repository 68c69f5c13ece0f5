// snippet:doc https://nodejs.org/api/test.html Node.js test runner
// snippet:into Save it as duration.test.ts: npx tsx --test duration.test.ts
// snippet:check
import { writeSync } from "node:fs";
process.stdout.write = ((_chunk: unknown, encoding?: unknown, done: unknown = encoding) => {
  if (typeof done === "function") done();
  return true;
}) as typeof process.stdout.write;
process.on("exit", (code) => writeSync(1, `exit ${code}\n`));
// snippet:end
import assert from "node:assert/strict";
import { test } from "node:test";

/** Compares versions of numbers only: 1.10.0 or v2, but not 2.0-beta. */
export function compareVersions(a: string, b: string): -1 | 0 | 1 {
  const numbers = (version: string): number[] => version.replace(/^v/, "").split(".").map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference < 0 ? -1 : 1;
  }
  return 0;
}

const cases = [
  { a: "1.2.0", b: "1.10.0", want: -1, why: "numbers, not text" },
  { a: "v2.0", b: "2", want: 0, why: "missing parts are zero" },
  { a: "3.0.1", b: "3", want: 1, why: "a patch is newer" },
] as const;

for (const { a, b, want, why } of cases) {
  test(`${a} and ${b}: ${why}`, () => {
    assert.equal(compareVersions(a, b), want);
    assert.equal(compareVersions(b, a), -want + 0); // the other way round, too
  });
}
// snippet:prints exit 0
