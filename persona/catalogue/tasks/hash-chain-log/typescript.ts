// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/SubtleCrypto/digest SubtleCrypto.digest()
interface Entry {
  readonly text: string;
  readonly hash: string;
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (b) => b.toString(16).padStart(2, "0")).join("");
}

// JSON keeps the fields apart: "ab" + "c" and "a" + "bc" must not hash alike.
const link = (previous: string, text: string) => sha256(JSON.stringify([previous, text]));

export async function append(log: readonly Entry[], text: string): Promise<Entry[]> {
  const previous = log.at(-1)?.hash ?? "";
  return [...log, { text, hash: await link(previous, text) }];
}

/** Index of the first entry that does not fit what is before it, or -1. A cut off end fits: keep the last hash. */
export async function firstTampered(log: readonly Entry[]): Promise<number> {
  const expected = await Promise.all(log.map((e, i) => link(log[i - 1]?.hash ?? "", e.text)));
  return log.findIndex((entry, i) => entry.hash !== expected[i]);
}
// snippet:check
let log: Entry[] = [];
for (const text of ["door opened", "alarm off", "door closed"]) log = await append(log, text);
console.log(await firstTampered(log));
// snippet:measures a changed or removed entry is found
console.log(await firstTampered(log.toSpliced(0, 1)));
console.log(await firstTampered(log.with(1, { ...log[1]!, text: "alarm on" })));
// snippet:prints -1
// snippet:prints 0
// snippet:prints 1
