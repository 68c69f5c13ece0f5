// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/Window/setTimeout setTimeout()
// snippet:into Save it as an .mts file.
export interface Debounced<A extends unknown[]> {
  (...args: A): void;
  /** Run a waiting call at once, for example before the page is closed. */
  flush(): void;
  cancel(): void;
}

export function debounce<A extends unknown[]>(
  action: (...args: A) => void,
  wait: number,
): Debounced<A> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest: A | undefined;

  const cancel = (): void => {
    clearTimeout(timer);
    latest = undefined;
  };
  const flush = (): void => {
    const args = latest;
    cancel();
    if (args) action(...args);
  };
  const call = (...args: A): void => {
    clearTimeout(timer);
    latest = args;
    timer = setTimeout(flush, wait);
  };
  return Object.assign(call, { flush, cancel });
}
// snippet:usage
const save = debounce((text: string, draft: boolean) => console.log(text, draft), 20);
save("d", true);
save("draft", true);
await new Promise((resolve) => setTimeout(resolve, 50));
save("final", false);
save.flush();
save.flush();
// snippet:prints draft true
// snippet:prints final false
