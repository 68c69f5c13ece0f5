// snippet:needs TypeScript 5.4
// snippet:doc https://www.typescriptlang.org/docs/handbook/2/template-literal-types.html Template literal types
type Currency = "EUR" | "USD" | "JPY";
/** Minor units as bigint; the currency is part of the type: a `Money<"EUR">` and a `Money<"JPY">` cannot be added. */
export type Money<C extends Currency> = { readonly minor: bigint; readonly currency: C };

const DIGITS: Record<Currency, number> = { EUR: 2, USD: 2, JPY: 0 };

export function money<C extends Currency>(amount: `${number}`, currency: C): Money<C> {
  const [, whole, fraction = ""] = /^(-?\d+)(?:\.(\d+))?$/.exec(amount) ?? []; // a `${number}` may be 0x10 or 1e3
  if (whole === undefined || fraction.length > DIGITS[currency]) throw new RangeError(`no ${currency}: ${amount}`);
  return { minor: BigInt(whole + fraction.padEnd(DIGITS[currency], "0")), currency };
}

export const add = <C extends Currency>(a: Money<C>, b: Money<NoInfer<C>>): Money<C> => ({
  ...a,
  minor: a.minor + b.minor,
});

/** Parts, at least one, that add up: the first ones carry the cents that are left over. */
export function split<C extends Currency>(total: Money<C>, parts: number): Money<C>[] {
  const share = total.minor / BigInt(parts);
  const left = Number(total.minor % BigInt(parts)); // as negative as the total
  const minor = (index: number): bigint =>
    index < Math.abs(left) ? share + BigInt(Math.sign(left)) : share;
  return Array.from({ length: parts }, (_, index) => ({ ...total, minor: minor(index) }));
}
// snippet:usage
const bill = add(money("99.90", "EUR"), money("0.10", "EUR"));
console.log(split(bill, 3).map(({ minor }) => String(minor)).join(" + "), "=", String(bill.minor));
console.log(split(money("-1.00", "EUR"), 3).map(({ minor }) => String(minor)).join(" "));
// @ts-expect-error another currency
add(money("1", "EUR"), money("1", "JPY"));
// snippet:prints 3334 + 3333 + 3333 = 10000
// snippet:prints -34 -33 -33
