// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Object/entries Object.entries()
// snippet:needs TypeScript 5.0
/** Build a chooser: `choose(random())`, from 0 to below 1, gives each name as often as its weight says. */
export function weighted<const W extends Record<string, number>>(weights: W) {
  type Name = `${keyof W & (string | number)}`; // also of { 1: 5, 2: 3 }
  const bounds: { name: Name; upTo: number }[] = [];
  let total = 0;
  for (const [name, weight] of Object.entries(weights) as [Name, number][]) {
    if (typeof weight !== "number" || !(weight >= 0)) { // JSON may hold a text
      throw new RangeError(`${name}: expected a number from 0, got ${weight}`);
    }
    total += weight;
    bounds.push({ name, upTo: total });
  }
  if (!(total > 0 && total < Infinity)) throw new RangeError("the weights must have a finite sum above 0");
  return (random: number): Name => bounds.find(({ upTo }) => random * total < upTo)!.name;
}

const loot = weighted({ common: 70, rare: 25, legendary: 5 });
console.log([0, 0.5, 0.699, 0.7, 0.949, 0.95, 0.999].map(loot).join(" "));
console.log(loot(Math.random()) satisfies "common" | "rare" | "legendary" ? "one of three" : "");
// snippet:usage
// snippet:prints common common common rare rare legendary legendary
// snippet:prints one of three
// snippet:check
// snippet:prints 1 2 1
const die = weighted({ 1: 1, 2: 2 });
console.log([0, 0.5].map(die).join(" ") satisfies string, die(0) satisfies "1" | "2");
