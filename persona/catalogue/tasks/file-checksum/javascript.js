// snippet:doc https://nodejs.org/api/crypto.html#class-hash Class: Hash
// snippet:description Compute the SHA-256 of a file as base64, the way a page's `integrity` attribute writes it, and throw when it
// snippet:description is not the expected one. The file is read in blocks, so memory does not grow with its size.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/** SHA-256 of a file of any size, in the format of a page's `integrity` attribute. */
export async function integrityOf(path) {
  const hash = createHash("sha256");
  // pipeline closes the file and rejects when reading fails half way.
  await pipeline(createReadStream(path), hash);
  return `sha256-${hash.digest("base64")}`;
}

export async function assertIntegrity(path, expected) {
  const actual = await integrityOf(path);
  if (actual !== expected) {
    throw new Error(`${path} was changed: expected ${expected}, got ${actual}`);
  }
}
// snippet:check
const { mkdtempSync, rmSync, writeFileSync } = await import("node:fs");
const folder = mkdtempSync("/tmp/sum-");
writeFileSync(`${folder}/app.js`, "abc");
console.log(await integrityOf(`${folder}/app.js`));
process.chdir(folder);
await assertIntegrity("app.js", "sha256-other").catch((error) => console.log(error.message.slice(0, 40)));
rmSync(folder, { recursive: true });
// snippet:prints sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=
// snippet:prints app.js was changed: expected sha256-othe
