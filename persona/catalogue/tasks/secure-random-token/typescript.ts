// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/Crypto/getRandomValues Crypto.getRandomValues()
// snippet:needs a browser or Node.js 20
/** Letters and digits without 0, O, 1, I and L, which look alike. */
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/** Unguessable code such as "7KQ2-M9XA-…": almost 5 bits a character, and 20 of them are ample. */
export function inviteCode(length = 20, group = 4): string {
  const characters: string[] = [];
  // Bytes past the last full multiple are thrown away: % alone prefers some letters.
  const limit = 256 - (256 % ALPHABET.length);
  while (characters.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < limit && characters.length < length) {
        characters.push(ALPHABET[byte % ALPHABET.length]!);
      }
    }
  }
  return characters.join("").replace(new RegExp(`.{${group}}(?=.)`, "g"), "$&-");
}
// snippet:usage
const code = inviteCode();
console.log(/^([2-9A-HJKMNP-Z]{4}-){4}[2-9A-HJKMNP-Z]{4}$/.test(code), code !== inviteCode());
// snippet:prints true true
