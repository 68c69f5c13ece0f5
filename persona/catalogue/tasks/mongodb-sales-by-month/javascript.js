// snippet:doc https://www.mongodb.com/docs/manual/reference/operator/aggregation/group/ $group (aggregation)
// snippet:about MongoDB
// snippet:check
import { database } from "./server.mjs";
// snippet:prints { month: '2026-03', sku: 'MUG-1', pieces: 3, cents: 1350 }
// snippet:prints { month: '2026-03', sku: 'TEA-2', pieces: 1, cents: 700 }
// snippet:prints { month: '2026-04', sku: 'MUG-1', pieces: 1, cents: 450 }
// snippet:end
export function salesByMonth(orders, from, until, timezone = "Europe/Berlin") {
  return orders
    .aggregate([
      { $match: { placedAt: { $gte: from, $lt: until }, status: { $ne: "cancelled" } } }, // index: placedAt
      { $unwind: "$lines" },
      {
        $group: {
          _id: { month: { $dateToString: { date: "$placedAt", format: "%Y-%m", timezone } }, sku: "$lines.sku" },
          pieces: { $sum: "$lines.quantity" },
          cents: { $sum: { $multiply: ["$lines.quantity", "$lines.cents"] } },
        },
      },
      { $sort: { "_id.month": 1, cents: -1, "_id.sku": 1 } },
      { $project: { _id: 0, month: "$_id.month", sku: "$_id.sku", pieces: 1, cents: 1 } },
    ])
    .toArray();
}
// snippet:check
const orders = (await database()).collection("orders");
const line = (sku, quantity, cents) => ({ sku, quantity, cents });
await orders.insertMany([
  { placedAt: new Date("2026-03-01T10:00Z"), status: "paid", lines: [line("MUG-1", 2, 450), line("TEA-2", 1, 700)] },
  { placedAt: new Date("2026-03-05T10:00Z"), status: "paid", lines: [line("MUG-1", 1, 450)] },
  { placedAt: new Date("2026-03-06T10:00Z"), status: "cancelled", lines: [line("MUG-1", 9, 450)] },
  { placedAt: new Date("2026-03-31T22:30Z"), status: "paid", lines: [line("MUG-1", 1, 450)] }, // 00:30 in Berlin
  { placedAt: new Date("2026-06-01T00:00Z"), status: "paid", lines: [line("MUG-1", 1, 450)] },
]);
for (const { month, sku, pieces, cents } of await salesByMonth(orders, new Date("2026-01-01"), new Date("2026-06-01"))) {
  console.log({ month, sku, pieces, cents });
}
process.exit();
