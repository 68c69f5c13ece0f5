// snippet:doc https://playwright.dev/docs/downloads Downloads
// snippet:about Playwright
// snippet:prints expected: prices are imported and exported
// snippet:prints expected: other files are refused
// tests/prices.spec.ts
import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";

const csv = { name: "prices.csv", mimeType: "text/csv", buffer: Buffer.from("tea;4,50\ncup;9,00\n") };
const photo = { name: "photo.jpg", mimeType: "image/jpeg", buffer: Buffer.from([0xff, 0xd8, 0xff]) };

test("prices are imported and exported", async ({ page }) => {
  await page.goto("/prices");
  await page.getByLabel("Price list").setInputFiles(csv);
  await expect(page.getByRole("status")).toHaveText("2 prices read");

  const downloading = page.waitForEvent("download"); // before the click
  await page.getByRole("link", { name: "Export" }).click();
  const download = await downloading;

  expect(download.suggestedFilename()).toBe("prices.csv");
  expect(await readFile(await download.path())).toEqual(csv.buffer);
});

test("other files are refused", async ({ page }) => {
  await page.goto("/prices");
  await page.getByLabel("Price list").setInputFiles(photo);
  await expect(page.getByRole("alert")).toHaveText("photo.jpg is no price list.");
});
// snippet:check
// site.mjs
let prices = "";
export default {
  "GET /prices": `<label>Price list <input type="file"></label><p></p><a href="/export">Export</a><script>
    document.querySelector("input").onchange = async ({ target }) => {
      const [file] = target.files, p = document.querySelector("p"), text = await file.text();
      const right = file.type === "text/csv" && file.name.endsWith(".csv");
      if (right) await fetch("/prices", { method: "PUT", body: text });
      p.setAttribute("role", right ? "status" : "alert");
      p.textContent = right ? text.trim().split("\\n").length + " prices read" : file.name + " is no price list.";
    };
  </script>`,
  "PUT /prices": (body) => { prices = body; return { status: 204 }; },
  "GET /export": () => ({ headers: { "content-disposition": 'attachment; filename="prices.csv"' }, body: prices }),
};
