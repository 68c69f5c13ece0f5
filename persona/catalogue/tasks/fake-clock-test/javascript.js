// snippet:doc https://nodejs.org/api/test.html#class-mocktimers MockTimers
// snippet:check
import { writeSync } from "node:fs";
process.stdout.write = (_chunk, encoding, done = encoding) => (done?.(), true);
process.on("exit", (code) => writeSync(1, `exit ${code}\n`));
// snippet:end
import assert from "node:assert/strict";
import { it } from "node:test";

/** Sign people out after a quarter of an hour without activity. */
export class Session {
  constructor(onExpire, idle = 15 * 60_000) {
    this.touch = () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(onExpire, idle);
    };
    this.touch();
  }
}

it("expires a quarter of an hour after the last activity", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const onExpire = t.mock.fn();
  const session = new Session(onExpire);

  t.mock.timers.tick(14 * 60_000);
  session.touch();
  t.mock.timers.tick(14 * 60_000); // 28 minutes in all
  assert.equal(onExpire.mock.callCount(), 0);
  t.mock.timers.tick(60_000);
  assert.equal(onExpire.mock.callCount(), 1);
});
// snippet:prints exit 0
