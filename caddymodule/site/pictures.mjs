// Takes the site's pictures: what somebody sees who uses the page of `make run`, at ADDRESS.
import { chromium } from "playwright-core";

const [address, executablePath] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
const button = (name) => page.getByRole("button", { name, exact: true });
const door = (name) => page.getByRole("main").getByRole("link", { name, exact: true });
const tried = (attacks) => page.waitForFunction((n) => document.querySelectorAll("section:not([hidden]) .attack[data-verdict=refused]").length >= n, attacks);
const picture = async (name) => {
  await page.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); });
  await page.screenshot({ path: `public/pictures/${name}.png` });
};

await page.goto(address);
await door("Log in").click();
await page.getByRole("button", { name: "Ada Lovelace" }).click();
await button("Exchange the code").waitFor();
await button("Try all: With a stolen code").click();
await tried(7);
await picture("login");

await page.goto(address);
await door("Connect the agent").click();
await button("Ask the user").click();
await page.mouse.move(30, 30); // the consent page wants to be read for two seconds
await page.mouse.move(60, 60);
await page.locator("[value=allow]").hover();
await page.locator("[value=allow][aria-disabled=false]").click();
await button("Call it again").waitFor();
await button("Try all: With nothing, or a stolen token").click();
await tried(4);
await picture("agent");

await page.goto(address);
await door("Split a message").click();
await page.locator("figure.code").first().waitFor();
await picture("message");
await browser.close();
