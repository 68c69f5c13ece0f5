// snippet:doc https://react.dev/reference/react-dom/components/input Controlled inputs
// snippet:about React
// snippet:check
import { change, leave, render } from "./dom.js";
// snippet:prints null
// snippet:prints Enter an address with an @.
// snippet:prints null
// snippet:end
import { useId, useState } from "react";

const problem = (email) => (email.includes("@") ? null : "Enter an address with an @.");

export function EmailField() {
  const [email, setEmail] = useState("");
  const [left, setLeft] = useState(false);
  const id = useId();
  const error = left ? problem(email) : null; // derived, not stored

  return (
    <div>
      <label htmlFor={id}>E-mail</label>
      <input
        id={id}
        type="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        onBlur={() => setLeft(true)}
        aria-invalid={error !== null}
        aria-describedby={`${id}-error`}
      />
      <span id={`${id}-error`} role="alert">{error}</span>
    </div>
  );
}

// snippet:check
const page = await render(<EmailField />);
const input = page.querySelector("input");
const message = () => page.querySelector("[role=alert]").textContent || null;
await change(input, "ada");
console.log(message());
await leave(input);
console.log(message());
await change(input, "ada@example.com");
console.log(message());
if (input.labels?.[0]?.textContent !== "E-mail") process.exit(1); // the message is not a part of the name
process.exit(page.querySelector(`[id="${input.getAttribute("aria-describedby")}"]`) ? 0 : 1);
