// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Map Map
/** Keeps the `capacity` most recently used entries: a Map remembers insertion order. */
export class LruCache {
  #entries = new Map();

  constructor(capacity = 100) {
    this.capacity = capacity;
  }

  get(key) {
    if (!this.#entries.has(key)) return undefined;
    const value = this.#entries.get(key);
    this.set(key, value); // used just now: back to the young end
    return value;
  }

  set(key, value) {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.capacity) {
      const [oldest] = this.#entries.keys();
      this.#entries.delete(oldest);
    }
  }
}
// snippet:check
const cache = new LruCache(2);
cache.set("a", 1);
cache.set("b", 2);
cache.get("a");
cache.set("c", 3);
const usual = new LruCache();
for (let n = 0; n < 200; n++) usual.set(n, n);
console.log(cache.get("a"), cache.get("b"), cache.get("c"), usual.get(0), usual.get(199));
// snippet:prints 1 undefined 3 undefined 199
