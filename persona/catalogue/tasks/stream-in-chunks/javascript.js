// snippet:doc https://nodejs.org/api/stream.html#streampipelinesource-transforms-destination-options stream.pipeline
// snippet:description Count the values of one field in a file of JSON lines, gzipped or not, one line at a time. A file that is
// snippet:description missing or damaged is an error for the caller, and memory grows with the number of different values
// snippet:description and the longest line, not with the file.
// snippet:why Memory does not grow with the file.
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

/** Count the values, texts or numbers, of one field in a file of JSON lines, gzipped or not; no line is kept. */
export async function countField(path, field) {
  const steps = [createReadStream(path)];
  if (path.endsWith(".gz")) steps.push(createGunzip());
  const counts = new Map();
  const count = (line) => {
    if (!line.trim()) return;
    const row = JSON.parse(line);
    const value = (Object.hasOwn(row, field) ? row[field] : null) ?? "(none)";
    counts.set(value, (counts.get(value) ?? 0) + 1);
  };
  // pipeline rejects when the file is missing or damaged; pipe() alone would end the process.
  await pipeline(...steps, async (input) => {
    const utf8 = new TextDecoder("utf-8", { fatal: true }); // other bytes are an error
    let rest = "";
    for await (const part of input) {
      // readline, from Node.js 24, also ends a line at U+2028, which JSON may hold.
      const lines = (rest + utf8.decode(part, { stream: true })).split("\n");
      rest = lines.pop();
      lines.forEach(count);
    }
    count(rest + utf8.decode());
  });
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}
// snippet:usage
const { writeFileSync } = await import("node:fs");
writeFileSync("log.jsonl", ["error", "info", "info", undefined].map((level) => JSON.stringify({ level })).join("\n"));
console.log(await countField("log.jsonl", "level"));
// snippet:prints Map(3) { 'info' => 2, 'error' => 1, '(none)' => 1 }
// snippet:check
const { gzipSync } = await import("node:zlib");
const packed = gzipSync(["info", "info"].map((level) => JSON.stringify({ text: "a\u2028b", level })).join("\n"));
writeFileSync("log.gz", packed);
console.log(await countField("log.gz", "level"));
await countField("none.gz", "level").catch((error) => console.log(error.code));
writeFileSync("short.gz", packed.subarray(0, -12));
await countField("short.gz", "level").catch((error) => console.log(error.code));
// snippet:prints Map(1) { 'info' => 2 }
// snippet:prints ENOENT
// snippet:prints Z_BUF_ERROR
