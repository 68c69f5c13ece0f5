// snippet:doc https://vitest.dev/api/vi.html#vi-mock vi.mock
// snippet:about Vitest
// snippet:needs Vitest 3
// snippet:prints passed: reads the settings of the environment
// snippet:prints passed: a missing file means the defaults
// snippet:prints passed: any other failure is passed on
import { readFile } from "node:fs/promises";
import { beforeEach, expect, test, vi } from "vitest";

const fake = vi.hoisted(() => ({ readFile: vi.fn<(path: string, encoding: string) => Promise<string>>() }));
vi.mock("node:fs/promises", () => fake);

async function settings(environment: string): Promise<{ port: number }> {
  try {
    return JSON.parse(await readFile(`config/${environment}.json`, "utf8")) as { port: number };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { port: 8080 };
    throw error;
  }
}

beforeEach(() => void fake.readFile.mockReset());

test("reads the settings of the environment", async () => {
  fake.readFile.mockResolvedValue('{"port": 9000}');
  expect(await settings("test")).toEqual({ port: 9000 });
  expect(fake.readFile).toHaveBeenCalledExactlyOnceWith("config/test.json", "utf8");
});

test.for([
  ["a missing file means the defaults", "ENOENT", { port: 8080 }],
  ["any other failure is passed on", "EACCES", undefined],
] as const)("%s", async ([, code, want]) => {
  fake.readFile.mockRejectedValue(Object.assign(new Error(code), { code }));
  if (want) expect(await settings("test")).toEqual(want);
  else await expect(settings("test")).rejects.toThrow(code);
});
