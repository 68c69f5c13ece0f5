// snippet:doc https://www.typescriptlang.org/docs/handbook/2/functions.html#unknown unknown
type Read<T> = (value: unknown, path: string) => T;

const fail = (path: string, wanted: string): never => {
  throw new TypeError(`${path}: expected ${wanted}`);
};
const string: Read<string> = (v, path) => (typeof v === "string" ? v : fail(path, "a text"));
const number: Read<number> = (v, path) => // 1e999 is read as Infinity
  typeof v === "number" && Number.isFinite(v) ? v : fail(path, "a number");
const list = <T>(item: Read<T>): Read<T[]> => (v, path) =>
  Array.isArray(v) ? v.map((each, i) => item(each, `${path}[${i}]`)) : fail(path, "a list");
const optional = <T>(read: Read<T>, missing: T): Read<T> => (v, path) =>
  v === undefined ? missing : read(v, path);
const object = <T extends object>(shape: { [K in keyof T]: Read<T[K]> }): Read<T> => (v, path) => {
  if (typeof v !== "object" || v === null) return fail(path, "an object");
  const read = (key: keyof T & string) => [key, shape[key]((v as T)[key], `${path}.${key}`)];
  return Object.fromEntries((Object.keys(shape) as (keyof T & string)[]).map(read)) as T;
};

interface Order {
  id: string;
  note: string;
  items: { sku: string; quantity: number }[];
}

const order = object<Order>({
  id: string,
  note: optional(string, ""),
  items: list(object({ sku: string, quantity: number })),
});

export const parseOrder = (json: string): Order => order(JSON.parse(json), "order");
// snippet:check
console.log(JSON.stringify(parseOrder('{"id":"a1","items":[{"sku":"tea","quantity":2}]}')));
for (const json of ['{"id":"a1","items":[{"sku":"tea","quantity":"2"}]}', '{"items":[]}', "null"]) {
  try {
    parseOrder(json);
  } catch (error) {
    console.log(String(error));
  }
}
// snippet:prints {"id":"a1","note":"","items":[{"sku":"tea","quantity":2}]}
// snippet:prints TypeError: order.items[0].quantity: expected a number
// snippet:prints TypeError: order.id: expected a text
// snippet:prints TypeError: order: expected an object
