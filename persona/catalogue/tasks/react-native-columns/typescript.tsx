// snippet:doc https://reactnative.dev/docs/usewindowdimensions useWindowDimensions
// snippet:about React Native
// snippet:check
import { expect, test } from "@jest/globals";
import { act, render, screen } from "@testing-library/react-native";
import { Dimensions, StyleSheet } from "react-native";
// snippet:prints passed: two columns on a phone, four when it is turned
// snippet:prints passed: one column for large text, and never none
// snippet:prints passed: another number at the same key is refused
// snippet:end
import { FlatList, Text, useWindowDimensions, View } from "react-native";

const WIDTH = 180; // of a column, at the usual size of text

export function Gallery({ photos }: { photos: { id: string; title: string }[] }) {
  const { width, fontScale } = useWindowDimensions(); // the list is as wide as the window
  const columns = Math.max(1, Math.floor(width / (WIDTH * fontScale)));
  return (
    <FlatList
      key={columns}
      numColumns={columns}
      data={photos}
      keyExtractor={(photo) => photo.id}
      renderItem={({ item }) => (
        <View style={{ width: width / columns, padding: 8 }}>
          <Text>{item.title}</Text>
        </View>
      )}
    />
  );
}

// snippet:check
const photos = ["a", "b", "c", "d", "e"].map((id) => ({ id, title: `photo ${id}` }));
const turn = (width: number, fontScale: number) => act(async () => {
  const window = { width, height: 800, scale: 2, fontScale };
  Dimensions.set({ window, screen: window });
});
const widths = () => screen.getAllByText(/^photo/).map((text) => StyleSheet.flatten(text.parent!.parent!.props.style).width);
const columns = () => screen.UNSAFE_getByType(FlatList).props.numColumns;

test("two columns on a phone, four when it is turned", async () => {
  await turn(390, 1);
  render(<Gallery photos={photos} />);
  expect([columns(), ...new Set(widths())]).toEqual([2, 195]);
  await turn(844, 1);
  expect([columns(), ...new Set(widths())]).toEqual([4, 211]);
  expect(widths()).toHaveLength(5);
});

test("one column for large text, and never none", async () => {
  await turn(390, 2);
  render(<Gallery photos={photos} />);
  expect([columns(), ...new Set(widths())]).toEqual([1, 390]);
  await turn(0, 1);
  expect(columns()).toBe(1);
});

test("another number at the same key is refused", () => {
  const { rerender } = render(<FlatList data={[1]} numColumns={2} renderItem={() => null} />);
  expect(() => rerender(<FlatList data={[1]} numColumns={3} renderItem={() => null} />)).toThrow("numColumns");
});
