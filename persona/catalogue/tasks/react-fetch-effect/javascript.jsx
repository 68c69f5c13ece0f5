// snippet:doc https://react.dev/reference/react/useEffect#fetching-data-with-effects Fetching data with effects
// snippet:about React
// snippet:check
import { useLayoutEffect } from "react";
import { render, settle } from "./dom.js";
// snippet:prints Loading…
// snippet:prints user 2
// snippet:prints aborted: 1
// snippet:prints at first for 9: Loading…
// snippet:prints HTTP 500
// snippet:end
import { useEffect, useState } from "react";

export function UserName({ id }) {
  const [answer, setAnswer] = useState();

  useEffect(() => {
    const request = new AbortController();
    fetch(`/api/users/${encodeURIComponent(id)}`, { signal: request.signal })
      .then((response) => (response.ok ? response.json() : Promise.reject(new Error(`HTTP ${response.status}`))))
      .then((user) => setAnswer({ id, name: user.name }))
      .catch((error) => {
        if (!request.signal.aborted) setAnswer({ id, problem: error.message });
      });
    return () => request.abort(); // the id has changed, or the component is gone
  }, [id]);

  if (!answer || !Object.is(answer.id, id)) return <p role="status">Loading…</p>;
  return "name" in answer ? <p role="status">{answer.name}</p> : <p role="alert">{answer.problem}</p>;
}

// snippet:check
let aborted = 0;
globalThis.fetch = (url, { signal }) =>
  new Promise((resolve, reject) => {
    const id = url.split("/").at(-1);
    signal.addEventListener("abort", () => { aborted++; reject(new Error("aborted")); });
    const answer = id === "9" ? new Response("", { status: 500 }) : Response.json({ name: `user ${id}` });
    setTimeout(() => resolve(answer), id === "1" ? 60 : 10);
  });
const page = await render(<UserName id={1} />);
console.log(page.textContent);
await render(<UserName id={2} />, page);
await settle(100);
console.log(page.textContent);
console.log("aborted:", aborted);
function First({ id }) {
  useLayoutEffect(() => console.log(`at first for ${id}: ${page.textContent}`), [id]); // before effects
  return <UserName id={id} />;
}
const { log } = console;
console.log = () => {};
await render(<First id={2} />, page);
await settle(50);
console.log = log;
await render(<First id={9} />, page);
await settle(50);
console.log(page.textContent);
process.exit();
