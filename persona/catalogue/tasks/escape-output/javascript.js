// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Template_literals#tagged_templates Tagged templates
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

class SafeHtml {
  constructor(markup) {
    this.markup = markup;
  }
  toString() {
    return this.markup;
  }
}

function escape(value) {
  if (value instanceof SafeHtml) return value.markup;
  if (Array.isArray(value)) return value.map(escape).join("");
  return String(value ?? "").replace(/[&<>"']/g, (char) => ENTITIES[char]);
}

/**
 * Tag for markup: every value is escaped unless it was made by this tag itself. Safe in text and in
 * quoted attributes; whether an address may stand in href is another question.
 */
export function html(strings, ...values) {
  return new SafeHtml(String.raw({ raw: strings }, ...values.map(escape)));
}

const comments = [{ author: "Ana", text: "I <3 this & that" }];
console.log(
  `${html`<ul>${comments.map((c) => html`<li title="${c.author}">${c.text}</li>`)}</ul>`}`,
);
// snippet:prints <ul><li title="Ana">I &lt;3 this &amp; that</li></ul>
