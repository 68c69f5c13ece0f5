// snippet:doc https://www.typescriptlang.org/docs/handbook/2/functions.html Functions
// snippet:needs Node.js 20, TypeScript 5.2
export type Comparator<T> = (a: T, b: T) => number;

/** Numbers are not NaN, and dates are valid: such a one would count as equal to all. */
export const by = <T>(key: (row: T) => string | number | Date): Comparator<T> =>
  (a, b) => {
    const [x, y] = [key(a), key(b)];
    if (typeof x === "string" && typeof y === "string") return x.localeCompare(y, "en");
    return Number(x) - Number(y);
  };

export const descending = <T>(order: Comparator<T>): Comparator<T> => (a, b) => order(b, a);

/** The first comparator that sees a difference decides. */
export const chain = <T>(...orders: Comparator<T>[]): Comparator<T> =>
  (a, b) => orders.reduce((result, order) => result || order(a, b), 0);

const releases = [
  { name: "worker", major: 2, at: new Date("2025-02-01") },
  { name: "api", major: 2, at: new Date("2025-03-01") },
  { name: "Büro", major: 3, at: new Date("2024-12-01") },
];
const order = chain(descending(by((r: (typeof releases)[number]) => r.major)), by((r) => r.name));
console.log(releases.toSorted(order).map((r) => `${r.name} ${r.major}`).join(", "));
// snippet:prints Büro 3, api 2, worker 2
