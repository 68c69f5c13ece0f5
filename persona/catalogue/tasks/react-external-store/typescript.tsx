// snippet:doc https://react.dev/reference/react/useSyncExternalStore useSyncExternalStore
// snippet:about React
// snippet:check
import { act, render } from "./dom.js";
// snippet:prints saved
// snippet:prints kept here until you are online again
// snippet:end
import { useSyncExternalStore } from "react";

function subscribe(changed: () => void) {
  window.addEventListener("online", changed);
  window.addEventListener("offline", changed);
  return () => {
    window.removeEventListener("online", changed);
    window.removeEventListener("offline", changed);
  };
}

export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine, () => true);
}

export function SaveState() {
  return <p role="status">{useOnline() ? "saved" : "kept here until you are online again"}</p>;
}

// snippet:check
const page = await render(<SaveState />);
console.log(page.textContent);
Object.defineProperty(window.navigator, "onLine", { value: false, configurable: true });
await act(async () => { window.dispatchEvent(new window.Event("offline")); });
console.log(page.textContent);
process.exit();
