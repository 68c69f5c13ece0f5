// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/History/replaceState History: replaceState()
// snippet:into Load it in a page with type="module", for a form of text fields and drop-down lists that are empty at first: filtersInAddress(document.querySelector("form"), console.log)

/** Calls show with the filters, now and at each change, and keeps them in the address. */
export function filtersInAddress(form, show) {
  const chosen = () => [...new FormData(form)].filter(([, value]) => value !== "");

  const wanted = new URLSearchParams(location.search);
  for (const field of form.elements) {
    if (wanted.has(field.name)) field.value = wanted.get(field.name);
  }
  show(Object.fromEntries(chosen()));

  form.addEventListener("input", () => {
    const url = new URL(location.href); // what else is in it stays
    for (const { name } of form.elements) url.searchParams.delete(name);
    for (const [name, value] of chosen()) url.searchParams.append(name, value);
    show(Object.fromEntries(chosen()));
    history.replaceState(history.state, "", url); // Safari refuses more than 100 in ten seconds
  });
  form.addEventListener("submit", (event) => event.preventDefault()); // Enter reloads nothing
}
// snippet:check
import { JSDOM } from "jsdom";
const { window } = new JSDOM('<form><input name="q"><select name="state"><option value="">all</option><option>open</option></select></form>', { url: "https://example.com/tickets?q=a%26b&other=1#top" });
const { FormData, location, history } = window;
Object.assign(globalThis, { FormData, location, history });
const form = window.document.querySelector("form");
filtersInAddress(form, (filters) => console.log(JSON.stringify(filters)));
form.elements.state.value = "open";
form.elements.state.dispatchEvent(new window.Event("input", { bubbles: true }));
console.log(location.href);
form.elements.q.value = "";
form.elements.q.dispatchEvent(new window.Event("input", { bubbles: true }));
console.log(location.href, history.length);
const submit = new window.Event("submit", { cancelable: true });
form.dispatchEvent(submit);
console.log(submit.defaultPrevented);
// snippet:prints {"q":"a&b"}
// snippet:prints {"q":"a&b","state":"open"}
// snippet:prints https://example.com/tickets?other=1&q=a%26b&state=open#top
// snippet:prints {"state":"open"}
// snippet:prints https://example.com/tickets?other=1&state=open#top 1
// snippet:prints true
