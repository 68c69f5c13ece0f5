// snippet:doc https://react.dev/reference/react/useSyncExternalStore useSyncExternalStore
// snippet:about React
// snippet:check
import { act, render } from "./dom.js";
// snippet:prints online
// snippet:prints offline: this page may be out of date
// snippet:end
import { useSyncExternalStore } from "react";

function subscribe(changed) {
  window.addEventListener("online", changed);
  window.addEventListener("offline", changed);
  return () => {
    window.removeEventListener("online", changed);
    window.removeEventListener("offline", changed);
  };
}

export function useOnline() {
  return useSyncExternalStore(subscribe, () => navigator.onLine, () => true);
}

export function Connection() {
  return <p role="status">{useOnline() ? "online" : "offline: this page may be out of date"}</p>;
}

// snippet:check
const page = await render(<Connection />);
console.log(page.textContent);
Object.defineProperty(window.navigator, "onLine", { value: false, configurable: true });
await act(async () => { window.dispatchEvent(new window.Event("offline")); });
console.log(page.textContent);
process.exit();
