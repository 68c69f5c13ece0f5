// snippet:doc https://react.dev/reference/react/useReducer useReducer
// snippet:about React
// snippet:check
import { act, click, render } from "./dom.js";
// snippet:prints ☐ write
// snippet:prints ☑ write
// snippet:prints nothing to do
// snippet:end
import { useReducer } from "react";

type Todo = { id: number; text: string; done: boolean };
type Action = { type: "added"; text: string } | { type: "toggled"; id: number } | { type: "cleared" };

export function todos(state: Todo[], action: Action): Todo[] {
  switch (action.type) {
    case "added":
      return [...state, { id: Math.max(0, ...state.map((t) => t.id)) + 1, text: action.text, done: false }];
    case "toggled":
      return state.map((t) => (t.id === action.id ? { ...t, done: !t.done } : t));
    case "cleared":
      return state.filter((t) => !t.done);
  }
}

export function TodoList({ first }: { first: string }) {
  const [items, dispatch] = useReducer(todos, first, (text) => todos([], { type: "added", text }));
  return (
    <section>
      {items.map((t) => (
        <label key={t.id}>
          <input type="checkbox" checked={t.done} onChange={() => dispatch({ type: "toggled", id: t.id })} />
          {t.text}
        </label>
      ))}
      <button onClick={() => dispatch({ type: "cleared" })}>Clear what is done</button>
    </section>
  );
}

// snippet:check
const page = await render(<TodoList first="write" />);
const show = () => console.log([...page.querySelectorAll("label")].map((l) => `${l.querySelector("input")!.checked ? "☑" : "☐"} ${l.textContent}`).join() || "nothing to do");
show();
await act(async () => page.querySelector("input")!.click());
show();
await click(page.querySelector("button")!);
show();
const before: Todo[] = [{ id: 1, text: "a", done: false }];
todos(before, { type: "toggled", id: 1 });
process.exit(before[0]!.done ? 1 : 0);
