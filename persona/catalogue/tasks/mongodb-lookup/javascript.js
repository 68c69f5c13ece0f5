// snippet:doc https://www.mongodb.com/docs/manual/reference/operator/aggregation/lookup/ $lookup (aggregation)
// snippet:about MongoDB
// snippet:check
import { database } from "./server.mjs";
// snippet:prints 3 Grace [ 'number', 'cents', 'customer' ]
// snippet:prints 2 (unknown)
// snippet:prints 1 Ada
// snippet:end
export function latestOrders(db, count = 20) {
  return db
    .collection("orders")
    .aggregate([
      { $sort: { placedAt: -1 } },
      { $limit: count }, // before the join
      { $lookup: { from: "customers", localField: "customerId", foreignField: "_id", as: "customer" } },
      { $unwind: { path: "$customer", preserveNullAndEmptyArrays: true } },
      {
        $project: {
          _id: 0,
          number: 1,
          cents: 1,
          customer: { $ifNull: ["$customer.name", "(unknown)"] },
        },
      },
    ])
    .toArray();
}
// snippet:check
const db = await database();
await db.collection("customers").insertMany([{ _id: 1, name: "Ada", passwordHash: "secret" }, { _id: 2, name: "Grace" }]);
await db.collection("orders").insertMany([1, 9, 2].map((customerId, i) =>
  ({ number: i + 1, cents: 100, customerId, placedAt: new Date(Date.UTC(2026, 2, i + 1)) })));
const [first, ...others] = await latestOrders(db);
console.log(first.number, first.customer, Object.keys(first));
for (const { number, customer } of others) console.log(number, customer);
process.exit();
