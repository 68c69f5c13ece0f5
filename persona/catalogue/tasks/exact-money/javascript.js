// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/BigInt BigInt
// snippet:title Exact token amounts with BigInt
// snippet:description Turn a decimal text into a `BigInt` of the smallest units and back, and compute a fee in between. Numbers
// snippet:description would lose the last of eighteen decimals; a `BigInt` keeps them all.
// snippet:why The last digits of a balance are money, too.
/** "1.5" with 18 decimals → 1500000000000000000n. Numbers would lose the last digits. */
export function parseUnits(text, decimals) {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) throw new SyntaxError(`not an amount: ${text}`);
  const [, whole, fraction = ""] = match;
  if (fraction.length > decimals) throw new RangeError(`more than ${decimals} decimals: ${text}`);
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

export function formatUnits(amount, decimals) {
  const sign = amount < 0n ? "-" : "";
  const digits = amount.toString().replace("-", "").padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, "");
  return sign + digits.slice(0, point) + (fraction && `.${fraction}`);
}

const balance = parseUnits("1000000.000000000000000001", 18);
const fee = (balance * 30n) / 10_000n; // 30 basis points, rounded down
console.log(formatUnits(balance - fee, 18));
console.log(formatUnits(fee, 18));
// snippet:usage
console.log(formatUnits(-5n, 2), formatUnits(120n, 0), formatUnits(-120n, 1));
// snippet:end
// snippet:prints 997000.000000000000000001
// snippet:prints 3000
// snippet:prints -0.05 120 -12
