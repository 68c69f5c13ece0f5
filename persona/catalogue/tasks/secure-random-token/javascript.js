// snippet:description A sign-in with PKCE begins with a random verifier and its hash, the challenge. Only the challenge travels
// snippet:description through the address bar of the browser; the verifier is shown when the code is exchanged for tokens.
// snippet:why Whoever catches the code of a sign-in cannot exchange it without the verifier.
// snippet:title Make the secrets of PKCE
// snippet:doc https://developer.mozilla.org/en-US/docs/Web/API/SubtleCrypto/digest SubtleCrypto.digest()
// snippet:needs a browser or Node.js 20
const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** RFC 7636: a secret per sign-in; only its hash travels through the browser's address bar. */
export async function createPkce() {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  return { verifier, challenge: await challengeOf(verifier) };
}

/** Browsers have `crypto.subtle` on pages from HTTPS and localhost only. */
export async function challengeOf(verifier) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return base64url(new Uint8Array(hash));
}
// snippet:usage
console.log(await challengeOf("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"));
console.log((await createPkce()).verifier.length);
// snippet:prints E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM
// snippet:prints 43
