// snippet:doc https://www.typescriptlang.org/docs/handbook/2/types-from-types.html Creating types from types
declare const safe: unique symbol;
/** Text that was escaped; a plain string is not assignable, so the compiler finds what was forgotten. */
export type Html = string & { readonly [safe]: true };

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;",
};

export const escape = (text: string): Html =>
  text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char) as Html;
export const join = (parts: readonly Html[]): Html => parts.join("") as Html;

/** Links from people: only web addresses, never `javascript:`. */
export function link(address: string, label: string): Html {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !["http:", "https:"].includes(url.protocol)) return escape(label);
  return `<a href="${escape(url.href)}" rel="nofollow">${escape(label)}</a>` as Html;
}

export const page = (title: string, body: Html) => `<h1>${escape(title)}</h1>${body}` as Html;

const links = join([link("https://example.com/?a=1&b", "<docs>"), link("javascript:x", "no")]);
console.log(page("Q & A", links));
// @ts-expect-error: an unescaped string cannot reach the page
page("title", "<script>");
// snippet:prints <h1>Q &amp; A</h1><a href="https://example.com/?a=1&amp;b" rel="nofollow">&lt;docs&gt;</a>no
