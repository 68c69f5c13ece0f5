// snippet:doc https://reactnative.dev/docs/textinput TextInput
// snippet:about React Native
// snippet:check
import { expect, jest, test } from "@jest/globals";
import { act, fireEvent, render, screen } from "@testing-library/react-native";
// snippet:prints passed: the first field leads to the second, which signs in once
// snippet:prints passed: a failure is announced, and the next attempt clears it
// snippet:prints passed: an empty form sends nothing
// snippet:end
import { type ComponentRef, useRef, useState } from "react";
import { Button, Text, TextInput, View } from "react-native";

export function SignIn({ signIn }: { signIn: (email: string, password: string) => Promise<void> }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [status, setStatus] = useState("");
  const second = useRef<ComponentRef<typeof TextInput>>(null);
  const running = useRef(false); // a state would change with the next display only
  const ready = email.trim() !== "" && password !== "";

  async function submit() {
    if (!ready || running.current) return;
    running.current = true;
    setStatus("Signing in…");
    await signIn(email.trim(), password).then(() => setStatus(""), (e: Error) => setStatus(e.message));
    running.current = false;
  }

  return (
    <View>
      <Text>Email</Text>
      <TextInput aria-label="Email" value={email} onChangeText={setEmail} autoComplete="username" autoCapitalize="none"
        keyboardType="email-address" returnKeyType="next" submitBehavior="submit"
        onSubmitEditing={() => second.current?.focus()} />
      <Text>Password</Text>
      <TextInput aria-label="Password" value={password} onChangeText={setPassword} ref={second}
        autoComplete="current-password" secureTextEntry returnKeyType="go" onSubmitEditing={submit} />
      <Text accessibilityLiveRegion="polite">{status}</Text>
      <Button title="Sign in" onPress={submit} disabled={!ready} />
    </View>
  );
}

// snippet:check
const field = (name: string) => screen.getByLabelText(name);
function fill() {
  fireEvent.changeText(field("Email"), " ada@example.com ");
  fireEvent.changeText(field("Password"), " secret ");
}

test("the first field leads to the second, which signs in once", async () => {
  let done = () => {};
  const signIn = jest.fn<(email: string, password: string) => Promise<void>>(() => new Promise((resolve) => { done = resolve; }));
  render(<SignIn signIn={signIn} />);
  fill();
  fireEvent(field("Email"), "submitEditing");
  const second = screen.UNSAFE_getAllByType(TextInput)[1]!.instance as TextInput;
  expect(jest.mocked(second.focus).mock.contexts).toEqual([second]);
  await act(async () => {
    fireEvent(field("Password"), "submitEditing");
    fireEvent(field("Password"), "submitEditing");
  });
  await act(async () => { fireEvent(field("Password"), "submitEditing"); });
  fireEvent.press(screen.getByText("Sign in"));
  expect(signIn.mock.calls).toEqual([["ada@example.com", " secret "]]);
  await act(async () => done());
});

test("a failure is announced, and the next attempt clears it", async () => {
  const signIn = jest.fn<() => Promise<void>>().mockRejectedValueOnce(new Error("Wrong password")).mockResolvedValue();
  render(<SignIn signIn={signIn} />);
  fill();
  await act(async () => { fireEvent.press(screen.getByText("Sign in")); });
  screen.getByText("Wrong password");
  await act(async () => { fireEvent.press(screen.getByText("Sign in")); });
  expect(screen.queryByText("Wrong password")).toBeNull();
});

test("an empty form sends nothing", async () => {
  const signIn = jest.fn<() => Promise<void>>();
  render(<SignIn signIn={signIn} />);
  fireEvent.changeText(field("Email"), "  ");
  fireEvent.changeText(field("Password"), "secret");
  await act(async () => { fireEvent(field("Password"), "submitEditing"); });
  fireEvent.press(screen.getByText("Sign in"));
  expect(signIn).not.toHaveBeenCalled();
});
