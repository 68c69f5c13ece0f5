// snippet:doc https://reactnative.dev/docs/appstate AppState
// snippet:about React Native
// snippet:check
import { beforeEach, expect, jest, test } from "@jest/globals";
import { renderHook } from "@testing-library/react-native";
import type { AppStateStatus } from "react-native";
// snippet:prints passed: a minute in the background refreshes, once
// snippet:prints passed: the time in the background counts from its beginning
// snippet:prints passed: less than a minute, or only inactive, does not
// snippet:prints passed: the latest refresh is called, with one subscription
// snippet:prints passed: a start in the background counts as leaving
// snippet:prints passed: nothing is left when the screen is gone
// snippet:end
import { useEffect, useRef } from "react";
import { AppState } from "react-native";

export function useRefreshOnReturn(refresh: () => void, away = 60_000) {
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });

  useEffect(() => {
    let left = AppState.currentState === "background" ? Date.now() : undefined;
    const subscription = AppState.addEventListener("change", (state) => {
      if (state === "background") {
        left ??= Date.now(); // the first counts, if it is told twice
      } else if (state === "active" && left !== undefined) {
        const since = left;
        left = undefined; // first: refresh may throw
        if (Date.now() - since >= away) latest.current();
      }
    });
    return () => subscription.remove();
  }, [away]);
}

// snippet:check
let listeners: ((state: AppStateStatus) => void)[] = [];
let subscriptions = 0;
beforeEach(() => {
  [listeners, subscriptions] = [[], 0];
  jest.useFakeTimers({ now: 0 });
  jest.spyOn(AppState, "addEventListener").mockImplementation((_, listener) => {
    const heard = listener as (state: AppStateStatus) => void;
    subscriptions++;
    listeners.push(heard);
    return { remove: () => { listeners = listeners.filter((l) => l !== heard); } };
  });
});
const states = (...all: AppStateStatus[]) => all.forEach((state) => listeners.forEach((l) => l(state)));

test("a minute in the background refreshes, once", () => {
  const refresh = jest.fn();
  renderHook(() => useRefreshOnReturn(refresh));
  states("inactive", "background");
  jest.setSystemTime(60_000);
  states("inactive", "active", "inactive", "active");
  expect(refresh).toHaveBeenCalledTimes(1);
});

test("the time in the background counts from its beginning", () => {
  const refresh = jest.fn();
  renderHook(() => useRefreshOnReturn(refresh));
  states("background");
  jest.setSystemTime(50_000);
  states("inactive", "background");
  jest.setSystemTime(60_000);
  states("inactive", "active");
  expect(refresh).toHaveBeenCalledTimes(1);
});

test("less than a minute, or only inactive, does not", () => {
  const refresh = jest.fn();
  renderHook(() => useRefreshOnReturn(refresh));
  states("background");
  jest.setSystemTime(59_999);
  states("active", "inactive");
  jest.setSystemTime(200_000);
  states("active");
  expect(refresh).not.toHaveBeenCalled();
});

test("the latest refresh is called, with one subscription", () => {
  const [first, second] = [jest.fn(), jest.fn()];
  const { rerender } = renderHook(({ refresh }: { refresh: () => void }) => useRefreshOnReturn(refresh), { initialProps: { refresh: first } });
  states("background");
  rerender({ refresh: second });
  jest.setSystemTime(60_000);
  states("active");
  expect([first.mock.calls.length, second.mock.calls.length, subscriptions]).toEqual([0, 1, 1]);
});

test("a start in the background counts as leaving", () => {
  const refresh = jest.fn();
  AppState.currentState = "background";
  renderHook(() => useRefreshOnReturn(refresh));
  AppState.currentState = "active";
  jest.setSystemTime(60_000);
  states("active", "inactive", "active");
  expect(refresh).toHaveBeenCalledTimes(1);
});

test("nothing is left when the screen is gone", () => {
  const { unmount } = renderHook(() => useRefreshOnReturn(() => {}));
  expect(listeners).toHaveLength(1);
  unmount();
  expect(listeners).toHaveLength(0);
});
