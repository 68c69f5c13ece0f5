// snippet:doc https://nodejs.org/api/util.html#utilparseargsconfig util.parseArgs
// snippet:needs Node.js 18.11
import { parseArgs } from "node:util";

const FORMATS = ["json", "csv", "table"] as const;
type Format = (typeof FORMATS)[number];

const isFormat = (text: string): text is Format => (FORMATS as readonly string[]).includes(text);

type Options = { readonly format: Format; readonly since: Date; readonly files: string[] };

export function parse(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      format: { type: "string", short: "f", default: "table" },
      since: { type: "string", default: "1970-01-01" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(`usage: stats [--format ${FORMATS.join("|")}] [--since YYYY-MM-DD] [<file>...]`);
    process.exit(0);
  }
  const since = new Date(values.since);
  if (!isFormat(values.format)) throw new Error(`--format: one of ${FORMATS.join(", ")}`);
  // Date also reads "March 5", and makes 2 March of 30 February: what it has read must be what was written.
  const day = Number.isNaN(since.getTime()) ? undefined : since.toISOString().slice(0, 10);
  if (day !== values.since || !/^\d{4}-/.test(day)) throw new Error("--since: expected YYYY-MM-DD");
  return { format: values.format, since, files: positionals };
}
// snippet:usage
// snippet:prints {"format":"csv","since":"2025-03-01T00:00:00.000Z","files":["a.log","b.log"]}
console.log(JSON.stringify(parse(["-f", "csv", "--since=2025-03-01", "a.log", "b.log"])));
// snippet:check
// snippet:prints --format: one of json, csv, table
// snippet:prints --since: expected YYYY-MM-DD
// snippet:prints --since: expected YYYY-MM-DD
// snippet:prints --since: expected YYYY-MM-DD
// snippet:prints --since: expected YYYY-MM-DD
// snippet:prints --since: expected YYYY-MM-DD
for (const args of [["--format=xml"], ["--since=soon"], ["--since="], ["--since=2025"], ["--since=+012025-01"], ["--since=2025-02-30"]]) {
  try {
    parse(args);
  } catch (error) {
    console.log((error as Error).message);
  }
}
