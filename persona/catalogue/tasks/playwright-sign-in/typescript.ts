// snippet:doc https://playwright.dev/docs/locators Locators
// snippet:about Playwright
// snippet:prints expected: a customer signs in
// snippet:prints expected: a wrong password is refused
// tests/sign-in.spec.ts
import { expect, test } from "@playwright/test";

test.beforeEach(async ({ page }) => {
  await page.goto("/sign-in"); // baseURL stands in playwright.config.ts
});

test("a customer signs in", async ({ page }) => {
  await page.getByLabel("E-mail address").fill("ada@example.com");
  await page.getByLabel("Password").fill("correct horse");
  await page.getByRole("button", { name: "Sign in" }).click();

  await expect(page).toHaveURL("/orders");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your orders");
});

test("a wrong password is refused", async ({ page }) => {
  await page.getByLabel("E-mail address").fill("ada@example.com");
  await page.getByLabel("Password").fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();

  await expect(page.getByRole("alert")).toHaveText("E-mail address or password is wrong.");
  await expect(page.getByLabel("Password")).toHaveValue("");
});
// snippet:check
// site.mjs
const form = `<form method="post"><label>E-mail address <input name="email"></label><label>Password <input type="password" name="password"></label><button>Sign in</button></form>`;
export default {
  "GET /sign-in": form,
  "POST /sign-in": (body) => body.includes("correct+horse") ? { status: 303, headers: { location: "/orders" } } : `<p role="alert">E-mail address or password is wrong.</p>${form}`,
  "GET /orders": "<h1>Your orders</h1>",
};
