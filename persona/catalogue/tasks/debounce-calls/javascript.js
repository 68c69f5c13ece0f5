// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/AbortController AbortController
// snippet:description Search once typing has paused, with the latest text. A newer input cancels the timer and the request still
// snippet:description under way, so an old answer cannot replace a new one.
// snippet:why Typing stays smooth, and the server is asked once and not with every key.
/** Run `task` once typing has paused; a newer call cancels the one still under way. */
export function debounce(task, wait = 250) {
  let timer;
  let controller;
  return (...args) => {
    clearTimeout(timer);
    controller?.abort();
    controller = new AbortController();
    const { signal } = controller;
    timer = setTimeout(async () => {
      try {
        await task(...args, signal);
      } catch (error) {
        if (!signal.aborted) throw error; // a cancelled search is not a failed one
      }
    }, wait);
  };
}

export function attachSearch(input, render) {
  const search = debounce(async (query, signal) => {
    const response = await fetch(`/search?q=${encodeURIComponent(query)}`, { signal });
    if (!response.ok) throw new Error(`search: ${response.status}`);
    render(await response.json());
  });
  input.addEventListener("input", () => search(input.value.trim()));
}
// snippet:check
globalThis.fetch = async (url) => Response.json({ url });
const input = Object.assign(new EventTarget(), { value: "" });
attachSearch(input, (result) => console.log(result.url));
for (const value of ["t", "te", "tea & milk "]) {
  input.value = value;
  input.dispatchEvent(new Event("input"));
}
// snippet:prints /search?q=tea%20%26%20milk
