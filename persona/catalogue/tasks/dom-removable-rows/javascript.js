// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/Element/closest Element.closest()
// snippet:into Load it in a page with type="module": removableRows(document.querySelector("ul"))
// In the page: ul > li[data-id] > button[data-remove]

/** Removes a row when its button is clicked. One listener serves all rows, also later ones. */
export function removableRows(list, onRemove = (id) => {}) {
  list.tabIndex = -1; // can be given focus when it is empty
  list.addEventListener("click", ({ target }) => {
    const button = target.closest("button[data-remove]"); // also when the icon in it was hit
    if (!button) return;
    const row = button.closest("li");
    const neighbour = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    (neighbour?.querySelector("button[data-remove]") ?? list).focus();
    onRemove(row.dataset.id);
  });
}
// snippet:check
import { JSDOM } from "jsdom";
const { document } = new JSDOM(["<ul>", ...["a", "b", "c"].map((id) => `<li data-id="${id}">${id} <button data-remove><b>x</b></button></li>`), "</ul>"].join("")).window;
const list = document.querySelector("ul");
const focus = () => document.activeElement.closest("li")?.dataset.id ?? document.activeElement.tagName;
removableRows(list, (id) => console.log("removed", id, "focus", focus()));
list.querySelector("li").click();
list.insertAdjacentHTML("beforeend", '<li data-id="d">d <button data-remove><b>x</b></button></li>');
for (const id of ["b", "d", "c", "a"]) list.querySelector(`[data-id=${id}] b`).click();
// snippet:prints removed b focus c
// snippet:prints removed d focus c
// snippet:prints removed c focus a
// snippet:prints removed a focus UL
