// snippet:doc https://www.typescriptlang.org/docs/handbook/2/classes.html Classes
/** Least-recently-used cache whose entries also age; a Map keeps the order of use. */
export class LruCache<K, V> {
  readonly #entries = new Map<K, { value: V; expires: number }>();

  constructor(
    private readonly capacity: number,
    private readonly maxAge = Infinity,
    private readonly now: () => number = Date.now,
  ) {}

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    if (!entry || entry.expires <= this.now()) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, expires: this.now() + this.maxAge });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.capacity) break;
      this.#entries.delete(oldest);
    }
  }
}
// snippet:check
let now = 0;
const cache = new LruCache<string, number>(2, 100, () => now);
cache.set("a", 1);
cache.set("b", 2);
cache.get("a");
cache.set("c", 3);
console.log(cache.get("a"), cache.get("b"), cache.get("c"));
now = 100;
console.log(cache.get("a"));
// snippet:prints 1 undefined 3
// snippet:prints undefined
