// snippet:doc https://www.mongodb.com/docs/manual/reference/operator/update/positional-filtered/ $[<identifier>] (update)
// snippet:about MongoDB
// snippet:check
import { database } from "./server.mjs";
// snippet:prints [ 'packed', 'shipped', 'delivered' ]
// snippet:prints [ 'MUG-1 shipped', 'TEA-2 open', 'MUG-1 shipped' ]
// snippet:prints false
// snippet:end
const KEPT = 3;
// number and sku are plain values: an object would be taken for an operator.

export async function record(orders, number, event) {
  const { matchedCount } = await orders.updateOne(
    { number },
    { $push: { history: { $each: [{ event, at: new Date() }], $slice: -KEPT } }, $set: { status: event } },
  );
  return matchedCount === 1; // false: there is no such order
}

export async function shipLines(orders, number, sku) {
  const { modifiedCount } = await orders.updateOne(
    { number },
    { $set: { "lines.$[line].state": "shipped" } },
    { arrayFilters: [{ "line.sku": sku, "line.state": "open" }] }, // not a line that was cancelled
  );
  return modifiedCount === 1;
}
// snippet:check
const orders = (await database()).collection("orders");
const line = (sku) => ({ sku, state: "open" });
await orders.insertOne({ number: 1, history: [], lines: [line("MUG-1"), line("TEA-2"), line("MUG-1")] });
await Promise.all(["placed", "paid"].map((event) => record(orders, 1, event)));
for (const event of ["packed", "shipped", "delivered"]) await record(orders, 1, event);
await shipLines(orders, 1, "MUG-1");
const order = await orders.findOne({ number: 1 });
console.log(order.history.map(({ event }) => event));
console.log(order.lines.map(({ sku, state }) => `${sku} ${state}`));
console.log(await record(orders, 9, "paid"));
process.exit();
