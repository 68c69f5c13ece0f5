// snippet:check
// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Intl/PluralRules Intl.PluralRules
// snippet:prints 1 plik, 3 pliki, 5 plików, 1,5 pliku
// snippet:prints 1st 2nd 3rd 11th
// snippet:end
/** Chooses and fills the text for a number. Every language has the form "other". */
function pluralise(locale, forms, count) {
  const form = forms[new Intl.PluralRules(locale).select(count)] ?? forms.other;
  return form.replaceAll("{count}", new Intl.NumberFormat(locale).format(count));
}

// Ordinal numbers have categories of their own: 1st, 2nd, 3rd, 4th.
const english = new Intl.PluralRules("en", { type: "ordinal" });
const suffixes = { one: "st", two: "nd", few: "rd", other: "th" };
const ordinal = (n) => `${n}${suffixes[english.select(n)]}`;
// snippet:check
const files = { one: "{count} plik", few: "{count} pliki", many: "{count} plików", other: "{count} pliku" };
console.log([1, 3, 5, 1.5].map((n) => pluralise("pl", files, n)).join(", "));
console.log([1, 2, 3, 11].map(ordinal).join(" "));
