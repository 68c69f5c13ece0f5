// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Statements/async_function* async function*
// snippet:title Walk through all pages of an API
// snippet:description Walk through a paged collection with the cursor that each page brings; pages are fetched only as far as the
// snippet:description caller reads. A cursor that comes twice is an error instead of an endless loop.
// snippet:why Callers see one list, and no page is fetched for nothing.
export interface Page<T> {
  readonly items: readonly T[];
  /** Opaque position after the last item; absent on the last page. */
  readonly next?: string;
}

/** All items of a paged collection; pages are only fetched as far as the caller reads. */
export async function* paginate<T>(
  fetchPage: (cursor?: string) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await fetchPage(cursor);
    yield* page.items;
    cursor = page.next;
    // A server that returns the same cursor twice would keep us here for ever.
    if (cursor !== undefined && seen.has(cursor)) throw new Error(`cursor ${cursor} came twice`);
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
}
// snippet:check
const pages: Record<string, Page<number>> = {
  first: { items: [1, 2], next: "c2" },
  c2: { items: [3, 4], next: "c3" },
  c3: { items: [5] },
};
let fetched = 0;
const load = async (cursor = "first"): Promise<Page<number>> => (fetched++, pages[cursor]!);
for await (const item of paginate(load)) {
  if (item > 3) break;
  console.log(item);
}
console.log(fetched, "pages fetched");
// snippet:prints 1
// snippet:prints 2
// snippet:prints 3
// snippet:prints 2 pages fetched
