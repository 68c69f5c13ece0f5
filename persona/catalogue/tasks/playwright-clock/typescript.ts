// snippet:doc https://playwright.dev/docs/clock Clock
// snippet:about Playwright
// snippet:needs Playwright 1.45
// snippet:prints expected: an idle session ends after 30 minutes
// snippet:prints expected: a key press keeps the session
// tests/idle.spec.ts
import { expect, test } from "@playwright/test";

test.use({ timezoneId: "Europe/Berlin", locale: "en-GB" });

test.beforeEach(async ({ page }) => {
  await page.clock.install({ time: new Date("2026-03-02T08:00:00Z") });
  await page.goto("/orders");
  await expect(page.getByText("Signed in since 09:00")).toBeVisible();
});

test("an idle session ends after 30 minutes", async ({ page }) => {
  await page.clock.runFor("24:00");
  await expect(page.getByRole("alert")).toBeHidden();
  await page.clock.runFor("01:00");
  await expect(page.getByRole("alert")).toHaveText("You will be signed out in 5 minutes.");
  await page.clock.runFor("05:00");
  await expect(page).toHaveURL("/sign-in?reason=idle");
});

test("a key press keeps the session", async ({ page }) => {
  await page.clock.fastForward("29:00");
  await page.keyboard.press("Shift");
  await expect(page.getByRole("alert")).toBeHidden();
  await page.clock.fastForward("25:00"); // 25 minutes after the key, and 54 after the start
  await expect(page.getByRole("alert")).toBeVisible();
});
// snippet:check
// site.mjs
export default {
  "GET /sign-in": "<h1>Sign in</h1>",
  "GET /orders": `<p id="since"></p><p id="note"></p><script>
    since.textContent = "Signed in since " + new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    let warn, leave;
    function restart() {
      clearTimeout(warn); clearTimeout(leave); note.removeAttribute("role"); note.textContent = "";
      warn = setTimeout(() => { note.setAttribute("role", "alert"); note.textContent = "You will be signed out in 5 minutes."; }, 25 * 60_000);
      leave = setTimeout(() => location.assign("/sign-in?reason=idle"), 30 * 60_000);
    }
    addEventListener("keydown", restart);
    restart();
  </script>`,
};
