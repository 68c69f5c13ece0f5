// snippet:doc https://reactnative.dev/docs/backhandler BackHandler
// snippet:about React Native
// snippet:check
import { beforeEach, expect, jest, test } from "@jest/globals";
import { renderHook } from "@testing-library/react-native";
import type { AlertButton } from "react-native";
// snippet:prints passed: back asks, and only Discard leaves
// snippet:prints passed: without changes nothing listens
// snippet:prints passed: nothing listens after the changes were saved, or the screen is gone
// snippet:end
import { useEffect } from "react";
import { Alert, BackHandler } from "react-native";

export function useConfirmBack(unsaved: boolean, leave: () => void) {
  useEffect(() => {
    if (!unsaved) return;
    const subscription = BackHandler.addEventListener("hardwareBackPress", () => {
      Alert.alert("Discard your changes?", "They have not been saved.", [
        { text: "Keep editing", style: "cancel" },
        { text: "Discard", style: "destructive", onPress: leave },
      ]);
      return true;
    });
    return () => subscription.remove();
  }, [unsaved, leave]); // keep leave the same: a new one moves this listener in front of later ones
}

// snippet:check
type Listener = Parameters<typeof BackHandler.addEventListener>[1];
let listeners: Listener[] = [];
let buttons: AlertButton[] = [];
beforeEach(() => {
  [listeners, buttons] = [[], []];
  jest.spyOn(BackHandler, "addEventListener").mockImplementation((_, listener) => {
    listeners.push(listener);
    return { remove: () => { listeners = listeners.filter((l) => l !== listener); } };
  });
  jest.spyOn(Alert, "alert").mockImplementation((_title, _text, all) => { buttons = all ?? []; });
});

test("back asks, and only Discard leaves", () => {
  const leave = jest.fn();
  renderHook(() => useConfirmBack(true, leave));
  expect(listeners.map((back) => back({} as Parameters<Listener>[0]))).toEqual([true]);
  expect(buttons.map((b) => b.text)).toEqual(["Keep editing", "Discard"]);
  buttons[0]!.onPress?.();
  expect(leave).not.toHaveBeenCalled();
  buttons[1]!.onPress?.();
  expect(leave).toHaveBeenCalledTimes(1);
});

test("without changes nothing listens", () => {
  renderHook(() => useConfirmBack(false, () => {}));
  expect(listeners).toEqual([]);
});

test("nothing listens after the changes were saved, or the screen is gone", () => {
  const leave = () => {};
  const { rerender, unmount } = renderHook(({ unsaved }: { unsaved: boolean }) => useConfirmBack(unsaved, leave), { initialProps: { unsaved: true } });
  expect(listeners).toHaveLength(1);
  rerender({ unsaved: false });
  expect(listeners).toHaveLength(0);
  rerender({ unsaved: true });
  unmount();
  expect(listeners).toHaveLength(0);
});
