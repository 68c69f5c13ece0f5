// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Date/UTC Date.UTC()
const DAY = 86_400_000;
const holidays = new Set(["2025-04-18", "2025-04-21", "2025-05-01"]);

const isWorkingDay = (date) =>
  date.getUTCDay() % 6 !== 0 && !holidays.has(date.toISOString().slice(0, 10));

/** From the first day, such as "2025-04-14", up to, but without, the last. In UTC no day has a change of the clocks. */
export function workingDaysBetween(from, to) {
  let count = 0;
  const end = new Date(to).toISOString(); // unreadable: a RangeError; Node.js reads 30 February as a day of March
  for (const date = new Date(from); date.toISOString() < end; date.setTime(date.getTime() + DAY)) {
    if (isWorkingDay(date)) count++;
  }
  return count;
}

/** Never goes back: days is 0 or more. */
export function addWorkingDays(from, days) {
  const date = new Date(from);
  while (days > 0) {
    date.setTime(date.getTime() + DAY);
    if (isWorkingDay(date)) days--;
  }
  return date.toISOString().slice(0, 10);
}

console.log(addWorkingDays("2025-04-16", 3), workingDaysBetween("2025-04-14", "2025-05-05"));
// snippet:prints 2025-04-23 12
