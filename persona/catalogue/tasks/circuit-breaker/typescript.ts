// snippet:doc https://www.typescriptlang.org/docs/handbook/2/narrowing.html#discriminated-unions Discriminated unions
type State =
  { kind: "closed"; failures: number } | { kind: "open"; until: number } | { kind: "half-open" };

export class CircuitOpenError extends Error {}

/** Stop calling a service that keeps failing; let one call through now and then to look. */
export class CircuitBreaker {
  #state: State = { kind: "closed", failures: 0 };

  constructor(readonly threshold = 5, readonly pause = 30_000, readonly now = Date.now) {}

  async call<T>(operation: () => Promise<T>): Promise<T> {
    const state = this.#state;
    if (state.kind === "half-open" || (state.kind === "open" && this.now() < state.until)) {
      throw new CircuitOpenError("the service is given time to recover");
    }
    if (state.kind === "open") this.#state = { kind: "half-open" };
    try {
      const result = await operation();
      this.#state = { kind: "closed", failures: 0 };
      return result;
    } catch (error: unknown) {
      const failures = state.kind === "closed" ? state.failures + 1 : this.threshold;
      const open = { kind: "open", until: this.now() + this.pause } as const;
      this.#state = failures >= this.threshold ? open : { kind: "closed", failures };
      throw error;
    }
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
// snippet:prints Error
// snippet:prints Error
// snippet:prints CircuitOpenError
// snippet:prints Error
// snippet:prints CircuitOpenError
// snippet:prints recovered
