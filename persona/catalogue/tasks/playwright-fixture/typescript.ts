// snippet:doc https://playwright.dev/docs/test-fixtures Fixtures
// snippet:into Save it as tests/shop.ts, and import test from there in place of @playwright/test.
// snippet:about Playwright
// snippet:prints expected: the cart counts
// snippet:prints expected: a page error fails the test
// tests/shop.ts
import { expect, test as base, type Page } from "@playwright/test";

class Cart {
  constructor(private readonly page: Page) {}

  async add(product: string) {
    const item = this.page.getByRole("listitem").filter({ hasText: product });
    await item.getByRole("button", { name: "Add to cart" }).click();
  }

  async expectCount(count: number) {
    await expect(this.page.getByRole("status")).toHaveText(`${count} in your cart`);
  }
}

export const test = base.extend<{ cart: Cart; noPageErrors: void }>({
  cart: async ({ page }, use) => {
    await page.goto("/shop");
    await use(new Cart(page));
  },
  noPageErrors: [async ({ page }, use) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await use();
    expect(errors, "uncaught errors of the page").toEqual([]);
  }, { auto: true }],
});
// snippet:check
// tests/shop.spec.ts
import { test } from "./shop";
test("the cart counts", async ({ cart }) => {
  await cart.add("Cup");
  await cart.add("Tea");
  await cart.expectCount(2);
});
test("a page error fails the test", async ({ cart, page }) => {
  test.fail();
  await cart.add("Tea");
  await page.goto("/broken");
});
// site.mjs
export default {
  "GET /shop": `<p role="status"></p><ul>${["Tea", "Cup"].map((name) => `<li>${name} <button onclick="document.querySelector('p').textContent = ++count + ' in your cart'">Add to cart</button>`).join("")}</ul><script>var count = 0</script>`,
  "GET /broken": "<script>nowhere()</script>",
};
