// snippet:doc https://www.typescriptlang.org/docs/handbook/2/template-literal-types.html Template literal types
// snippet:title Add working days to a date
// snippet:description Find the date that lies a number of working days, zero or more, after another one. Weekends and the holidays of a list do
// snippet:description not count.
/** A calendar day that exists, such as "2025-04-16": no time, no zone, and it sorts as text. */
export type Day = `${number}-${number}-${number}`;

const HOLIDAYS: ReadonlySet<Day> = new Set<Day>(["2025-04-18", "2025-04-21", "2025-05-01"]);

function* daysAfter(start: Day): Generator<Day, never> {
  const date = new Date(`${start}T00:00Z`);
  for (;;) {
    date.setUTCDate(date.getUTCDate() + 1);
    yield date.toISOString().slice(0, 10) as Day;
  }
}

const isWorkingDay = (day: Day): boolean =>
  new Date(day).getUTCDay() % 6 !== 0 && !HOLIDAYS.has(day);

export function addWorkingDays(start: Day, count: number): Day {
  if (!(count >= 0 && count < Infinity)) throw new RangeError(`count: expected 0 or more, got ${count}`);
  if (count === 0) return start;
  for (const day of daysAfter(start)) {
    if (isWorkingDay(day) && --count <= 0) return day;
  }
  throw new Error("unreachable: days do not end");
}

console.log(addWorkingDays("2025-04-16", 3));
// snippet:check
console.log(addWorkingDays("2025-04-18", 0));
console.log(addWorkingDays("2025-04-16", 2.5));
// snippet:prints 2025-04-23
// snippet:prints 2025-04-18
// snippet:prints 2025-04-23
