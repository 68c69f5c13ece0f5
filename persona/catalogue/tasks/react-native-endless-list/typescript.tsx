// snippet:doc https://reactnative.dev/docs/flatlist FlatList
// snippet:about React Native
// snippet:check
import { expect, jest, test } from "@jest/globals";
import { act, fireEvent, render, screen } from "@testing-library/react-native";
// snippet:prints passed: loads the first page, then the next one once
// snippet:prints passed: a page that failed is asked for again, and what was there stays
// snippet:prints passed: pulling down loads the first page again
// snippet:prints passed: a reload that failed keeps the list, and its button stands above it
// snippet:prints passed: an empty list says so, once it is known
// snippet:end
import { useEffect, useRef, useState } from "react";
import { Button, FlatList, Text } from "react-native";

type Page = { orders: { id: string; title: string }[]; next: string | null }; // only the last one may be empty

export function Orders({ load }: { load: (cursor: string | null) => Promise<Page> }) {
  const [{ orders, next }, setPage] = useState<Page>({ orders: [], next: null });
  const [state, setState] = useState<"reloading" | "more" | "idle" | "reload failed" | "more failed">("reloading");
  const running = useRef(false);
  async function ask(cursor: string | null) {
    if (running.current) return;
    running.current = true;
    setState(cursor === null ? "reloading" : "more");
    try {
      const page = await load(cursor);
      setPage((old) => (cursor === null ? page : { ...page, orders: [...old.orders, ...page.orders] }));
      setState("idle");
    } catch {
      setState(cursor === null ? "reload failed" : "more failed");
    }
    running.current = false;
  }
  useEffect(() => void ask(null), []); // once, on the first display
  const again = (cursor: string | null) => <Button title="Loading failed. Try again" onPress={() => ask(cursor)} />;
  return (
    <FlatList
      data={orders} keyExtractor={(order) => order.id} renderItem={({ item }) => <Text>{item.title}</Text>}
      refreshing={state === "reloading"} onRefresh={() => ask(null)}
      onEndReached={() => { if (next !== null && state === "idle") void ask(next); }}
      ListEmptyComponent={state === "idle" ? <Text>No orders yet</Text> : null}
      ListHeaderComponent={state === "reload failed" ? again(null) : null}
      ListFooterComponent={state === "more failed" ? again(next) : null}
    />
  );
}

// snippet:check
const page = (next: string | null, ...titles: string[]): Page => ({ next, orders: titles.map((title) => ({ id: title, title })) });
const titles = () => screen.queryAllByText(/^order/).map((row) => row.props.children);
const list = () => screen.UNSAFE_getByType(FlatList);
const end = () => act(async () => list().props.onEndReached({ distanceFromEnd: 0 }));

test("loads the first page, then the next one once", async () => {
  let answer: (page: Page) => void = () => {};
  const load = jest.fn<(cursor: string | null) => Promise<Page>>()
    .mockResolvedValueOnce(page("2", "order 1", "order 2"))
    .mockImplementationOnce(() => new Promise((done) => { answer = done; }));
  render(<Orders load={load} />);
  await act(async () => {});
  expect(titles()).toEqual(["order 1", "order 2"]);
  await end();
  await end();
  await act(async () => list().props.onRefresh());
  expect(load.mock.calls).toEqual([[null], ["2"]]);
  await act(async () => answer(page(null, "order 3")));
  expect(titles()).toEqual(["order 1", "order 2", "order 3"]);
  await end();
  expect(load).toHaveBeenCalledTimes(2);
});

test("a page that failed is asked for again, and what was there stays", async () => {
  const load = jest.fn<(cursor: string | null) => Promise<Page>>()
    .mockRejectedValueOnce(new Error("offline"))
    .mockResolvedValueOnce(page("2", "order 1"))
    .mockRejectedValueOnce(new Error("offline"))
    .mockResolvedValueOnce(page(null, "order 2"));
  render(<Orders load={load} />);
  await act(async () => {});
  expect(screen.queryByText("No orders yet")).toBeNull();
  await act(async () => { fireEvent.press(screen.getByText(/Try again/)); });
  expect(titles()).toEqual(["order 1"]);
  await end();
  expect(titles()).toEqual(["order 1"]);
  await end();
  expect(load).toHaveBeenCalledTimes(3);
  await act(async () => { fireEvent.press(screen.getByText(/Try again/)); });
  expect(titles()).toEqual(["order 1", "order 2"]);
  expect(screen.queryByText(/Try again/)).toBeNull();
  expect(load.mock.calls).toEqual([[null], [null], ["2"], ["2"]]);
});

test("pulling down loads the first page again", async () => {
  const load = jest.fn<(cursor: string | null) => Promise<Page>>()
    .mockResolvedValueOnce(page(null, "order 1"))
    .mockResolvedValueOnce(page(null, "order 0", "order 1"));
  render(<Orders load={load} />);
  await act(async () => {});
  expect(list().props.refreshing).toBe(false);
  await act(async () => list().props.onRefresh());
  expect(titles()).toEqual(["order 0", "order 1"]);
});

test("a reload that failed keeps the list, and its button stands above it", async () => {
  const load = jest.fn<(cursor: string | null) => Promise<Page>>()
    .mockResolvedValueOnce(page("2", "order 1"))
    .mockRejectedValueOnce(new Error("offline"))
    .mockResolvedValueOnce(page("2", "order 0"));
  render(<Orders load={load} />);
  await act(async () => {});
  await act(async () => list().props.onRefresh());
  expect(screen.getAllByText(/^order|Try again/).map((text) => text.props.children)).toEqual(["Loading failed. Try again", "order 1"]);
  await act(async () => { fireEvent.press(screen.getByText(/Try again/)); });
  expect(titles()).toEqual(["order 0"]);
  expect(load.mock.calls).toEqual([[null], [null], [null]]);
});

test("an empty list says so, once it is known", async () => {
  let answer: (page: Page) => void = () => {};
  render(<Orders load={() => new Promise((done) => { answer = done; })} />);
  expect(screen.queryByText("No orders yet")).toBeNull();
  await act(async () => answer(page(null)));
  screen.getByText("No orders yet");
});
