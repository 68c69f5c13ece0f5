// snippet:doc https://playwright.dev/docs/mock Mock APIs
// snippet:about Playwright
// snippet:prints expected: no orders yet
// snippet:prints expected: the API fails, then recovers
// snippet:prints expected: waiting is shown
// tests/orders.spec.ts
import { expect, test } from "@playwright/test";

const api = "**/api/orders";

test("no orders yet", async ({ page }) => {
  await page.route(api, (route) => route.fulfill({ json: [] }));
  await page.goto("/orders");
  await expect(page.getByText("You have not ordered yet.")).toBeVisible();
});

test("the API fails, then recovers", async ({ page }) => {
  await page.route(api, (route) => route.fulfill({ status: 503 }), { times: 1 });
  await page.goto("/orders");
  await expect(page.getByRole("alert")).toContainText("could not be loaded");
  await page.getByRole("button", { name: "Try again" }).click(); // now the server answers
  await expect(page.getByRole("listitem")).toHaveText(["Tea", "Cup"]);
});

test("waiting is shown", async ({ page }) => {
  let answer = () => {};
  const looked = new Promise<void>((done) => { answer = done; });
  await page.route(api, async (route) => { await looked; await route.fulfill({ json: [] }); });
  await page.goto("/orders");
  await expect(page.getByRole("status")).toHaveText("Loading…");
  answer();
  await expect(page.getByRole("status")).toBeHidden();
});
// snippet:check
// site.mjs
export default {
  "GET /orders": `<main></main><script>
    const main = document.querySelector("main");
    async function load() {
      main.innerHTML = "<p role=status>Loading…</p>";
      const response = await fetch("/api/orders");
      if (!response.ok) return void (main.innerHTML = "<p role=alert>The orders could not be loaded.</p><button onclick=load()>Try again</button>");
      const orders = await response.json();
      main.innerHTML = orders.length ? "<ul>" + orders.map((name) => "<li>" + name).join("") + "</ul>" : "<p>You have not ordered yet.</p>";
    }
    load();
  </script>`,
  "GET /api/orders": { headers: { "content-type": "application/json" }, body: '["Tea","Cup"]' },
};
