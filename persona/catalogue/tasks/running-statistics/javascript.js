// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Functions/get Getters
/** Mean and spread of a stream in constant memory, by Welford's method. */
export class RunningStats {
  count = 0;
  mean = 0;
  min = Infinity;
  max = -Infinity;
  #squares = 0;

  add(value) {
    if (!Number.isFinite(value)) throw new TypeError(`not a number: ${value}`);
    this.count++;
    const delta = value - this.mean;
    this.mean += delta / this.count;
    this.#squares += delta * (value - this.mean);
    this.min = Math.min(this.min, value);
    this.max = Math.max(this.max, value);
    return this;
  }

  /** Sample standard deviation; unknown for fewer than two values. */
  get deviation() {
    return this.count > 1 ? Math.sqrt(this.#squares / (this.count - 1)) : NaN;
  }
}

const frames = [16.6, 16.7, 16.5, 33.4, 16.6].reduce((s, ms) => s.add(ms), new RunningStats());
console.log(`${frames.mean.toFixed(2)} ± ${frames.deviation.toFixed(2)} ms, worst ${frames.max}`);
// snippet:prints 19.96 ± 7.51 ms, worst 33.4
