// snippet:doc https://react.dev/reference/react/useReducer useReducer
// snippet:about React
// snippet:check
import { click, render } from "./dom.js";
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
  const [items, dispatch] = useReducer(todos, todos([], { type: "added", text: first }));
  return (
    <section>
      {items.map((t) => (
        <button key={t.id} onClick={() => dispatch({ type: "toggled", id: t.id })}>
          {`${t.done ? "☑" : "☐"} ${t.text}`}
        </button>
      ))}
      <button onClick={() => dispatch({ type: "cleared" })}>clear</button>
    </section>
  );
}

// snippet:check
const page = await render(<TodoList first="write" />);
const buttons = () => [...page.querySelectorAll("button")];
console.log(buttons()[0]!.textContent);
await click(buttons()[0]!);
console.log(buttons()[0]!.textContent);
await click(buttons()[1]!);
console.log(buttons().length === 1 ? "nothing to do" : "left over");
const before: Todo[] = [{ id: 1, text: "a", done: false }];
todos(before, { type: "toggled", id: 1 });
process.exit(before[0]!.done ? 1 : 0);
