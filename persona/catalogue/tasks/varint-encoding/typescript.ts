// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/BigInt BigInt
/** LEB128, as in WebAssembly and protocol buffers: seven bits a byte, least significant first. */
export function encode(value: bigint): Uint8Array {
  if (value !== BigInt.asUintN(64, value)) throw new RangeError("only unsigned, up to 64 bits");
  const bytes: number[] = [];
  do {
    const low = Number(value & 0x7fn);
    value >>= 7n;
    bytes.push(value > 0n ? low | 0x80 : low); // the top bit says: more to come
  } while (value > 0n);
  return Uint8Array.from(bytes);
}

export function decode(bytes: Uint8Array, offset = 0): { value: bigint; end: number } {
  let value = 0n;
  for (let i = 0; i < 10; i++) {
    const byte = bytes[offset + i];
    if (byte === undefined) throw new RangeError("the input ends inside a number");
    value |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (value >= 1n << 64n) break; // the tenth byte has room for six bits too many
    if (byte < 0x80) return { value, end: offset + i + 1 };
  }
  throw new RangeError("more than 64 bits");
}
// snippet:usage
for (const value of [0n, 127n, 300n, 2n ** 63n]) {
  const bytes = encode(value);
  console.log(Buffer.from(bytes).toString("hex"), decode(bytes).value === value);
}
try {
  decode(Uint8Array.from([...Array<number>(9).fill(0xff), 0x02]));
} catch (error) {
  console.log((error as Error).message);
}
// snippet:prints 00 true
// snippet:prints 7f true
// snippet:prints ac02 true
// snippet:prints 80808080808080808001 true
// snippet:prints more than 64 bits
