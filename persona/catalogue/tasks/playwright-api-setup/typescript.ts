// snippet:doc https://playwright.dev/docs/api-testing API testing
// snippet:about Playwright
// snippet:prints expected: an order can be cancelled
// snippet:prints expected: nothing is left behind
// tests/cancel-order.spec.ts
import { randomUUID } from "node:crypto";
import { expect, test as base } from "@playwright/test";

const test = base.extend<{ order: { id: string; note: string } }>({
  order: async ({ request }, use) => {
    const note = `e2e ${randomUUID()}`;
    const created = await request.post("/api/orders", { data: { product: "tea", note } });
    await expect(created, await created.text()).toBeOK();
    const { id } = await created.json();
    await use({ id, note });
    const removed = await request.delete(`/api/orders/${id}`);
    expect(removed.ok() || removed.status() === 404, "the order is gone").toBe(true); // 404: by the test itself
  },
});

test("an order can be cancelled", async ({ page, order }) => {
  await page.goto("/orders");
  const row = page.getByRole("row").filter({ hasText: order.note });
  page.once("dialog", (dialog) => dialog.accept());
  await row.getByRole("button", { name: "Cancel" }).click();
  await expect(row).toHaveCount(0);
});
// snippet:check
// tests/then.spec.ts
import { expect, test } from "@playwright/test";
test("nothing is left behind", async ({ request }) => {
  expect(await (await request.get("/api/orders")).json()).toEqual({ orders: [{ id: "1", note: "of somebody else" }], made: 1 });
});
// site.mjs
let orders = [{ id: "1", note: "of somebody else" }], made = 0;
const json = (value) => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(value) });
export default {
  "GET /api/orders": () => json({ orders, made }),
  "POST /api/orders": (body) => { made++; orders.push({ id: "2", note: JSON.parse(body).note }); return json(orders.at(-1)); },
  "DELETE *": (_, request) => { const id = request.url.split("/").pop(); orders = orders.filter((order) => order.id !== id); return { status: 204 }; },
  "GET /orders": () => `<table>${orders.map(({ id, note }) => `<tr><td>${note}<td><button onclick="confirm('Sure?') && fetch('/api/orders/${id}', { method: 'DELETE' }).then(() => this.closest('tr').remove())">Cancel</button>`).join("")}</table>`,
};
