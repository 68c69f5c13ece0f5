// snippet:doc https://reactnative.dev/docs/linking Linking
// snippet:about React Native
// snippet:check
import { beforeEach, expect, jest, test } from "@jest/globals";
import { act, renderHook } from "@testing-library/react-native";
// snippet:prints passed: only the exact form is an order
// snippet:prints passed: follows the link that started the app, once
// snippet:prints passed: follows links that come later
// snippet:prints passed: opens nothing after the component is gone
// snippet:end
import { useEffect, useRef } from "react";
import { Linking } from "react-native";

export const orderOf = (url: string) => /^https:\/\/example\.com\/orders\/([1-9]\d{0,11})$/.exec(url)?.[1];

export function useOrderLinks(open: (order: string) => void) {
  const latest = useRef(open);
  useEffect(() => {
    latest.current = open;
  });

  useEffect(() => {
    let gone = false;
    function follow(url: string | null) {
      const order = url === null ? undefined : orderOf(url);
      if (order !== undefined && !gone) latest.current(order);
    }
    Linking.getInitialURL().then(follow, (error: unknown) => console.warn("no initial link", error));
    const subscription = Linking.addEventListener("url", ({ url }) => follow(url));
    return () => {
      gone = true;
      subscription.remove();
    };
  }, []);
}

// snippet:check
let listeners: ((event: { url: string }) => void)[] = [];
let initial: Promise<string | null>;
beforeEach(() => {
  [listeners, initial] = [[], Promise.resolve(null)];
  jest.spyOn(Linking, "getInitialURL").mockImplementation(() => initial);
  jest.spyOn(Linking, "addEventListener").mockImplementation((_, listener) => {
    listeners.push(listener);
    return { remove: () => { listeners = listeners.filter((l) => l !== listener); } } as ReturnType<typeof Linking.addEventListener>;
  });
});

test("only the exact form is an order", () => {
  expect(orderOf("https://example.com/orders/17")).toBe("17");
  for (const url of ["", "http://example.com/orders/17", "https://example.com.test/orders/17", "https://example.com/orders/", "https://example.com/orders/17/delete",
    "https://example.com/orders/0", "https://example.com/orders/17?x", "https://example.com/orders/17\n", "myapp://https://example.com/orders/17"]) {
    expect(orderOf(url)).toBeUndefined();
  }
});

test("follows the link that started the app, once", async () => {
  initial = Promise.resolve("https://example.com/orders/17");
  const open = jest.fn();
  const { rerender } = renderHook(() => useOrderLinks((order) => open(order)));
  await act(async () => {});
  rerender({});
  await act(async () => {});
  expect(open.mock.calls).toEqual([["17"]]);
});

test("follows links that come later", async () => {
  initial = Promise.reject(new Error("none"));
  const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
  const open = jest.fn();
  renderHook(() => useOrderLinks(open));
  await act(async () => {});
  expect(warn).toHaveBeenCalledTimes(1);
  listeners.forEach((l) => l({ url: "https://example.com/orders/18" }));
  listeners.forEach((l) => l({ url: "https://example.com/" }));
  expect(open.mock.calls).toEqual([["18"]]);
});

test("opens nothing after the component is gone", async () => {
  initial = Promise.resolve("https://example.com/orders/17");
  const open = jest.fn();
  const { unmount } = renderHook(() => useOrderLinks(open));
  unmount();
  await act(async () => {});
  expect([open.mock.calls.length, listeners.length]).toEqual([0, 0]);
});
