// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Intl/Collator Intl.Collator
/** A copy, sorted as the language does; numbers within names count as numbers. */
function sortNames(names, locale) {
  const collator = new Intl.Collator(locale, { numeric: true }); // made once for all comparisons
  return [...names].sort(collator.compare);
}

/**
 * Whether a name contains what somebody typed, whatever its case and accents, as the language has them: a Swedish ä
 * is a letter of its own. It compares letter by letter, so ß is not ss.
 */
function matches(name, typed, locale) {
  const collator = new Intl.Collator(locale, { sensitivity: "base" }); // with usage "search" a German ü is only ue
  const segmenter = new Intl.Segmenter(locale); // a letter and its accent stay together
  const [letters, wanted] = [name, typed].map((text) => Array.from(segmenter.segment(text), ({ segment }) => segment));
  const part = (at) => letters.slice(at, at + wanted.length).join("");
  return wanted.length === 0 || letters.some((_, at) =>
    at + wanted.length <= letters.length && collator.compare(part(at), wanted.join("")) === 0);
}
// snippet:usage
// snippet:prints de: Adler Ärger Zebra
// snippet:prints sv: Adler Zebra Ärger
// snippet:prints file 2, file 10
// snippet:prints true true false
const words = ["Zebra", "Ärger", "Adler"];
for (const locale of ["de", "sv"]) console.log(`${locale}: ${sortNames(words, locale).join(" ")}`);
console.log(sortNames(["file 10", "file 2"], "en").join(", "));
console.log(matches("Café Müller", "mul", "en"), matches("Müller", "muller", "de"), matches("Ärger", "ar", "sv"));
