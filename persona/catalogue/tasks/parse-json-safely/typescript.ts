// snippet:doc https://www.typescriptlang.org/docs/handbook/2/narrowing.html#using-type-predicates Type predicates
type Guard<T> = (value: unknown) => value is T;

const string: Guard<string> = (value) => typeof value === "string";
const number: Guard<number> = (value) => typeof value === "number";
const list = <T>(item: Guard<T>): Guard<T[]> =>
  (value): value is T[] => Array.isArray(value) && value.every(item);
const object = <T extends object>(shape: { [K in keyof T]: Guard<T[K]> }): Guard<T> =>
  (value): value is T =>
    typeof value === "object" && value !== null &&
    (Object.keys(shape) as (keyof T)[]).every((key) => shape[key]((value as T)[key]));

interface Order {
  id: string;
  total: number;
  items: { sku: string; quantity: number }[];
}

const isOrder = object<Order>({
  id: string,
  total: number,
  items: list(object({ sku: string, quantity: number })),
});

export function parseOrder(json: string): Order {
  const value: unknown = JSON.parse(json); // `any` would switch the compiler off
  if (!isOrder(value)) throw new TypeError("this is not an order");
  return value;
}
// snippet:check
console.log(parseOrder('{"id":"a1","total":7,"items":[{"sku":"tea","quantity":2}]}').items[0]?.sku);
for (const json of ['{"id":"a1","total":"7","items":[]}', "null"]) {
  try {
    parseOrder(json);
  } catch (error) {
    console.log(String(error));
  }
}
// snippet:prints tea
// snippet:prints TypeError: this is not an order
// snippet:prints TypeError: this is not an order
