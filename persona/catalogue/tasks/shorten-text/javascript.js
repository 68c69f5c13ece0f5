// snippet:check
// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Intl/Segmenter Intl.Segmenter
// snippet:prints Hi 👨‍👩‍👧… (5)
// snippet:prints The quick…
// snippet:prints [] […]
// snippet:end
const segmenters = new Map();

/** Characters as people see them, or words: a family emoji is one of them and eight code units. */
function segments(text, locale, granularity) {
  const key = `${locale} ${granularity}`;
  if (!segmenters.has(key)) segmenters.set(key, new Intl.Segmenter(locale, { granularity }));
  return Array.from(segmenters.get(key).segment(text), ({ segment }) => segment);
}

/** Shortens text to a number of characters; the ellipsis counts too. Of words, only a first long one is cut. */
function shorten(text, most, { locale = "en", words = false } = {}) {
  if (most < 1) return "";
  const characters = segments(text, locale, "grapheme");
  if (characters.length <= most) return text;
  const cut = characters.slice(0, most - 1).join("");
  if (!words) return `${cut}…`;
  let kept = "";
  for (const word of segments(text, locale, "word")) {
    if (kept.length + word.length > cut.length) break;
    kept += word;
  }
  return `${kept.trimEnd() || cut}…`;
}
// snippet:check
const family = shorten("Hi 👨‍👩‍👧 there", 5);
console.log(family, `(${segments(family, "en", "grapheme").length})`);
console.log(shorten("The quick brown fox", 14, { words: true }));
console.log(`[${shorten("abc", 0)}] [${shorten("abc", 1)}]`);
