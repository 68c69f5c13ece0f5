// snippet:doc https://nodejs.org/api/util.html#utilparseargsconfig util.parseArgs
// snippet:needs Node.js 18.11
import { parseArgs } from "node:util";

const USAGE = "usage: shrink [--quality 1-100] [--out <folder>] [--verbose] <image>...";

export function readArguments(args = process.argv.slice(2)) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true, // unknown options are refused by default
    options: {
      quality: { type: "string", short: "q", default: "80" },
      out: { type: "string", short: "o", default: "." },
      help: { type: "boolean", short: "h" },
      verbose: { type: "boolean", short: "v", multiple: true, default: [] },
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const quality = Number(values.quality);
  if (!/^\d{1,3}$/.test(values.quality) || quality < 1 || quality > 100) {
    throw new RangeError(`--quality must be from 1 to 100, got "${values.quality}"\n${USAGE}`);
  }
  if (positionals.length === 0) throw new Error(`no images given\n${USAGE}`);
  return { quality, out: values.out, verbosity: values.verbose.length, images: positionals };
}

console.log(readArguments(["-vv", "--quality=60", "-o", "small", "a.png", "b.png"]));
// snippet:usage
// snippet:prints {
// snippet:prints   quality: 60,
// snippet:prints   out: 'small',
// snippet:prints   verbosity: 2,
// snippet:prints   images: [ 'a.png', 'b.png' ]
// snippet:prints }
// snippet:check
// snippet:prints --quality must be from 1 to 100, got "high"
// snippet:prints --quality must be from 1 to 100, got "0x10"
// snippet:prints Unknown option '--qualty'. To specify a positional argument
for (const args of [["-q", "high", "a.png"], ["-q", "0x10", "a.png"], ["--qualty=3"]]) {
  try {
    readArguments(args);
  } catch (error) {
    console.log(error.message.split("\n")[0].slice(0, 60));
  }
}
