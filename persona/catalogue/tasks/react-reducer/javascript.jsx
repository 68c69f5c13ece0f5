// snippet:doc https://react.dev/reference/react/useReducer useReducer
// snippet:about React
// snippet:check
import { act, click, render } from "./dom.js";
// snippet:prints ☐ write
// snippet:prints ☑ write
// snippet:prints nothing to do
// snippet:description A reducer takes the state and what happened, and returns the next state; it is a pure function that can be
// snippet:description tested without a component. An action that it does not know is an error, and no silent nothing. Items are
// snippet:description replaced and never changed in place, because React compares by identity.
// snippet:end
import { useReducer } from "react";

export function todos(state, action) {
  switch (action.type) {
    case "added":
      return [...state, { id: Math.max(0, ...state.map((t) => t.id)) + 1, text: action.text, done: false }];
    case "toggled":
      return state.map((t) => (t.id === action.id ? { ...t, done: !t.done } : t));
    case "cleared":
      return state.filter((t) => !t.done);
    default:
      throw new Error(`no action ${action.type}`);
  }
}

export function TodoList({ first }) {
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
const show = () => console.log([...page.querySelectorAll("label")].map((l) => `${l.querySelector("input").checked ? "☑" : "☐"} ${l.textContent}`).join() || "nothing to do");
show();
await act(async () => page.querySelector("input").click());
show();
await click(page.querySelector("button"));
show();
const before = [{ id: 1, text: "a", done: false }];
todos(before, { type: "toggled", id: 1 });
process.exit(before[0].done ? 1 : 0);
