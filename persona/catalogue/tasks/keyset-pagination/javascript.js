// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/Intersection_Observer_API Intersection Observer API
// snippet:title Load the next page while people scroll
// snippet:description Load the next page of a list when its end comes near the viewport, with the cursor that the last page
// snippet:description brought. Only one page is loaded at a time.
// snippet:why People scroll on without pressing a button.
// snippet:check
globalThis.IntersectionObserver = class {
  static instances = [];
  watched = new Set();
  constructor(callback, options) {
    Object.assign(this, { callback, options });
    IntersectionObserver.instances.push(this);
  }
  observe(target) {
    this.watched.add(target);
  }
  unobserve(target) {
    this.watched.delete(target);
  }
  disconnect() {
    this.watched.clear();
  }
};
// snippet:end
/**
 * Load the next page of a list when its end comes near the viewport.
 * `loadPage(cursor)` resolves to `{ items, next }`; `next` is null on the last page.
 * What fails is loaded again when the end comes near once more.
 */
export function infiniteScroll(sentinel, loadPage, append) {
  let cursor, loading, stopped;

  const observer = new IntersectionObserver(
    async (entries) => {
      if (!entries.at(-1).isIntersecting || loading) return;
      loading = true;
      try {
        const { items, next } = await loadPage(cursor);
        if (stopped) return;
        append(items);
        cursor = next;
        observer.unobserve(sentinel);
        // Observing anew reports at once: a short page may not have moved the sentinel out of sight.
        if (next !== null) observer.observe(sentinel);
      } finally {
        loading = false;
      }
    },
    { rootMargin: "400px" }, // start before the reader gets there
  );
  observer.observe(sentinel);
  return () => {
    stopped = true;
    observer.disconnect();
  };
}
// snippet:check
const pages = { undefined: { items: ["a", "b"], next: 2 }, 2: { items: ["c"], next: null } };
const shown = [];
infiniteScroll({}, async (cursor) => pages[cursor], (items) => shown.push(...items));
const [observer] = IntersectionObserver.instances;
await observer.callback([{ isIntersecting: false }]);
await Promise.all([1, 2].map(() => observer.callback([{ isIntersecting: true }])));
console.log(shown.join(), observer.watched.size);
await observer.callback([{ isIntersecting: true }]);
console.log(shown.join(), observer.watched.size);
const stop = infiniteScroll({}, async () => ({ items: ["late"], next: null }), (items) => shown.push(...items));
const late = IntersectionObserver.instances[1].callback([{ isIntersecting: true }]);
stop();
await late;
console.log(shown.join());
// snippet:prints a,b 1
// snippet:prints a,b,c 0
// snippet:prints a,b,c
