// snippet:doc https://nodejs.org/api/crypto.html#class-hash Class: Hash
// snippet:into Save it as an .mts file.
import { createHash, timingSafeEqual } from "node:crypto";
import { createReadStream } from "node:fs";

export type Digest = `sha256:${string}`;

export async function digestOf(path: string): Promise<Digest> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return `sha256:${hash.digest("hex")}`;
}

export async function matches(path: string, expected: Digest): Promise<boolean> {
  const [actual, wanted] = [Buffer.from(await digestOf(path)), Buffer.from(expected.toLowerCase())];
  return actual.length === wanted.length && timingSafeEqual(actual, wanted);
}
// snippet:usage
const { writeFile } = await import("node:fs/promises");
await writeFile("abc.txt", "abc");
const digest = await digestOf("abc.txt");
console.log(digest, await matches("abc.txt", digest));
// snippet:check
console.log(await matches("abc.txt", `sha256:${digest.slice(7).toUpperCase()}`), await matches("abc.txt", "sha256:00"));
// snippet:usage
// snippet:prints sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad true
// snippet:check
// snippet:prints true false
