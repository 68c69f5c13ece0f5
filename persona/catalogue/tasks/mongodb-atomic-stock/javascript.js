// snippet:doc https://www.mongodb.com/docs/manual/core/write-operations-atomicity/ Atomicity
// snippet:about MongoDB
// snippet:check
import { database } from "./server.mjs";
// snippet:prints 5 of 20 buyers got one, 0 left
// snippet:prints RangeError: quantity: expected a whole number from 1
// snippet:prints 2 again, 3 reservations
// snippet:end
// sku and order are plain values, such as texts: an object would be taken for an operator.
export async function reserve(products, sku, order, quantity) {
  if (!Number.isInteger(quantity) || quantity < 1) throw new RangeError("quantity: expected a whole number from 1");
  const { matchedCount } = await products.updateOne(
    { sku, stock: { $gte: quantity }, "reservations.order": { $ne: order } },
    { $inc: { stock: -quantity }, $push: { reservations: { order, quantity, at: new Date() } } },
  );
  return matchedCount === 1;
}

export async function release(products, sku, order, quantity) {
  const { matchedCount } = await products.updateOne(
    { sku, reservations: { $elemMatch: { order, quantity } } },
    { $pull: { reservations: { order } }, $inc: { stock: quantity } },
  );
  return matchedCount === 1; // false: released already, or never reserved with this quantity
}
// snippet:check
const products = (await database()).collection("products");
await products.insertOne({ sku: "MUG-1", stock: 5, reservations: [] });
const got = await Promise.all(Array.from({ length: 20 }, (_, order) => reserve(products, "MUG-1", order, 1)));
const { stock } = await products.findOne({ sku: "MUG-1" });
console.log(`${got.filter(Boolean).length} of 20 buyers got one, ${stock} left`);
await reserve(products, "MUG-1", 99, -3).catch((error) => console.log(String(error)));
const winners = got.flatMap((won, order) => (won ? [order] : []));
await Promise.all(winners.slice(0, 3).flatMap((order) => [release(products, "MUG-1", order, 1), release(products, "MUG-1", order, 1)]));
await reserve(products, "MUG-1", winners[4], 1); // has one already
await reserve(products, "MUG-1", 50, 1);
const after = await products.findOne({ sku: "MUG-1" });
console.log(`${after.stock} again, ${after.reservations.length} reservations`);
process.exit();
