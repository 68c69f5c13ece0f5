// snippet:doc https://vitest.dev/api/expect.html#soft expect.soft
// snippet:about Vitest
// snippet:prints passed: reads every field of a row
// snippet:prints passed: names the line of a row that is too short
// snippet:prints passed: the error has the number of the line
import { expect, test } from "vitest";

class RowError extends Error {
  constructor(readonly line: number, message: string) {
    super(`line ${line}: ${message}`);
  }
}

function parseRow(text: string, line: number) {
  const [name, cents, ...rest] = text.split(";");
  if (!name?.trim() || !cents?.match(/^\d{1,12}$/) || rest.length > 0) throw new RowError(line, "expected name;cents");
  return { name: name.trim(), cents: Number(cents), line };
}

test("reads every field of a row", () => {
  const row = parseRow(" tea ;350", 1);
  expect.soft(row.name).toBe("tea"); // notes it, and goes on
  expect.soft(row.cents).toBe(350);
  expect.soft(row).toHaveProperty("line", 1);
});

test("names the line of a row that is too short", () => {
  expect(() => parseRow("tea", 4)).toThrow(RowError);
  expect(() => parseRow("tea", 4)).toThrow(/^line 4: /);
});

test("the error has the number of the line", () => {
  expect.assertions(1); // without it, a parser that throws nothing would pass
  try {
    parseRow("a;1;2", 9);
  } catch (error) {
    expect(error).toMatchObject({ line: 9 });
  }
});
