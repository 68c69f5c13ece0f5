// snippet:doc https://vitest.dev/guide/extending-matchers Extending matchers
// snippet:about Vitest
// snippet:needs Vitest 3.2
// snippet:prints passed: an invoice is split without losing a cent
// snippet:prints passed: the message says by how much
import { expect, test } from "vitest";

declare module "vitest" {
  interface Matchers<T = any> { // from Vitest 5 on, it is Matchers<R, T>, and the result is R
    toAddUpTo(cents: number): T;
  }
}

expect.extend({
  toAddUpTo(parts: readonly number[], cents: number) {
    const sum = parts.reduce((a, b) => a + b, 0);
    const verdict = sum === cents ? "exactly" : `${Math.abs(sum - cents)} ${sum < cents ? "less" : "more"} than`;
    return { pass: sum === cents, message: () => `${parts.join(" + ")} is ${sum}, ${verdict} ${cents}` };
  },
});

const split = (cents: number, parts: number) =>
  Array.from({ length: parts }, (_, i) => Math.floor((cents + i) / parts));

test("an invoice is split without losing a cent", () => {
  expect(split(1000, 3)).toAddUpTo(1000);
  expect(split(-1000, 3)).toAddUpTo(-1000);
  expect({ id: 7, parts: split(999, 2) }).toEqual({ id: 7, parts: expect.toAddUpTo(999) });
  expect([333, 333, 333]).not.toAddUpTo(1000);
});
// snippet:check
test("the message says by how much", () => {
  expect(() => expect([333, 333, 333]).toAddUpTo(1000)).toThrow("333 + 333 + 333 is 999, 1 less than 1000");
  expect(() => expect([334, 334, 334]).toAddUpTo(1000)).toThrow("2 more than 1000");
  expect(() => expect([500, 500]).not.toAddUpTo(1000)).toThrow("500 + 500 is 1000, exactly 1000");
});
