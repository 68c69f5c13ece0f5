// snippet:doc https://www.typescriptlang.org/docs/handbook/2/types-from-types.html Creating types from types
// snippet:description Give each unit a type of its own: feet where metres are expected do not compile, and the conversion
// snippet:description stands in one place. It is all in the types; at run time there are plain numbers.
declare const unit: unique symbol;
/** A plain number at run time; at compile time it knows its unit. */
type Quantity<Unit extends string> = number & { readonly [unit]: Unit };

type Metres = Quantity<"m">;
type Feet = Quantity<"ft">;
type Seconds = Quantity<"s">;
type MetresPerSecond = Quantity<"m/s">;

export const metres = (value: number) => value as Metres;
export const seconds = (value: number) => value as Seconds;
export const feet = (value: number) => value as Feet;

export const toMetres = (length: Feet): Metres => metres(length * 0.3048); // exact by definition
export const speed = (distance: Metres, time: Seconds) => (distance / time) as MetresPerSecond;

const runway = feet(12_000);
const takeOff = seconds(38);
console.log(`${speed(toMetres(runway), takeOff).toFixed(1)} m/s`);

// @ts-expect-error: feet where metres are needed
speed(runway, takeOff);
// snippet:prints 96.3 m/s
