// snippet:doc https://www.typescriptlang.org/docs/handbook/2/generics.html#generic-constraints Generic constraints
export type Delivery = "sent" | "rejected" | "offline";
type Entry<T> = { readonly id: string; readonly change: T };

/** Keeps changes in order until the server has them. For one tab: a second one would overwrite what it has saved. */
export class Outbox<T> {
  #entries = JSON.parse(localStorage.getItem("outbox") ?? "[]") as Entry<T>[];
  #running: Promise<void> | undefined;

  constructor(private readonly send: (entry: Entry<T>) => Promise<Delivery>) {}

  add(change: T): Promise<void> {
    this.#save([...this.#entries, { id: crypto.randomUUID(), change }]);
    return this.flush();
  }

  // Never twice at once: both would send the first entry, and one drop the second unsent.
  flush(): Promise<void> {
    return (this.#running ??= Promise.resolve().then(() => this.#drain()));
  }

  async #drain(): Promise<void> {
    try {
      for (let first; (first = this.#entries[0]); this.#save(this.#entries.slice(1))) {
        if ((await this.send(first)) === "offline") return; // what is rejected leaves the queue
      }
    } finally {
      this.#running = undefined;
    }
  }

  #save(entries: Entry<T>[]): void {
    localStorage.setItem("outbox", JSON.stringify(entries)); // may throw: then nothing has changed
    this.#entries = entries;
  }
}
// snippet:check
const store = new Map<string, string>();
Object.assign(globalThis, {
  localStorage: { getItem: (key: string) => store.get(key) ?? null, setItem: (key: string, value: string) => void store.set(key, value) },
});
let online = false;
const send = async ({ change }: Entry<string>): Promise<Delivery> => {
  if (!online) return "offline";
  if (change === "bad") return "rejected";
  console.log("sent", change);
  return "sent";
};
const outbox = new Outbox<string>(send);
for (const change of ["rename", "bad", "tick"]) await outbox.add(change);
console.log(JSON.parse(store.get("outbox")!).length, "waiting");
online = true;
const restored = new Outbox<string>(send);
await Promise.all([restored.flush(), restored.add("close")]);
// snippet:prints 3 waiting
// snippet:prints sent rename
// snippet:prints sent tick
// snippet:prints sent close
