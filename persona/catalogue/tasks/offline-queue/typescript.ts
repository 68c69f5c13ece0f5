// snippet:doc https://www.typescriptlang.org/docs/handbook/2/generics.html#generic-constraints Generic constraints
export type Delivery = "sent" | "rejected" | "offline";

type Entry<T> = { readonly id: string; readonly change: T };

/** Keeps changes in order until the server has them; `send` gets an id to recognise repeats. */
export class Outbox<T> {
  #entries: Entry<T>[];

  constructor(private readonly send: (entry: Entry<T>) => Promise<Delivery>) {
    this.#entries = JSON.parse(localStorage.getItem("outbox") ?? "[]") as Entry<T>[];
  }

  async add(change: T): Promise<void> {
    this.#save([...this.#entries, { id: crypto.randomUUID(), change }]);
    await this.flush();
  }

  async flush(): Promise<void> {
    for (let first; (first = this.#entries[0]); this.#save(this.#entries.slice(1))) {
      // What the server rejects for good must leave the queue, or it blocks the rest.
      if ((await this.send(first)) === "offline") return;
    }
  }

  #save(entries: Entry<T>[]): void {
    this.#entries = entries;
    localStorage.setItem("outbox", JSON.stringify(entries));
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
await new Outbox<string>(send).flush();
// snippet:prints 3 waiting
// snippet:prints sent rename
// snippet:prints sent tick
