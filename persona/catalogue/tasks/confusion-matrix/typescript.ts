// snippet:doc https://www.typescriptlang.org/docs/handbook/2/generics.html#generic-constraints Generic constraints
export interface Score<L extends string> {
  readonly label: L;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** One score per label; a ratio without cases is NaN, because zero would be a claim. */
export function scores<L extends string>(pairs: { actual: L; predicted: L }[]): Score<L>[] {
  const labels = [...new Set(pairs.flatMap(({ actual, predicted }) => [actual, predicted]))].sort();
  return labels.map((label) => {
    const hits = pairs.filter((p) => p.actual === label && p.predicted === label).length;
    const guessed = pairs.filter((p) => p.predicted === label).length;
    const present = pairs.filter((p) => p.actual === label).length;
    return { label, precision: hits / guessed, recall: hits / present, f1: (2 * hits) / (guessed + present) };
  });
}

const results = "spam:spam ham:ham spam:ham ham:ham ham:spam spam:spam ham:ham"
  .split(" ")
  .map((pair) => pair.split(":") as ["spam" | "ham", "spam" | "ham"])
  .map(([actual, predicted]) => ({ actual, predicted }));
for (const { label, ...rates } of scores(results)) {
  console.log(label, Object.entries(rates).map(([k, v]) => `${k}=${v.toFixed(2)}`).join(" "));
}
// snippet:prints ham precision=0.75 recall=0.75 f1=0.75
// snippet:prints spam precision=0.67 recall=0.67 f1=0.67
