// snippet:doc https://vitest.dev/api/vi.html#vi-stubglobal vi.stubGlobal
// snippet:about Vitest
// snippet:prints passed: asks for one user, by an encoded name
// snippet:prints passed: 404 is no user
// snippet:prints passed: any other status is an error
// snippet:prints passed: a network that fails is an error
import { afterEach, expect, test, vi } from "vitest";

async function findUser(name: string): Promise<{ id: number } | null> {
  const response = await fetch(`/api/users/${encodeURIComponent(name)}`, { signal: AbortSignal.timeout(5_000) });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`users: HTTP ${response.status}`);
  return (await response.json()) as { id: number };
}

function answer(response: Response | Error) {
  const fake = vi.fn<typeof fetch>(async () => {
    if (response instanceof Error) throw response;
    return response;
  });
  vi.stubGlobal("fetch", fake);
  return fake;
}
afterEach(() => void vi.unstubAllGlobals());

test("asks for one user, by an encoded name", async () => {
  const fake = answer(Response.json({ id: 7 }));
  expect(await findUser("a/b")).toEqual({ id: 7 });
  expect(fake).toHaveBeenCalledWith("/api/users/a%2Fb", { signal: expect.any(AbortSignal) });
});

test("404 is no user", async () => {
  answer(new Response(null, { status: 404 }));
  expect(await findUser("ada")).toBeNull();
});
// snippet:check
test("any other status is an error", async () => {
  answer(new Response(null, { status: 503 }));
  await expect(findUser("ada")).rejects.toThrow("users: HTTP 503");
});
// snippet:end

test("a network that fails is an error", async () => {
  answer(new TypeError("fetch failed"));
  await expect(findUser("ada")).rejects.toThrow("fetch failed");
});
