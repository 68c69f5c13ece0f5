// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/BigInt BigInt
/** "1.5" with 18 decimals → 1500000000000000000n. Numbers would lose the last digits. */
export function parseUnits(text, decimals) {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) throw new SyntaxError(`not an amount: ${text}`);
  const [, whole, fraction = ""] = match;
  if (fraction.length > decimals) throw new RangeError(`more than ${decimals} decimals: ${text}`);
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

export function formatUnits(amount, decimals) {
  const digits = amount.toString().padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  return digits.slice(0, -decimals) + (fraction && `.${fraction}`);
}

const balance = parseUnits("1000000.000000000000000001", 18);
const fee = (balance * 30n) / 10_000n; // 30 basis points, rounded down
console.log(formatUnits(balance - fee, 18));
console.log(formatUnits(fee, 18));
// snippet:prints 997000.000000000000000001
// snippet:prints 3000
