// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Math/random Math.random()
/** Returns a function that picks a key of weights as often as its weight says; random gives 0 to below 1. */
export function weightedChoice(weights, random = Math.random) {
  let total = 0;
  const steps = Object.entries(weights).map(([name, weight]) => {
    if (typeof weight !== "number" || !(weight >= 0)) {
      throw new RangeError(`${name}: expected a number from 0, got ${weight}`);
    }
    return [name, (total += weight)];
  });
  if (!(total > 0 && total < Infinity)) throw new RangeError("the weights must have a finite sum above 0");
  return () => {
    const point = random() * total;
    return steps.find(([, end]) => point < end)[0];
  };
}

/** A small repeatable generator (xorshift32): the same seed gives the same loot. Not for secrets. */
export function seeded(seed) {
  let state = Math.imul(seed, 0x9e3779b1) || 1; // small seeds are spread; zero would stay zero for ever
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const loot = weightedChoice({ gold: 90, sword: 9, crown: 1 }, seeded(7));
const found = { gold: 0, sword: 0, crown: 0 };
for (let i = 0; i < 10_000; i++) found[loot()]++;
console.log(found);
// snippet:usage
// snippet:prints { gold: 9009, sword: 902, crown: 89 }
// snippet:check
// snippet:prints the weights must have a finite sum above 0
// snippet:prints the weights must have a finite sum above 0
// snippet:prints a: expected a number from 0, got -1
// snippet:prints a: expected a number from 0, got NaN
// snippet:prints always always
for (const bad of [{}, { a: 0 }, { a: -1 }, { a: NaN }]) {
  try {
    weightedChoice(bad);
  } catch (error) {
    console.log(error.message);
  }
}
console.log(weightedChoice({ never: 0, always: 1 }, () => 0)(), weightedChoice({ always: 1, never: 0 }, () => 1 - 2 ** -53)());
