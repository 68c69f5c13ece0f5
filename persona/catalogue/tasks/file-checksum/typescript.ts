// snippet:doc https://nodejs.org/api/crypto.html#class-hash Class: Hash
// snippet:needs TypeScript 5.2
import { createHash, timingSafeEqual } from "node:crypto";
import { open } from "node:fs/promises";

export type Digest = `sha256:${string}`;

export async function digestOf(path: string): Promise<Digest> {
  await using file = await open(path);
  const hash = createHash("sha256");
  for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk);
  return `sha256:${hash.digest("hex")}`;
}

export async function matches(path: string, expected: Digest): Promise<boolean> {
  const [actual, wanted] = [Buffer.from(await digestOf(path)), Buffer.from(expected.toLowerCase())];
  return actual.length === wanted.length && timingSafeEqual(actual, wanted);
}
// snippet:check
const { mkdtemp, rm, writeFile } = await import("node:fs/promises");
const folder = await mkdtemp("/tmp/sum-");
await writeFile(`${folder}/a`, "abc");
const digest = await digestOf(`${folder}/a`);
console.log(digest);
console.log(await matches(`${folder}/a`, `sha256:${digest.slice(7).toUpperCase()}`), await matches(`${folder}/a`, "sha256:00"));
await rm(folder, { recursive: true });
// snippet:prints sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
// snippet:prints true false
