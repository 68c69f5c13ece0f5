// snippet:doc https://react.dev/reference/react/useActionState useActionState
// snippet:about React
// snippet:check
import { change, render, settle, submit } from "./dom.js";
// snippet:prints Sending…
// snippet:prints That address is taken.
// snippet:prints Welcome, bob@example.com!
// snippet:needs React 19
// snippet:end
import { useActionState } from "react";

export function Subscribe({ send }: { send: (email: string) => Promise<boolean> }) {
  const [message, action, pending] = useActionState(async (_: string, form: FormData) => {
    const email = String(form.get("email"));
    return (await send(email)) ? `Welcome, ${email}!` : "That address is taken.";
  }, "");

  return (
    <form action={action}>
      <input name="email" type="email" required aria-label="E-mail" />
      <button disabled={pending}>{pending ? "Sending…" : "Subscribe"}</button>
      <p role="status">{message}</p>
    </form>
  );
}

// snippet:check
let finish: (taken: boolean) => void = () => {};
const send = () => new Promise<boolean>((done) => { finish = done; });
const page = await render(<Subscribe send={send} />);
for (const email of ["ada@example.com", "bob@example.com"]) {
  await change(page.querySelector("input")!, email);
  await submit(page.querySelector("form")!);
  const button = page.querySelector("button")!;
  if (!button.disabled) process.exit(1);
  if (email.startsWith("ada")) console.log(button.textContent);
  finish(email.startsWith("bob"));
  await settle(0);
  console.log(page.querySelector("p")!.textContent);
}
process.exit();
