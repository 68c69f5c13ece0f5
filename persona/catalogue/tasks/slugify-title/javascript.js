// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/String/normalize String.prototype.normalize()
/** "Crème brûlée, à la carte!" → "creme-brulee-a-la-carte"; other scripts are kept. */
export function slugify(title, { maxLength = 60 } = {}) {
  const slug = title
    .normalize("NFKD")
    .replace(/\p{Mark}+/gu, "") // é is now e and an accent
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, "-")
    .replace(/^-|-$/g, "");
  if (slug.length <= maxLength) return slug;
  const cut = slug.slice(0, maxLength + 1).lastIndexOf("-");
  return slug.slice(0, cut > 0 ? cut : maxLength); // at the end of a word
}

/** Add a number when the slug is taken: notes, notes-2, notes-3 … */
export function uniqueSlug(title, taken) {
  const slug = slugify(title) || "untitled";
  for (let n = 2, candidate = slug; ; candidate = `${slug}-${n++}`) {
    if (!taken.has(candidate)) return candidate;
  }
}

console.log(slugify("Crème brûlée, à la carte!"), slugify("Привет, мир"));
console.log(uniqueSlug("Notes", new Set(["notes", "notes-2"])));
console.log(slugify("a rather long title about nothing", { maxLength: 20 }));
// snippet:prints creme-brulee-a-la-carte привет-мир
// snippet:prints notes-3
// snippet:prints a-rather-long-title
