// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/Window/localStorage Window: localStorage
// snippet:into Load it in a page with type="module": const forget = keepDraft(document.querySelector("#report"))
// In the page: form#report, with input[name=title][data-draft] and textarea[name=text][data-draft]

/**
 * Keeps the text fields marked data-draft; mark none that holds a secret. Returns a function that forgets
 * the draft, to be called when the server has accepted the form.
 */
export function keepDraft(form, key = `draft ${location.pathname}${location.search} ${form.id}`) {
  const fields = form.querySelectorAll("[data-draft]");
  try {
    const draft = new Map(JSON.parse(localStorage.getItem(key) ?? "[]"));
    for (const field of fields) field.value = draft.get(field.name) ?? field.value;
  } catch {
    // storage is forbidden, or something else lies there: the form begins as it is
  }
  form.addEventListener("input", () => {
    try {
      localStorage.setItem(key, JSON.stringify(Array.from(fields, ({ name, value }) => [name, value])));
    } catch {
      // full or forbidden: no draft
    }
  });
  return () => {
    try {
      localStorage.removeItem(key);
    } catch {
      // forbidden: there is none
    }
  };
}
// snippet:check
import { JSDOM } from "jsdom";
const page = `<form id="f"><input name="title" data-draft value="new"><input name="pin"><textarea name="text" data-draft></textarea></form>`;
const { window } = new JSDOM(page, { url: "https://example.com/report?id=5" });
Object.assign(globalThis, { location: window.location });
Object.defineProperty(globalThis, "localStorage", { value: window.localStorage, configurable: true });
function open() {
  window.document.body.innerHTML = page;
  const form = window.document.querySelector("form");
  return { form, forget: keepDraft(form), show: () => console.log(JSON.stringify([...form.elements].map((f) => f.value))) };
}
const first = open();
first.form.elements.title.value = "";
first.form.elements.text.value = "Long";
first.form.elements.pin.value = "1234";
first.form.elements.text.dispatchEvent(new window.Event("input", { bubbles: true }));
console.log(localStorage.getItem("draft /report?id=5 f"));
const second = open();
second.show();
window.history.pushState(null, "", "/report?id=6");
open().show();
window.history.pushState(null, "", "/report?id=5");
second.forget();
open().show();
localStorage.setItem("draft /report?id=5 f", "{");
open().show();
Object.defineProperty(globalThis, "localStorage", { get() { throw new Error("forbidden"); } });
const last = open();
last.form.elements.text.dispatchEvent(new window.Event("input", { bubbles: true }));
last.show();
last.forget();
// snippet:prints [["title",""],["text","Long"]]
// snippet:prints ["","","Long"]
// snippet:prints ["new","",""]
// snippet:prints ["new","",""]
// snippet:prints ["new","",""]
// snippet:prints ["new","",""]
