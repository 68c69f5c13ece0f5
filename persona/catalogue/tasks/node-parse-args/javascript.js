// snippet:doc https://nodejs.org/api/util.html#utilparseargsconfig util.parseArgs
// snippet:needs Node.js 18.11
// snippet:about Node.js
import { parseArgs } from "node:util";

export function options(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      port: { type: "string", short: "p", default: "8080" },
      verbose: { type: "boolean", short: "v", default: false },
    },
  });
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port < 1 || port > 65535)
    throw new Error("--port must be a number from 1 to 65535");
  return { port, verbose: values.verbose, folders: positionals };
}

export function main(args) {
  try {
    console.log(JSON.stringify(options(args)));
  } catch (error) {
    console.error(`serve: ${error.message}`);
    process.exitCode = 2;
  }
}

// snippet:usage
// snippet:prints {"port":8080,"verbose":true,"folders":["public"]}
main(["-v", "public"]); // or process.argv.slice(2)
// snippet:check
// snippet:prints serve: --port must be a number from 1 to 65535
// snippet:prints serve: Unknown option '--prot'
console.error = (text) => console.log(text.split(". ")[0]);
main(["--port", "web"]);
main(["--prot", "80"]);
process.exitCode = process.exitCode === 2 ? 0 : 1;
