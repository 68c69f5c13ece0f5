// snippet:doc https://playwright.dev/docs/auth Authentication
// snippet:about Playwright
// snippet:prints expected: sign in
// snippet:prints expected: orders are listed
// snippet:prints expected: visitors are sent to the sign-in page
// playwright.config.ts
import { defineConfig, devices } from "@playwright/test";

export default defineConfig({
  use: { baseURL: "http://localhost:3000" },
  projects: [
    { name: "setup", testMatch: /.*\.setup\.ts/ },
    {
      name: "chromium",
      dependencies: ["setup"],
      use: { ...devices["Desktop Chrome"], storageState: ".auth/customer.json" }, // .auth is in .gitignore
    },
  ],
});

// tests/auth.setup.ts
import { expect, test as setup } from "@playwright/test";

setup("sign in", async ({ page }) => {
  const password = process.env.E2E_PASSWORD;
  if (!password) throw new Error("E2E_PASSWORD is not set");
  await page.goto("/sign-in");
  await page.getByLabel("E-mail address").fill("customer@example.com");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Your orders" })).toBeVisible();
  await page.context().storageState({ path: ".auth/customer.json" });
});

// snippet:check
// tests/orders.spec.ts
import { expect, test } from "@playwright/test";
test("orders are listed", async ({ page }) => {
  await page.goto("/orders");
  await expect(page.getByRole("heading")).toHaveText("Your orders");
});
test.describe(() => {
  test.use({ storageState: { cookies: [], origins: [] } });
  test("visitors are sent to the sign-in page", async ({ page }) => {
    await page.goto("/orders");
    await expect(page).toHaveURL("/sign-in");
  });
});
// site.mjs
process.env.E2E_PASSWORD = "correct horse";
let signIns = 0;
export default {
  "GET /sign-in": `<form method="post"><label>E-mail address <input name="email"></label><label>Password <input name="password"></label><button>Sign in</button></form>`,
  "POST /sign-in": (body) => body === "email=customer%40example.com&password=correct+horse" && ++signIns === 1 ? { status: 303, headers: { location: "/orders", "set-cookie": "session=s; HttpOnly" } } : "no",
  "GET /orders": (_, request) => request.headers.cookie === "session=s" ? "<h1>Your orders</h1>" : { status: 303, headers: { location: "/sign-in" } },
};
