// snippet:doc https://playwright.dev/docs/browser-contexts Browser contexts
// snippet:about Playwright
// snippet:prints expected: a message reaches the other person
// tests/chat.spec.ts
import { expect, test, type Browser, type Page } from "@playwright/test";

async function join(browser: Browser, name: string) {
  const context = await browser.newContext({ extraHTTPHeaders: { "X-User": name } }); // your sign-in
  const page = await context.newPage();
  await page.goto("/chat");
  return page;
}

async function say(page: Page, text: string) {
  await page.getByLabel("Message").fill(text);
  await page.getByLabel("Message").press("Enter");
}

test("a message reaches the other person", async ({ browser, request }) => {
  const [ada, bob] = await Promise.all([join(browser, "Ada"), join(browser, "Bob")]);

  await say(ada, "Tea at four?");
  await expect(bob.getByRole("log").getByRole("paragraph")).toHaveText(["Ada: Tea at four?"]); // without reload
  await say(bob, "Gladly.");
  for (const page of [ada, bob]) {
    await expect(page.getByRole("log").getByRole("paragraph")).toHaveText(["Ada: Tea at four?", "Bob: Gladly."]);
  }
  await expect.poll(async () => (await request.get("/api/unread/Bob")).text()).toBe("0");

  await Promise.all([ada.context().close(), bob.context().close()]);
});
// snippet:check
// site.mjs
const messages = [], streams = new Map();
let unread = 0;
export default {
  "GET /chat": (_, request) => `<div role="log"></div><form><label>Message <input></label></form><script>
    const me = ${JSON.stringify(request.headers["x-user"])}, log = document.querySelector("div"), input = document.querySelector("input");
    let seen = 0;
    setInterval(async () => {
      for (const line of (await (await fetch("/api/messages?" + seen)).json()).slice(seen)) { seen++; log.append(Object.assign(document.createElement("p"), { textContent: line })); if (me === "Bob") setTimeout(() => fetch("/api/read", { method: "POST" }), 300); }
    }, 50);
    document.querySelector("form").onsubmit = (event) => { event.preventDefault(); fetch("/api/messages", { method: "POST", body: me + ": " + input.value }); input.value = ""; };
  </script>`,
  "GET /api/messages": () => ({ body: JSON.stringify(messages) }),
  "POST /api/messages": (body) => { messages.push(body); unread++; return { status: 204 }; },
  "POST /api/read": () => { unread = 0; return { status: 204 }; },
  "GET /api/unread/Bob": () => ({ body: String(unread) }),
};
