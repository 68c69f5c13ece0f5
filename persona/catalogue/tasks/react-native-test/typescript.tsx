// snippet:doc https://callstack.github.io/react-native-testing-library/ React Native Testing Library
// snippet:into Save it as Coupon.test.tsx in a React Native application with Testing Library: npx jest
// snippet:about React Native
// snippet:prints passed: redeems what was typed
// snippet:prints passed: does nothing without a code
import { expect, jest, test } from "@jest/globals";
import { render, screen, userEvent } from "@testing-library/react-native";
import { useState } from "react";
import { Button, Text, TextInput, View } from "react-native";

function Coupon({ redeem }: { redeem: (code: string) => Promise<string> }) {
  const [code, setCode] = useState("");
  const [result, setResult] = useState("");
  return (
    <View>
      <TextInput aria-label="Coupon" value={code} onChangeText={setCode} />
      <Button title="Redeem" disabled={!code} onPress={() => redeem(code).catch((e) => e.message).then(setResult)} />
      <Text>{result}</Text>
    </View>
  );
}

jest.useFakeTimers(); // the pauses between userEvent's keys take no time

test("redeems what was typed", async () => {
  const user = userEvent.setup();
  const redeem = jest.fn(async (_code: string) => "20 % off");
  await render(<Coupon redeem={redeem} />); // a promise in Testing Library 14
  await user.type(screen.getByLabelText("Coupon"), "SPRING");
  await user.press(screen.getByRole("button", { name: "Redeem" }));
  await screen.findByText("20 % off");
  expect(redeem.mock.calls).toEqual([["SPRING"]]);
});

test("does nothing without a code", async () => {
  const redeem = jest.fn(async (_code: string) => "");
  await render(<Coupon redeem={redeem} />);
  await userEvent.setup().press(screen.getByRole("button", { name: "Redeem" }));
  expect(redeem).not.toHaveBeenCalled();
});
