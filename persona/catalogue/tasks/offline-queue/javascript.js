// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/Window/online_event Window: online event
/** Changes made offline wait in `storage` and go out in order; `send` resolves to true when the server has one. */
export class Outbox {
  constructor(storage, send, key = "outbox") {
    Object.assign(this, { storage, send, key });
  }

  get pending() {
    return JSON.parse(this.storage.getItem(this.key) ?? "[]");
  }

  add(change) {
    // The server remembers ids: a repeat after a lost answer does no harm.
    const entry = { id: crypto.randomUUID(), at: Date.now(), change };
    this.storage.setItem(this.key, JSON.stringify([...this.pending, entry]));
    return this.flush();
  }

  /** `add` calls it; call it on window's "online" event as well. */
  flush() {
    return (this.flushing ??= Promise.resolve().then(() => this.#drain()));
  }

  async #drain() {
    try {
      for (let entry; (entry = this.pending[0]); ) {
        if (!(await this.send(entry).catch(() => false))) return;
        const rest = this.pending.filter(({ id }) => id !== entry.id);
        this.storage.setItem(this.key, JSON.stringify(rest));
      }
    } finally {
      this.flushing = undefined; // here, so that nothing is added between the last look and this
    }
  }
}
// snippet:check
const store = new Map();
const storage = { getItem: (key) => store.get(key) ?? null, setItem: (key, value) => store.set(key, value) };
let online = false;
const sent = [];
const outbox = new Outbox(storage, async ({ change }) => online && sent.push(change) > 0);
await outbox.add("rename");
await outbox.add("tick");
console.log(outbox.pending.length, sent);
online = true;
await Promise.all([outbox.flush(), outbox.flush()]);
console.log(outbox.pending.length, sent);
// snippet:prints 2 []
// snippet:prints 0 [ 'rename', 'tick' ]
