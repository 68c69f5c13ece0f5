// snippet:check
// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Intl Intl
// snippet:prints en-US $1,234.50 Mar 1, 2026, 1:05 PM 21 kilometers
// snippet:prints de-DE 1.234,50 $ 01.03.2026, 13:05 21 Kilometer
// snippet:prints ja-JP $1,234.50 2026/03/01 13:05 21 キロメートル
// snippet:end
/** Formatters for one reader. Made once: a formatter costs far more than a formatting. */
function formatters(locale, timeZone) {
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone });
  const distances = new Intl.NumberFormat(locale, { style: "unit", unit: "kilometer", unitDisplay: "long" });
  const money = new Map(); // one for each currency: the place of the sign depends on both
  return {
    date: (date) => dates.format(date),
    distance: (kilometers) => distances.format(kilometers),
    amount(value, currency) {
      if (!money.has(currency)) money.set(currency, new Intl.NumberFormat(locale, { style: "currency", currency }));
      return money.get(currency).format(value);
    },
  };
}
// snippet:check
for (const locale of ["en-US", "de-DE", "ja-JP"]) {
  const format = formatters(locale, "Europe/Berlin");
  const line = [locale, format.amount(1234.5, "USD"), format.date(new Date("2026-03-01T12:05:00Z")), format.distance(21)].join(" ");
  console.log(line.replace(/[\u202f\u00a0]/g, " "));
}
