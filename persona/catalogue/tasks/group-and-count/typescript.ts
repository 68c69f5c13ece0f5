// snippet:doc https://www.typescriptlang.org/docs/handbook/2/keyof-types.html The keyof type operator
// snippet:description Group rows by the value of a property and keep that property's type for the keys. Each team's tickets are
// snippet:description counted and their hours added up, in the order in which the teams first appear.
interface Ticket {
  team: "search" | "checkout" | "mobile";
  severity: 1 | 2 | 3;
  hours: number;
}

/** Group by a property that is a text or a number; the result's keys have that property's type. */
export function groupBy<T, K extends keyof T>(rows: readonly T[], key: K): Map<T[K], T[]> {
  const groups = new Map<T[K], T[]>();
  for (const row of rows) {
    const group = groups.get(row[key]);
    if (group) group.push(row);
    else groups.set(row[key], [row]);
  }
  return groups;
}

const tickets: Ticket[] = [
  { team: "search", severity: 2, hours: 3 },
  { team: "checkout", severity: 1, hours: 9.5 },
  { team: "search", severity: 1, hours: 6 },
];

for (const [team, rows] of groupBy(tickets, "team")) {
  const hours = rows.reduce((sum, row) => sum + row.hours, 0);
  const urgent = rows.filter((row) => row.severity === 1).length;
  console.log(`${team.padEnd(9)} ${rows.length} tickets, ${urgent} urgent, ${hours} h`);
}
// snippet:prints search    2 tickets, 1 urgent, 9 h
// snippet:prints checkout  1 tickets, 1 urgent, 9.5 h
