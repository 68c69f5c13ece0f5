// snippet:doc https://www.mongodb.com/docs/manual/reference/method/cursor.skip/#using-range-queries Range queries instead of skip
// snippet:about MongoDB
// snippet:check
import { database } from "./server.mjs";
// snippet:prints e d | c b | a
// snippet:prints TypeError: cursor: not one of ours
// snippet:end
import { ObjectId } from "mongodb";

// Needs the index { placedAt: -1, _id: -1 }; each order has a date, and an ObjectId as its _id.
export async function page(orders, size = 20, cursor) {
  const after = cursor === undefined ? {} : decode(cursor);
  const found = await orders.find(after).sort({ placedAt: -1, _id: -1 }).limit(size + 1).toArray();
  const items = found.slice(0, size);
  const last = found.length > size ? items.at(-1) : undefined;
  return { items, next: last && encode(last) };
}

const encode = ({ placedAt, _id }) => Buffer.from(`${placedAt.toISOString()} ${_id}`).toString("base64url");

function decode(cursor) {
  const [time, id] = Buffer.from(cursor, "base64url").toString().split(" ");
  const placedAt = new Date(time);
  if (Number.isNaN(placedAt.getTime()) || !ObjectId.isValid(id)) throw new TypeError("cursor: not one of ours");
  return { $or: [{ placedAt: { $lt: placedAt } }, { placedAt, _id: { $lt: new ObjectId(id) } }] };
}
// snippet:check
const orders = (await database()).collection("orders");
const at = (day) => new Date(Date.UTC(2026, 2, day));
await orders.insertMany([["a", 1], ["b", 2], ["c", 2], ["d", 2], ["e", 3]].map(([name, day], i) =>
  ({ _id: new ObjectId(`00000000000000000000000${i}`), name, placedAt: at(day) })));
const pages = [];
let next;
do {
  const found = await page(orders, 2, next);
  pages.push(found.items.map(({ name }) => name).join(" "));
  if (!next) await orders.insertOne({ name: "new", placedAt: at(9) }); // shifts no page
  next = found.next;
} while (next);
console.log(pages.join(" | "));
await page(orders, 2, Buffer.from("x y").toString("base64url")).catch((error) => console.log(String(error)));
process.exit();
