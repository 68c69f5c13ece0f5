// snippet:description The states and events of an upload, each state with its own data, and every allowed step in one function. An
// snippet:description event that the current state does not allow changes nothing.
// snippet:doc https://www.typescriptlang.org/docs/handbook/2/narrowing.html#discriminated-unions Discriminated unions
type Upload =
  | { state: "idle" }
  | { state: "sending"; file: string; progress: number }
  | { state: "failed"; file: string; reason: string }
  | { state: "done"; url: string };
type Event =
  | { type: "pick"; file: string }
  | { type: "progress"; share: number }
  | { type: "error"; reason: string }
  | { type: "finish"; url: string }
  | { type: "retry" };

/** What a state needs to know is part of it: a url exists only when done. */
export function next(current: Upload, event: Event): Upload {
  switch (current.state) {
    case "idle":
      if (event.type !== "pick") return current;
      return { state: "sending", file: event.file, progress: 0 };
    case "sending":
      if (event.type === "progress") return { ...current, progress: event.share };
      if (event.type === "finish") return { state: "done", url: event.url };
      if (event.type !== "error") return current;
      return { state: "failed", file: current.file, reason: event.reason };
    case "failed":
      if (event.type !== "retry") return current;
      return { state: "sending", file: current.file, progress: 0 };
    case "done":
      return current;
  } // no default: a new state is a compile error until it is handled here
}
// snippet:usage
const events: Event[] = [
  { type: "pick", file: "cat.jpg" },
  { type: "progress", share: 0.4 },
  { type: "error", reason: "offline" },
  { type: "finish", url: "/ignored" },
  { type: "retry" },
  { type: "finish", url: "/cat" },
];
events.reduce<Upload>((state, event) => {
  const after = next(state, event);
  console.log(JSON.stringify(after));
  return after;
}, { state: "idle" });
// snippet:prints {"state":"sending","file":"cat.jpg","progress":0}
// snippet:prints {"state":"sending","file":"cat.jpg","progress":0.4}
// snippet:prints {"state":"failed","file":"cat.jpg","reason":"offline"}
// snippet:prints {"state":"failed","file":"cat.jpg","reason":"offline"}
// snippet:prints {"state":"sending","file":"cat.jpg","progress":0}
// snippet:prints {"state":"done","url":"/cat"}
