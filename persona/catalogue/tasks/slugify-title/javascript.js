// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/String/normalize String.prototype.normalize()
/** "Crème brûlée, à la carte!" → "creme-brulee-a-la-carte"; other scripts are kept. */
export function slugify(title, { maxLength = 60 } = {}) {
  const slug = title
    .normalize("NFKD") // é is now e and an accent
    .replace(/(\p{Script=Latin})\p{Mark}+/gu, "$1") // only there: हिन्दी and й need their marks
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Mark}\p{Number}]+/gu, "-")
    .replace(/^-|-$/g, "");
  const characters = [...new Intl.Segmenter().segment(slug)].map((s) => s.segment);
  if (characters.length <= maxLength) return slug;
  const start = characters.slice(0, maxLength).join("");
  const cut = characters[maxLength] === "-" ? start.length : start.lastIndexOf("-");
  return cut > 0 ? slug.slice(0, cut) : start; // at the end of a word
}

/** Add a number when the slug is taken: notes, notes-2, notes-3 … */
export function uniqueSlug(title, taken) {
  const slug = slugify(title) || "untitled";
  for (let n = 2, candidate = slug; ; candidate = `${slug}-${n++}`) {
    if (!taken.has(candidate)) return candidate;
  }
}
// snippet:check
console.log(slugify("Crème brûlée, à la carte!"), slugify("Русский, йод"), slugify("हिन्दी में समाचार"), slugify("パイソン入門"));
console.log(uniqueSlug("Notes", new Set(["notes", "notes-2"])), uniqueSlug("!", new Set()));
console.log(slugify("a rather long title about nothing", { maxLength: 19 }), slugify("a rather long title", { maxLength: 18 }));
console.log(slugify("हिन्दी", { maxLength: 2 }), slugify("𝔘𝔫𝔦code", { maxLength: 2 }));
// snippet:prints creme-brulee-a-la-carte русский-йод हिन्दी-में-समाचार パイソン入門
// snippet:prints notes-3 untitled
// snippet:prints a-rather-long-title a-rather-long
// snippet:prints हिन्दी un
