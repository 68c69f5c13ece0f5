// snippet:doc https://developer.mozilla.org/en-US/docs/Web/Accessibility/ARIA/Reference/Roles/tab_role ARIA: tab role
// snippet:into Load it in a page with type="module": tabs(document.querySelector("[role=tablist]"))
// In the page: button#t1[role=tab][aria-controls=p1] and the like in a div[role=tablist],
// and div#p1[role=tabpanel][aria-labelledby=t1][tabindex=0] for each

export function tabs(list) {
  const all = [...list.querySelectorAll('[role="tab"]')];

  function select(tab) {
    for (const other of all) {
      const chosen = other === tab;
      other.setAttribute("aria-selected", String(chosen));
      other.tabIndex = chosen ? 0 : -1; // the Tab key leads past the others, into the panel
      document.getElementById(other.getAttribute("aria-controls")).hidden = !chosen;
    }
  }
  list.addEventListener("click", ({ target }) => {
    const tab = target.closest('[role="tab"]');
    if (tab) select(tab);
  });
  list.addEventListener("keydown", (event) => {
    const at = all.indexOf(event.target);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined || at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault(); // the page does not scroll
    const tab = all.at(next % all.length);
    tab.focus();
    select(tab);
  });
  select(all.find((tab) => tab.getAttribute("aria-selected") === "true") ?? all[0]);
}
// snippet:check
import { JSDOM } from "jsdom";
const names = ["a", "b", "c"];
const { window } = new JSDOM(`<div role="tablist">${names.map((n) => `<button role="tab" id="t${n}" aria-controls="${n}"><b>${n}</b></button>`).join("")}</div>
${names.map((n) => `<div role="tabpanel" id="${n}" tabindex="0">${n}</div>`).join("")}`);
globalThis.document = window.document;
const list = document.querySelector("[role=tablist]");
tabs(list);
const seen = [];
const show = () => seen.push(names.filter((n) => !document.getElementById(n).hidden).join("") + document.querySelectorAll('[role=tab][tabindex="0"]').length);
function press(key, more) {
  const event = new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  document.activeElement.dispatchEvent(event);
  show();
  return event.defaultPrevented;
}
show();
document.querySelector("#tb b").click();
show();
document.querySelector("#tb").focus();
for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End", "ArrowLeft"]) press(key);
console.log(press("ArrowLeft", { altKey: true }), press("x"), document.activeElement.id);
console.log(seen.join(" "));
// snippet:prints false false tb
// snippet:prints a1 b1 c1 a1 c1 a1 c1 b1 b1 b1
