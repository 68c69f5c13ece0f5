// snippet:doc https://nodejs.org/api/test.html#class-mocktimers MockTimers
// snippet:into Save it as retry.test.mjs: node --test
// snippet:about Node.js
// snippet:needs Node.js 20.11
import assert from "node:assert/strict";
import { test } from "node:test";

export async function retry(call, waits = [1000, 2000, 4000]) {
  for (const wait of waits) {
    try {
      return await call();
    } catch {
      await new Promise((done) => setTimeout(done, wait));
    }
  }
  return call(); // the last failure is the caller's
}

test("waits longer each time", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const call = t.mock.fn(async () => assert.equal(call.mock.callCount(), 3, "not yet"));

  const result = retry(call);
  for (const [calls, wait] of [1000, 2000, 4000].entries()) {
    await new Promise(setImmediate); // let the promises settle
    t.mock.timers.tick(wait - 1);
    await new Promise(setImmediate);
    assert.equal(call.mock.callCount(), calls + 1); // a millisecond too early
    t.mock.timers.tick(1);
  }
  await result;
  assert.equal(call.mock.callCount(), 4);
});
// snippet:check
test("the last failure is the caller's", () =>
  assert.rejects(retry(async () => { throw new Error("down"); }, []), /down/));
// snippet:prints # pass 2
