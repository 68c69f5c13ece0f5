// snippet:doc https://nodejs.org/api/child_process.html#child_processexecfilefile-args-options-callback execFile
// snippet:needs a system with wc, such as Linux or macOS
// snippet:into Save it as an .mjs file, and import it.
// snippet:about Node.js
// snippet:check
import { writeFileSync } from "node:fs";
writeFileSync("a; echo hacked", "12345");
writeFileSync("-n", "1\n2\n");
writeFileSync("-", "123");
// snippet:prints 5
// snippet:prints 4
// snippet:prints 3
// snippet:prints wc: missing: No such file or directory
// snippet:end
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

export async function countBytes(file) {
  try {
    const { stdout } = await run("wc", ["-c", "--", file === "-" ? "./-" : file], { timeout: 10_000, maxBuffer: 8192 });
    return Number.parseInt(stdout, 10);
  } catch (error) {
    throw new Error(error.stderr?.trim() || error.message, { cause: error });
  }
}

// snippet:check
console.log(await countBytes("a; echo hacked"));
console.log(await countBytes("-n"));
console.log(await countBytes("-"));
await countBytes("missing").catch((error) => console.log(error.message));
