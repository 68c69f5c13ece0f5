// snippet:doc https://react.dev/reference/react/useEffect#fetching-data-with-effects Fetching data with effects
// snippet:about React
// snippet:check
import { render, settle } from "./dom.js";
// snippet:prints Loading…
// snippet:prints user 2
// snippet:prints aborted: 1
// snippet:prints HTTP 500
// snippet:end
import { useEffect, useState } from "react";

type State = { kind: "loading" } | { kind: "failed"; message: string } | { kind: "done"; name: string };

export function UserName({ id }: { id: number }) {
  const [state, setState] = useState<State>({ kind: "loading" });

  useEffect(() => {
    const request = new AbortController();
    setState({ kind: "loading" });
    fetch(`/api/users/${id}`, { signal: request.signal })
      .then((response) => (response.ok ? response.json() : Promise.reject(new Error(`HTTP ${response.status}`))))
      .then((user: { name: string }) => setState({ kind: "done", name: user.name }))
      .catch((error: Error) => {
        if (!request.signal.aborted) setState({ kind: "failed", message: error.message });
      });
    return () => request.abort(); // the id has changed, or the component is gone
  }, [id]);

  if (state.kind === "loading") return <p>Loading…</p>;
  return <p role="status">{state.kind === "done" ? state.name : state.message}</p>;
}

// snippet:check
let aborted = 0;
globalThis.fetch = ((url: string, { signal }: { signal: AbortSignal }) =>
  new Promise((resolve, reject) => {
    const id = url.split("/").at(-1)!;
    signal.addEventListener("abort", () => { aborted++; reject(new Error("aborted")); });
    const answer = id === "9" ? new Response("", { status: 500 }) : Response.json({ name: `user ${id}` });
    setTimeout(() => resolve(answer), id === "1" ? 60 : 10);
  })) as typeof fetch;
const page = await render(<UserName id={1} />);
console.log(page.textContent);
await render(<UserName id={2} />, page);
await settle(100);
console.log(page.textContent);
console.log("aborted:", aborted);
await render(<UserName id={9} />, page);
await settle(50);
console.log(page.textContent);
process.exit();
