// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Intl/RelativeTimeFormat Intl.RelativeTimeFormat
// snippet:needs TypeScript 5.4
const UNITS = [ // a year of 365 days: an anniversary is not 11 months ago
  ["year", 31_536_000],
  ["month", 2_628_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const satisfies readonly (readonly [Intl.RelativeTimeFormatUnit, number])[];

/** "2 minutes ago", "in 1 day", "vor 2 Tagen": pure, so that a test needs no clock. */
export function relativeTime(then: Date, now: Date, locale: Intl.LocalesArgument = "en"): string {
  const seconds = Math.trunc((then.getTime() - now.getTime()) / 1000);
  if (Number.isNaN(seconds)) throw new RangeError("not a date");
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  if (!unit) return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(0, "second"); // "now"
  const [name, size] = unit;
  const format = new Intl.RelativeTimeFormat(locale); // numbers: 47 hours ago need not be yesterday
  return format.format(Math.trunc(seconds / size), name); // rounded, 59.7 minutes would be 60
}

const now = new Date("2025-03-14T12:00:00Z");
for (const time of ["2025-03-14T11:57:10Z", "2025-03-15T13:00:00Z", "2024-12-24T18:00:00Z"]) {
  console.log(relativeTime(new Date(time), now), "|", relativeTime(new Date(time), now, "de"));
}
// snippet:prints 2 minutes ago | vor 2 Minuten
// snippet:prints in 1 day | in 1 Tag
// snippet:prints 2 months ago | vor 2 Monaten
