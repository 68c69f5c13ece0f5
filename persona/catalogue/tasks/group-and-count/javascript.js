// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Array/reduce Array.prototype.reduce()
const orders = [
  { customer: "Ana", country: "PT", total: 120 },
  { customer: "Bo", country: "SE", total: 80 },
  { customer: "Cy", country: "PT", total: 45.5 },
  { customer: "Di", country: "SE", total: 300 },
];

/** Map of group → rows, in the order in which the groups appear. */
function groupBy(rows, keyOf) {
  return rows.reduce((groups, row) => {
    const key = keyOf(row);
    return groups.set(key, [...(groups.get(key) ?? []), row]);
  }, new Map());
}

const summary = [...groupBy(orders, (order) => order.country)]
  .map(([country, rows]) => ({
    country,
    orders: rows.length,
    revenue: rows.reduce((sum, row) => sum + row.total, 0),
  }))
  .sort((a, b) => b.revenue - a.revenue);

console.log(summary.map((row) => Object.values(row).join("\t")).join("\n"));
// snippet:prints SE	2	380
// snippet:prints PT	2	165.5
