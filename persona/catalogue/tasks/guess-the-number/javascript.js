// snippet:doc https://nodejs.org/api/readline.html#readlinepromisescreateinterfaceoptions readline/promises
// snippet:check
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
Math.random = () => 0.41;
async function* player() {
  for (const guess of ["50", "abc", "25", "37", "42"]) {
    await pause(20);
    yield `${guess}\n`;
  }
}
Object.defineProperty(process, "stdin", { value: Readable.from(player()) });
// snippet:end
import { createInterface } from "node:readline/promises";

/** `ask` is a parameter, so that a test can play too. */
export async function play(secret, ask) {
  for (let tries = 1; ; tries++) {
    const guess = Number(await ask("Your guess (1-100): "));
    if (!Number.isInteger(guess) || guess < 1 || guess > 100) {
      console.log("A whole number from 1 to 100, please.");
      tries--;
    } else if (guess === secret) {
      console.log(`Yes! It took you ${tries} ${tries === 1 ? "try" : "tries"}.`);
      return tries;
    } else {
      console.log(guess < secret ? "Higher…" : "Lower…");
    }
  }
}

const terminal = createInterface({ input: process.stdin, output: process.stdout });
terminal.on("close", () => process.exit()); // also when the input ends
const secret = 1 + Math.floor(Math.random() * 100);
await play(secret, (question) => terminal.question(question));
terminal.close();
// snippet:prints Your guess (1-100): Lower…
// snippet:prints Your guess (1-100): A whole number from 1 to 100, please.
// snippet:prints Your guess (1-100): Higher…
// snippet:prints Your guess (1-100): Higher…
// snippet:prints Your guess (1-100): Yes! It took you 4 tries.
