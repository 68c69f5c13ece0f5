// snippet:doc https://react.dev/learn/reusing-logic-with-custom-hooks Custom hooks
// snippet:about React
// snippet:check
import { render, settle } from "./dom.js";
// snippet:prints now: abc, settled: -
// snippet:prints now: abc, settled: abc
// snippet:end
import { useEffect, useState } from "react";

export function useSettled(value, milliseconds = 300) {
  const [settled, setSettled] = useState(() => value); // in a function: React would call a value that is one

  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), milliseconds);
    return () => clearTimeout(timer); // the value changed before the time was up
  }, [value, milliseconds]); // an object has to stay the same between renders: each new one renders again

  return settled;
}

export function Search({ text }) {
  const query = useSettled(text);
  return <p>{`now: ${text}, settled: ${query}`}</p>;
}

// snippet:check
const page = await render(<Search text="-" />);
for (const text of ["a", "ab", "abc"]) {
  await render(<Search text={text} />, page);
  await settle(10);
}
console.log(page.textContent);
await settle(600);
console.log(page.textContent);
process.exit();
