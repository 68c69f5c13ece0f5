// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Intl/DateTimeFormat Intl.DateTimeFormat
// snippet:why One moment, and the clock of each reader.
const meeting = new Date("2025-10-24T14:30:00Z"); // the instant, in UTC

const team = [
  { name: "Inês", timeZone: "Europe/Lisbon", locale: "pt-PT" },
  { name: "Kenji", timeZone: "Asia/Tokyo", locale: "ja-JP" },
  { name: "Maya", timeZone: "America/Los_Angeles", locale: "en-US" },
];

const wallClock = (instant, { timeZone, locale }) =>
  new Intl.DateTimeFormat(locale, {
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  }).format(instant);

/** The hour from 0 to 23 on a wall there, to see who would have to get up at night. */
const hourIn = (instant, timeZone) =>
  Number(new Intl.DateTimeFormat("en-GB", { hour: "2-digit", timeZone }).format(instant));

for (const person of team) {
  const hour = hourIn(meeting, person.timeZone);
  const note = hour < 8 || hour >= 19 ? "  (outside working hours)" : "";
  console.log(`${person.name}: ${wallClock(meeting, person)}${note}`);
}
// snippet:prints Inês: sexta, 15:30
// snippet:prints Kenji: 23:30 (金)  (outside working hours)
// snippet:prints Maya: Fri 07:30  (outside working hours)
