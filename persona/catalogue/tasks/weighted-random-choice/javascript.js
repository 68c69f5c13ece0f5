// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Math/imul Math.imul()
/** Small repeatable generator (xorshift32): the same seed gives the same dungeon. */
export function createRandom(seed) {
  let state = seed >>> 0 || 1; // zero would stay zero for ever
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return {
    next,
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    /** Fisher-Yates: sorting by a random key would favour some orders. */
    shuffle(items) {
      const copy = [...items];
      for (let i = copy.length - 1; i > 0; i--) {
        const j = this.integer(0, i);
        [copy[i], copy[j]] = [copy[j], copy[i]];
      }
      return copy;
    },
  };
}

const random = createRandom(42);
console.log(Array.from({ length: 5 }, () => random.integer(1, 6)).join(" "));
console.log(random.shuffle(["sword", "shield", "potion", "map"]).join(" "));
// snippet:prints 1 4 1 6 6
// snippet:prints sword map potion shield
