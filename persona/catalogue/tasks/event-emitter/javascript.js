// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/EventTarget EventTarget
/** A store that tells the page what changed; EventTarget does the bookkeeping. */
export class Store extends EventTarget {
  #state;

  constructor(initial) {
    super();
    this.#state = Object.freeze({ ...initial });
  }

  get state() {
    return this.#state;
  }

  update(changes) {
    const previous = this.#state;
    this.#state = Object.freeze({ ...previous, ...changes });
    for (const key of Object.keys(changes)) {
      if (Object.is(previous[key], this.#state[key])) continue;
      this.dispatchEvent(new CustomEvent(`change:${key}`, { detail: this.#state[key] }));
    }
  }
}

const settings = new Store({ theme: "light", fontSize: 14 });
const page = new AbortController(); // one abort() removes every listener of a closed page
const { signal } = page;
settings.addEventListener("change:theme", (e) => console.log("theme:", e.detail), { signal });
settings.update({ theme: "dark", fontSize: 14 });
page.abort();
settings.update({ theme: "light" });
// snippet:prints theme: dark
