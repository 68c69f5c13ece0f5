// snippet:doc https://vitest.dev/guide/test-context.html#extend-test-context Extend test context
// snippet:about Vitest
// snippet:prints passed: a file that was written can be read
// snippet:prints passed: the folder of each test is a new one
// snippet:prints passed: nothing is left
// snippet:prints passed: who asks for nothing gets nothing
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test as base } from "vitest";

interface Fixtures { folder: string; save: (name: string, text: string) => Promise<string> }

const test = base.extend<Fixtures>({
  // Vitest reads from the braces what a fixture needs: empty ones for nothing.
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "test-"));
    await use(folder);
    await rm(folder, { recursive: true }); // after the test, however it ended
  },
  save: async ({ folder }, use) => {
    await use(async (name, text) => {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    });
  },
});

test("a file that was written can be read", async ({ save }) => {
  expect(await readFile(await save("a.txt", "hello"), "utf8")).toBe("hello");
});

test("the folder of each test is a new one", async ({ folder }) => {
  expect(await readdir(folder)).toEqual([]);
});
// snippet:check
let last = "";
const made = () => readdir(tmpdir()).then((names) => names.filter((name) => name.startsWith("test-")).length);
test("nothing is left", async ({ folder }) => { last = folder; });
base("who asks for nothing gets nothing", async () => {
  await expect(readdir(last)).rejects.toThrow("ENOENT");
  expect(await made()).toBe(0);
});
