// snippet:doc https://www.graphql-js.org/docs/n1-dataloader/ Solving the N+1 problem
// snippet:about GraphQL
type LoadAll<K, V> = (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>;

/** Make one for each request: it remembers what it has loaded. */
export class Loader<K, V> {
  readonly #known = new Map<K, Promise<V | undefined>>();
  #waiting: K[] = [];
  #batch: Promise<ReadonlyMap<K, V>> | undefined;

  constructor(private readonly loadAll: LoadAll<K, V>) {}

  load(key: K): Promise<V | undefined> {
    const known = this.#known.get(key);
    if (known) return known;
    this.#waiting.push(key);
    this.#batch ??= new Promise<void>((turn) => setImmediate(turn)).then(() => {
      const keys = this.#waiting;
      this.#waiting = [];
      this.#batch = undefined;
      return this.loadAll(keys);
    });
    const value = this.#batch.then((values) => values.get(key));
    this.#known.set(key, value);
    return value;
  }
}
// snippet:check
import { buildSchema, graphql } from "graphql";
const schema = buildSchema("type Query { orders: [Order!]! } type Order { id: ID!, customer: Customer } type Customer { name: String! }");
const queries: string[][] = [];
const loader = new Loader<string, { name: string }>(async (keys) => {
  queries.push([...keys]);
  return new Map(keys.filter((key) => key !== "c9").map((key) => [key, { name: key.toUpperCase() }]));
});
const order = (id: string, customerId: string) => ({ id, customer: () => loader.load(customerId) });
const rootValue = { orders: () => [order("1", "c1"), order("2", "c2"), order("3", "c1"), order("4", "c9")] };
const { data } = await graphql({ schema, rootValue, source: "{ orders { customer { name } } }" });
console.log(JSON.stringify(data), JSON.stringify(queries));
console.log(await loader.load("c1"), await loader.load("c3"), queries.length);
// snippet:prints {"orders":[{"customer":{"name":"C1"}},{"customer":{"name":"C2"}},{"customer":{"name":"C1"}},{"customer":null}]} [["c1","c2","c9"]]
// snippet:prints { name: 'C1' } { name: 'C3' } 2
