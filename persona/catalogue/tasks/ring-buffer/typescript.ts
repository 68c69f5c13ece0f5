// snippet:doc https://www.typescriptlang.org/docs/handbook/2/classes.html#implements-clauses implements clauses
/** The last `capacity` items; older ones are overwritten. Nothing is moved, nothing grows. */
export class RingBuffer<T> implements Iterable<T> {
  readonly #slots: (T | undefined)[];
  #start = 0;
  #size = 0;

  constructor(readonly capacity: number) {
    if (!Number.isInteger(capacity) || capacity < 1) throw new RangeError("capacity: at least 1");
    this.#slots = new Array<T | undefined>(capacity).fill(undefined);
  }

  get size(): number {
    return this.#size;
  }

  push(item: T): void {
    this.#slots[(this.#start + this.#size) % this.capacity] = item;
    if (this.#size < this.capacity) this.#size++;
    else this.#start = (this.#start + 1) % this.capacity;
  }

  *[Symbol.iterator](): Generator<T> {
    for (let i = 0; i < this.#size; i++) {
      yield this.#slots[(this.#start + i) % this.capacity] as T;
    }
  }
}
// snippet:check
const recent = new RingBuffer<string>(3);
["boot", "login", "open", "save"].forEach((event) => recent.push(event));
console.log([...recent].join(" → "), recent.size);
// snippet:prints login → open → save 3
