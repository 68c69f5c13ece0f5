// snippet:doc https://nodejs.org/api/crypto.html#cryptotimingsafeequala-b crypto.timingSafeEqual
// snippet:description Check the signature of a web hook: an HMAC-SHA-256 over its time and body, compared by the function that is
// snippet:description made for secrets. A message whose time is more than five minutes off is refused, so that a recorded one can be
// snippet:description sent again only for some minutes.
import { createHmac, timingSafeEqual } from "node:crypto";

/** Check a webhook's `t=<seconds>,v1=<hex>` signature header over the raw, unparsed body. */
export function isGenuine(header, rawBody, secret, { maxAge = 300, now = Date.now() / 1000 } = {}) {
  const { t, v1 } = Object.fromEntries((header ?? "").split(",").map((part) => part.split("=")));
  if (!/^\d+$/.test(t) || !/^[0-9a-f]{64}$/.test(v1)) return false;
  if (Math.abs(now - Number(t)) > maxAge) return false; // recorded, and replayed later

  const expected = createHmac("sha256", secret).update(`${t}.`).update(rawBody).digest();
  // Comparing with === would tell an attacker how many bytes were right.
  return timingSafeEqual(expected, Buffer.from(v1, "hex"));
}
// snippet:usage
// snippet:prints true
// snippet:prints false
const body = Buffer.from('{"event":"paid"}');
const mac = createHmac("sha256", "a secret of both").update("1000.").update(body).digest("hex");
console.log(isGenuine(`t=1000,v1=${mac}`, body, "a secret of both", { now: 1010 }));
console.log(isGenuine(`t=1000,v1=${mac}`, body, "a secret of both", { now: 9999 }));
// snippet:check
// snippet:prints false false false
console.log(isGenuine(`t=1001,v1=${mac}`, body, "a secret of both", { now: 1010 }), isGenuine("", body, "x"), isGenuine(undefined, body, "x"));
