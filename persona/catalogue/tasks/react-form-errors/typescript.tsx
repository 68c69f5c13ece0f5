// snippet:doc https://react.dev/reference/react-dom/components/input Controlled inputs
// snippet:about React
// snippet:check
import { change, leave, render } from "./dom.js";
// snippet:prints null
// snippet:prints Enter an address with an @.
// snippet:prints null
// snippet:end
import { useId, useState } from "react";

const problem = (email: string) => (email.includes("@") ? null : "Enter an address with an @.");

export function EmailField() {
  const [email, setEmail] = useState("");
  const [left, setLeft] = useState(false);
  const hint = useId();
  const error = left ? problem(email) : null; // derived, not stored

  return (
    <label>
      E-mail
      <input
        type="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        onBlur={() => setLeft(true)}
        aria-invalid={error !== null}
        aria-describedby={hint}
      />
      <span id={hint} role="alert">{error}</span>
    </label>
  );
}

// snippet:check
const page = await render(<EmailField />);
const input = page.querySelector("input")!;
const message = () => page.querySelector("[role=alert]")!.textContent || null;
await change(input, "ada");
console.log(message());
await leave(input);
console.log(message());
await change(input, "ada@example.com");
console.log(message());
process.exit(page.querySelector(`[id="${input.getAttribute("aria-describedby")}"]`) ? 0 : 1);
