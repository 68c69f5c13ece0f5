// snippet:doc https://nextjs.org/docs/app/guides/forms Forms
// snippet:about Next.js
// snippet:prints empty: E-mail address Subscribe
// snippet:prints wrong: E-mail address Subscribe That is no e-mail address. [nobody]
// snippet:prints right: E-mail address Subscribe Thank you, ada@example.com! []
// snippet:prints no form: 200 That is no e-mail address.
// snippet:needs Next.js 15
// app/actions.ts
"use server";

export async function subscribe(_earlier: unknown, form: unknown) { // who posts decides what comes
  const given = form instanceof FormData ? form.get("email") : null;
  const email = typeof given === "string" ? given.trim() : "";
  if (!/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(email)) return { message: "That is no e-mail address.", email };
  // await database.subscribers.add(email);
  return { message: `Thank you, ${email}!`, email: "" };
}

// app/subscribe.tsx
"use client";

import { useActionState } from "react";
import { subscribe } from "./actions";

export function Subscribe() {
  const [{ message, email }, action, pending] = useActionState(subscribe, { message: "", email: "" });

  return (
    <form action={action}>
      <label>E-mail address <input name="email" type="email" required defaultValue={email} /></label>
      <button disabled={pending}>Subscribe</button>
      <p role="status">{message}</p>
    </form>
  );
}

// snippet:check
// app/page.tsx
import { Subscribe } from "./subscribe";
export default function Page() { return <Subscribe />; }
// check.mjs
import { ask, origin, text } from "./server.mjs";
import { JSDOM } from "jsdom";
const page = await (await ask("/")).text();
const form = new JSDOM(page).window.document.querySelector("form");
console.log(`empty: ${await text(new Response(page))}`);
for (const [name, email] of [["wrong", "nobody"], ["right", "ada@example.com"]]) {
  const body = new FormData();
  for (const input of form.querySelectorAll("input")) body.set(input.name, input.name === "email" ? email : input.value);
  const html = await (await ask("/", { method: "POST", body, headers: { origin } })).text();
  console.log(`${name}: ${await text(new Response(html))} [${new JSDOM(html).window.document.querySelector("[type=email]").value}]`);
}
const id = /"id":"([0-9a-f]+)"/.exec([...form.querySelectorAll("input")].map(({ value }) => value).join())[1];
const headers = { "next-action": id, "content-type": "text/plain;charset=UTF-8", accept: "text/x-component", origin };
const direct = await ask("/", { method: "POST", headers, body: '["", {}]' });
console.log(`no form: ${direct.status} ${/That is no e-mail address\./.exec(await direct.text())}`);
process.exit();
