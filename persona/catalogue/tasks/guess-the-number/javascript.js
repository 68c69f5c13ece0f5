// snippet:doc https://nodejs.org/api/readline.html#readlinepromisescreateinterfaceoptions readline/promises
// snippet:check
import { Readable } from "node:stream";
const guesses = ["50", "abc", "25", "37", "42"];
Object.defineProperty(process, "stdin", { value: Readable.from([]) }); // nobody is there to play
// snippet:end
import { createInterface } from "node:readline/promises";

/** `ask` is a parameter, so that a test can play too. */
export async function play(secret, ask) {
  for (let tries = 1; ; tries++) {
    const answer = (await ask("Your guess (1-100): ")).trim();
    const guess = Number(answer);
    if (!Number.isInteger(guess) || answer === "") {
      console.log("A whole number, please.");
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
const secret = 1 + Math.floor(Math.random() * 100);
// await play(secret, (question) => terminal.question(question));
terminal.close();
// snippet:check
console.log(secret >= 1 && secret <= 100);
await play(42, async () => guesses.shift());
// snippet:prints true
// snippet:prints Lower…
// snippet:prints A whole number, please.
// snippet:prints Higher…
// snippet:prints Higher…
// snippet:prints Yes! It took you 4 tries.
