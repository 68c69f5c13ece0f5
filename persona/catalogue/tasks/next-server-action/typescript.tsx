// snippet:doc https://nextjs.org/docs/app/guides/forms Forms
// snippet:about Next.js
// snippet:prints empty: E-mail address Subscribe
// snippet:prints wrong: E-mail address Subscribe That is no e-mail address.
// snippet:prints right: E-mail address Subscribe Thank you, ada@example.com!
// snippet:needs Next.js 15
// app/actions.ts
"use server";

export async function subscribe(_earlier: string, form: FormData): Promise<string> {
  const email = form.get("email");
  if (typeof email !== "string" || !/^[^\s@]+@[^\s@]+$/.test(email)) return "That is no e-mail address.";
  // await database.subscribers.add(email);
  return `Thank you, ${email}!`;
}

// app/subscribe.tsx
"use client";

import { useActionState } from "react";
import { subscribe } from "./actions";

export function Subscribe() {
  const [message, action, pending] = useActionState(subscribe, "");

  return (
    <form action={action}>
      <label>E-mail address <input name="email" type="email" required /></label>
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
  console.log(`${name}: ${await text(await ask("/", { method: "POST", body, headers: { origin } }))}`);
}
process.exit();
