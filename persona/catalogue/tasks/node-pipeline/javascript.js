// snippet:doc https://nodejs.org/api/stream.html#streampipelinesource-transforms-destination-options stream.pipeline
// snippet:into Save it as an .mjs file, and import it.
// snippet:about Node.js
// snippet:check
import { readFileSync, symlinkSync, writeFileSync, existsSync } from "node:fs";
import { gunzipSync } from "node:zlib";
writeFileSync("access.log", "GET / 200\nGET /x 500\nPOST /y 503\n");
// snippet:prints GET /x 500
// snippet:prints POST /y 503
// snippet:prints ENOENT true
// snippet:prints ENOSPC true
// snippet:end
import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

async function* failures(input) {
  const lines = createInterface({ input, crlfDelay: Infinity });
  lines.on("error", () => {}); // pipeline tells of it
  for await (const line of lines) {
    if (/ 5\d\d$/.test(line)) yield Buffer.from(`${line}\n`, "latin1");
  }
}

export async function extractFailures(from, to) {
  const part = `${to}.part`; // not for two calls at once
  try {
    // latin1: each byte of a line is one character, so that broken UTF-8 comes out as it went in.
    await pipeline(createReadStream(from, "latin1"), failures, createGzip(), createWriteStream(part));
    await rename(part, to); // only when it is complete
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

// snippet:check
await extractFailures("access.log", "failures.gz");
console.log(gunzipSync(readFileSync("failures.gz")).toString().trim());
try {
  await extractFailures("missing.log", "other.gz");
} catch (error) {
  console.log(error.code, !existsSync("other.gz") && !existsSync("other.gz.part"));
}
symlinkSync("/dev/full", "full.gz.part"); // a full disk
writeFileSync("long.log", Array.from({ length: 50_000 }, (_, i) => `GET /${Math.sin(i)} 500\n`).join(""));
try {
  await extractFailures("long.log", "full.gz");
} catch (error) {
  console.log(error.code, !existsSync("full.gz") && !existsSync("full.gz.part"));
}
