// snippet:doc https://reactnative.dev/docs/animated Animated
// snippet:about React Native
// snippet:check
import { beforeEach, expect, jest, test } from "@jest/globals";
import { act, render, screen } from "@testing-library/react-native";
import { StyleSheet, Text } from "react-native";
// snippet:prints passed: starts the animation of 250 ms, from below and unseen
// snippet:prints passed: is there at once where motion is reduced
// snippet:prints passed: is there at once where the system does not say
// snippet:prints passed: starts nothing after it is gone
// snippet:end
import { useEffect } from "react";
import type { ReactNode } from "react";
import { AccessibilityInfo, Animated, useAnimatedValue } from "react-native";

export function SlideIn({ children }: { children: ReactNode }) {
  const shown = useAnimatedValue(0);

  useEffect(() => {
    let gone = false;
    async function start() {
      const reduced = await AccessibilityInfo.isReduceMotionEnabled().catch(() => true);
      if (gone) return;
      if (reduced) shown.setValue(1);
      else Animated.timing(shown, { toValue: 1, duration: 250, useNativeDriver: true }).start();
    }
    void start();
    return () => {
      gone = true;
      shown.stopAnimation();
    };
  }, [shown]);

  const translateY = shown.interpolate({ inputRange: [0, 1], outputRange: [24, 0] });
  return <Animated.View style={{ opacity: shown, transform: [{ translateY }] }}>{children}</Animated.View>;
}

// snippet:check
let reduced: jest.SpiedFunction<typeof AccessibilityInfo.isReduceMotionEnabled>;
let timing: jest.SpiedFunction<typeof Animated.timing>;
beforeEach(() => {
  reduced = jest.spyOn(AccessibilityInfo, "isReduceMotionEnabled");
  timing = jest.spyOn(Animated, "timing");
});
const look = () => {
  const { opacity, transform } = StyleSheet.flatten(screen.getByText("Hello").parent!.parent!.props.style);
  return [opacity, transform[0].translateY];
};

test("starts the animation of 250 ms, from below and unseen", async () => {
  reduced.mockResolvedValue(false);
  render(<SlideIn><Text>Hello</Text></SlideIn>);
  expect(look()).toEqual([0, 24]);
  await act(async () => {});
  expect(timing).toHaveBeenCalledTimes(1);
  expect(timing.mock.lastCall?.[1]).toEqual({ toValue: 1, duration: 250, useNativeDriver: true });
});

test("is there at once where motion is reduced", async () => {
  reduced.mockResolvedValue(true);
  render(<SlideIn><Text>Hello</Text></SlideIn>);
  await act(async () => {});
  expect(look()).toEqual([1, 0]);
  expect(timing).not.toHaveBeenCalled();
});

test("is there at once where the system does not say", async () => {
  reduced.mockRejectedValue(new Error("unknown"));
  render(<SlideIn><Text>Hello</Text></SlideIn>);
  await act(async () => {});
  expect(look()).toEqual([1, 0]);
});

test("starts nothing after it is gone", async () => {
  reduced.mockResolvedValue(false);
  render(<SlideIn><Text>Hello</Text></SlideIn>).unmount();
  await act(async () => {});
  expect(timing).not.toHaveBeenCalled();
});
