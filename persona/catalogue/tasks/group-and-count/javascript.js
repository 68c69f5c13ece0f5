// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Map Map
const orders = [
  { customer: "Ana", country: "PT", total: 120 },
  { customer: "Bo", country: "SE", total: 80 },
  { customer: "Cy", country: "PT", total: 45.5 },
  { customer: "Di", country: "SE", total: 300 },
];

/** Map of group → rows, in the order in which the groups appear. Newer engines have it built in. */
function groupBy(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(row);
  }
  return groups;
}

const summary = [...groupBy(orders, (order) => order.country)]
  .map(([country, rows]) => ({
    country,
    orders: rows.length,
    revenue: rows.reduce((sum, row) => sum + row.total, 0), // totals are numbers: a text would be joined
  }))
  .sort((a, b) => b.revenue - a.revenue);

console.log(summary.map((row) => Object.values(row).join("\t")).join("\n"));
// snippet:prints SE	2	380
// snippet:prints PT	2	165.5
