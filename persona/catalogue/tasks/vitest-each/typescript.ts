// snippet:doc https://vitest.dev/api/test#test-each test.each
// snippet:about Vitest
// snippet:prints passed: 'Hello World' becomes 'hello-world'
// snippet:prints passed: '  Crème  brûlée ' becomes 'creme-brulee'
// snippet:prints passed: '' becomes ''
import { expect, test } from "vitest";

const slug = (title: string) =>
  title.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().match(/[a-z0-9]+/g)?.join("-") ?? "";

test.each<{ title: string; want: string }>([
  { title: "Hello World", want: "hello-world" },
  { title: "  Crème  brûlée ", want: "creme-brulee" },
  { title: "", want: "" },
])('$title becomes $want', ({ title, want }) => {
  expect(slug(title)).toBe(want);
});
