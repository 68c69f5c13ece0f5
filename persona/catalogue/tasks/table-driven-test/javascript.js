// snippet:doc https://nodejs.org/api/test.html Node.js test runner
// snippet:into Save it as duration.test.mjs: node --test
// snippet:check
import { writeSync } from "node:fs";
process.stdout.write = (_chunk, encoding, done = encoding) => (done?.(), true);
process.on("exit", (code) => writeSync(1, `exit ${code}\n`));
// snippet:end
import assert from "node:assert/strict";
import { describe, it } from "node:test";

/** "1:02:03", "2:03" or "45" → seconds. */
export function parseDuration(text) {
  if (!/^\d+(:[0-5]\d){0,2}$/.test(text)) throw new SyntaxError(`not a duration: "${text}"`);
  return text.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0);
}

describe("parseDuration", () => {
  for (const [text, seconds] of [
    ["45", 45],
    ["2:03", 123],
    ["1:02:03", 3723],
  ]) {
    it(`reads ${text}`, () => assert.equal(parseDuration(text), seconds));
  }

  for (const text of ["", "1:60", "1:2", "-5", "1:02:03:04"]) {
    it(`refuses "${text}"`, () => assert.throws(() => parseDuration(text), /not a duration/));
  }
});
// snippet:prints exit 0
