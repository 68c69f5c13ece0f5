// snippet:doc https://playwright.dev/docs/aria-snapshots ARIA snapshots
// snippet:about Playwright
// snippet:needs Playwright 1.49
// snippet:prints expected: the cart is announced
// snippet:prints expected: a div is no button
// tests/cart.spec.ts
import { expect, test } from "@playwright/test";

test("the cart is announced", async ({ page }) => {
  await page.goto("/cart");

  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - heading "Your cart" [level=1]
    - list:
      - listitem:
        - text: /Tea .*€4\\.50/
        - button "Remove Tea"
      - listitem: /Cup/
    - checkbox "Gift wrap" [checked]
    - button "Pay" [disabled]
  `);
});
// snippet:check
test("a div is no button", async ({ page }) => {
  await page.goto("/cart");
  await page.locator("button", { hasText: "Pay" }).evaluate((button) => { button.outerHTML = `<div class="button">Pay</div>`; });
  await expect(expect(page.getByRole("main")).toMatchAriaSnapshot(`- button "Pay"`, { timeout: 200 })).rejects.toThrow();
});
// site.mjs
export default {
  "GET /cart": `<main><h1>Your cart</h1><ul>
    <li>Tea <b>€4.50</b> <button aria-label="Remove Tea">×</button>
    <li>Cup <b>€9.00</b> <button aria-label="Remove Cup">×</button></ul>
    <label><input type="checkbox" checked> Gift wrap</label> <button disabled>Pay</button></main>`,
};
