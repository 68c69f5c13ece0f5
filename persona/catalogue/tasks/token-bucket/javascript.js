// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/Performance/now performance.now()
/** Allows `rate` calls a second per key, with bursts of up to `burst`. */
export class RateLimiter {
  #buckets = new Map();

  constructor({ rate, burst, clock = () => performance.now() / 1000 }) {
    Object.assign(this, { rate, burst, clock });
  }

  /** Seconds to wait before this key may call; 0 means: go ahead, and it is counted. */
  take(key) {
    const now = this.clock();
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: this.burst, at: now };
    const available = Math.min(this.burst, tokens + (now - at) * this.rate);
    if (available < 1) return (1 - available) / this.rate;
    this.#buckets.set(key, { tokens: available - 1, at: now });
    return 0;
  }

  /** Full buckets say nothing: drop them now and then, or the map grows for ever. */
  sweep() {
    const now = this.clock();
    for (const [key, { tokens, at }] of this.#buckets) {
      if (tokens + (now - at) * this.rate >= this.burst) this.#buckets.delete(key);
    }
    return this.#buckets.size;
  }
}
// snippet:check
let now = 0;
const limiter = new RateLimiter({ rate: 2, burst: 2, clock: () => now });
console.log([1, 2, 3].map(() => limiter.take("10.0.0.1")).join(" "), limiter.take("10.0.0.2"));
now = 0.5;
console.log(limiter.take("10.0.0.1"), limiter.sweep());
now = 9;
console.log(limiter.sweep());
// snippet:prints 0 0 0.5 0
// snippet:prints 0 1
// snippet:prints 0
