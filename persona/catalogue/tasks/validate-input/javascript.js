// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/URL/canParse_static URL.canParse()
// snippet:needs a browser or Node.js 18.17
const rules = {
  name: [
    [(value) => value.trim().length > 0, "Please tell us your name."],
    [(value) => [...value].length <= 80, "At most 80 characters."],
  ],
  email: [[(value) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value), "An address looks like ada@example.com."]],
  website: [
    [(value) => value === "" || URL.canParse(value), "A web address looks like https://example.com."],
    // javascript: and data: parse as well, and must never become a link.
    [(value) => value === "" || /^https?:\/\//i.test(value), "Start it with https://."],
  ],
  seats: [[(value) => /^[1-9]\d?$/.test(value), "A whole number from 1 to 99."]],
};

/** For each wrong field its first problem, so that people can correct everything in one go. */
export function validate(form) {
  const problems = {};
  for (const [field, checks] of Object.entries(rules)) {
    const input = form.get(field);
    const text = typeof input === "string" ? input : ""; // missing, or a file
    const failed = checks.find(([holds]) => !holds(text));
    if (failed) problems[field] = failed[1];
  }
  return problems;
}
// snippet:usage
// snippet:prints {}
// snippet:prints Please tell us your name.
console.log(validate(new URLSearchParams("name=Ana&email=ana@example.com&website=&seats=3")));
const upload = new FormData();
upload.set("name", new Blob(["Ana"]));
console.log(validate(upload).name);
// snippet:check
// snippet:prints {
// snippet:prints   name: 'Please tell us your name.',
// snippet:prints   email: 'An address looks like ada@example.com.',
// snippet:prints   website: 'Start it with https://.',
// snippet:prints   seats: 'A whole number from 1 to 99.'
// snippet:prints }
console.log(validate(new URLSearchParams("name= &email=ana&website=javascript:x&seats=0")));
