// snippet:doc https://www.typescriptlang.org/docs/handbook/2/mapped-types.html Mapped types
type Listener<T> = (payload: T) => void;

/** `Emitter<{ saved: { id: number } }>`: names and payloads are checked by the compiler. */
export class Emitter<Events extends object> {
  readonly #listeners: { [K in keyof Events]?: Set<Listener<Events[K]>> } = Object.create(null);

  /** Returns the function that unsubscribes again. A listener that is added twice is called once. */
  on<K extends keyof Events>(name: K, listener: Listener<Events[K]>): () => void {
    const listeners = (this.#listeners[name] ??= new Set());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  emit<K extends keyof Events>(name: K, payload: Events[K]): void {
    // A copy: a listener that is added or removed while we are calling is so from the next event on.
    for (const listener of [...(this.#listeners[name] ?? [])]) listener(payload);
  }
}

const cart = new Emitter<{ added: { sku: string; quantity: number }; cleared: undefined }>();
const off = cart.on("added", ({ sku, quantity }) => console.log(`${quantity} × ${sku}`));
cart.emit("added", { sku: "tea", quantity: 2 });
off();
cart.emit("added", { sku: "milk", quantity: 1 });
// snippet:prints 2 × tea
