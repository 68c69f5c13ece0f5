// snippet:doc https://developer.mozilla.org/en-US/docs/Web/HTML/Reference/Elements/template The template element
// snippet:into Load it in a page with type="module", with the table and the template of its first comment: showOrders([{ customer: "Ana", cents: 450 }])
// In the page: tbody#orders, and template#order with td[data-field=customer] and td[data-field=total]

const money = new Intl.NumberFormat("en-IE", { style: "currency", currency: "EUR" });

/** Shows the orders in place of what was there. Each field is text, never markup. */
export function showOrders(orders) {
  const template = document.querySelector("#order");
  const rows = orders.map(({ customer, cents }) => {
    const texts = { customer, total: money.format(cents / 100) };
    const row = document.importNode(template.content, true);
    for (const cell of row.querySelectorAll("[data-field]")) {
      cell.textContent = texts[cell.dataset.field];
    }
    return row;
  });
  document.querySelector("#orders").replaceChildren(...rows);
}
// snippet:check
import { JSDOM } from "jsdom";
globalThis.document = new JSDOM(`<table><tbody id="orders"><tr><td>Loading</td></tr></tbody></table>
<template id="order"><tr><td data-field="customer"></td><td data-field="total"></td></tr></template>`).window.document;
showOrders([{ customer: "Ana", cents: 123450 }, { customer: "<img src=x onerror=alert(1)>", cents: 5 }]);
for (const row of document.querySelectorAll("tbody tr")) console.log(row.innerHTML);
showOrders([]);
console.log(document.querySelectorAll("tbody tr").length);
// snippet:prints <td data-field="customer">Ana</td><td data-field="total">€1,234.50</td>
// snippet:prints <td data-field="customer">&lt;img src=x onerror=alert(1)&gt;</td><td data-field="total">€0.05</td>
// snippet:prints 0
