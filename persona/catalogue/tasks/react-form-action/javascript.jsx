// snippet:doc https://react.dev/reference/react/useActionState useActionState
// snippet:about React
// snippet:check
import { change, render, settle, submit } from "./dom.js";
// snippet:prints Sending…
// snippet:prints That address is taken. [ada@example.com]
// snippet:prints That did not work. Please try again. [eve@example.com]
// snippet:prints Welcome, bob@example.com! []
// snippet:needs React 19
// snippet:end
import { useActionState } from "react";

export function Subscribe({ send }) {
  const [{ message, email }, action, pending] = useActionState(async (_, form) => {
    const email = String(form.get("email"));
    try {
      if (await send(email)) return { message: `Welcome, ${email}!`, email: "" };
      return { message: "That address is taken.", email };
    } catch {
      return { message: "That did not work. Please try again.", email };
    }
  }, { message: "", email: "" });

  return (
    <form action={action}>
      <input name="email" type="email" autoComplete="email" required aria-label="E-mail" defaultValue={email} />
      <button disabled={pending}>{pending ? "Sending…" : "Subscribe"}</button>
      <p role="status">{message}</p>
    </form>
  );
}

// snippet:check
let finish = () => {};
const send = () => new Promise((done, fail) => { finish = (r) => (r instanceof Error ? fail(r) : done(r)); });
const page = await render(<Subscribe send={send} />);
const input = page.querySelector("input");
for (const [email, result] of [["ada@example.com", false], ["eve@example.com", new Error("503")], ["bob@example.com", true]]) {
  await change(input, email);
  await submit(page.querySelector("form"));
  const button = page.querySelector("button");
  if (!button.disabled) process.exit(1);
  if (email.startsWith("ada")) console.log(button.textContent);
  finish(result);
  await settle(0);
  console.log(`${page.querySelector("p").textContent} [${input.value}]`);
}
process.exit();
