// snippet:doc https://nodejs.org/api/readline.html#example-read-file-stream-line-by-line Read a file line by line
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline/promises";
import { createGunzip } from "node:zlib";

/** Count the values of one field in a file of JSON lines, gzipped or not, in constant memory. */
export async function countField(path, field) {
  const file = createReadStream(path);
  const input = path.endsWith(".gz") ? file.pipe(createGunzip()) : file;
  const counts = new Map();
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (!line) continue;
    const value = JSON.parse(line)[field] ?? "(none)";
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}
// snippet:check
const { writeFileSync, rmSync, mkdtempSync } = await import("node:fs");
const { gzipSync } = await import("node:zlib");
const folder = mkdtempSync("/tmp/lines-");
const rows = ["error", "info", "info", undefined].map((level) => JSON.stringify({ level }));
writeFileSync(`${folder}/log.gz`, gzipSync(rows.join("\n")));
console.log(await countField(`${folder}/log.gz`, "level"));
rmSync(folder, { recursive: true });
// snippet:prints Map(3) { 'info' => 2, 'error' => 1, '(none)' => 1 }
