// snippet:doc https://www.typescriptlang.org/docs/handbook/2/classes.html Classes
export class CircuitOpenError extends Error {}

/** Stop calling a service that keeps failing; let one call through now and then to look. */
export class CircuitBreaker {
  #failures = 0;
  #openUntil = -Infinity;

  constructor(readonly threshold = 5, readonly pause = 30_000, readonly now = () => performance.now()) {}

  async call<T>(operation: () => Promise<T>): Promise<T> {
    if (this.now() < this.#openUntil) throw new CircuitOpenError("not called: it failed too often a moment ago");
    const isTrial = this.#failures >= this.threshold;
    if (isTrial) this.#openUntil = this.now() + this.pause; // for others, also if this one never ends
    try {
      const result = await operation();
      // A late answer to a call from before the failures says nothing about now.
      if (isTrial || this.#failures < this.threshold) this.#settle(0);
      return result;
    } catch (error: unknown) {
      if (isTrial || this.#failures < this.threshold) this.#settle(this.#failures + 1);
      throw error;
    }
  }

  #settle(failures: number): void {
    this.#failures = failures;
    this.#openUntil = failures >= this.threshold ? this.now() + this.pause : -Infinity;
  }
}
// snippet:check
let now = 0;
const breaker = new CircuitBreaker(2, 100, () => now);
const fail = () => Promise.reject(new Error("503"));
const attempt = (operation: () => Promise<string>) =>
  breaker.call(operation).then(console.log, (error) => console.log(error.constructor.name));
await attempt(fail);
await attempt(fail);
await attempt(async () => "not called");
now = 100;
await attempt(fail);
await attempt(async () => "not called");
now = 200;
await attempt(async () => "recovered");
await Promise.all([attempt(fail), attempt(fail)]);
await attempt(async () => "not called");
now = 300;
void attempt(() => new Promise(() => {})); // hangs for ever
await attempt(async () => "not called");
now = 400;
await attempt(async () => "recovered again");
// snippet:prints Error
// snippet:prints Error
// snippet:prints CircuitOpenError
// snippet:prints Error
// snippet:prints CircuitOpenError
// snippet:prints recovered
// snippet:prints Error
// snippet:prints Error
// snippet:prints CircuitOpenError
// snippet:prints CircuitOpenError
// snippet:prints recovered again
