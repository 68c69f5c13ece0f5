// snippet:description Read a frame of a sensor: a start byte, a kind, a length, the payload and a checksum. The length is compared
// snippet:description with the bytes that are there, the checksum is computed, and each kind has a payload of one size.
// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/DataView DataView
type Frame =
  | { kind: "reading"; sensor: number; celsius: number }
  | { kind: "battery"; percent: number };

/** Start byte 0x7e, kind, length, payload (little-endian), then the sum of all as a check. */
export function parseFrame(bytes: Uint8Array): Frame {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint8(0) !== 0x7e) throw new Error("no start of frame");
  const size = view.getUint8(2);
  if (bytes.length !== size + 4) throw new Error(`expected ${size + 4} bytes, got ${bytes.length}`);
  const sum = bytes.subarray(0, -1).reduce((total, byte) => (total + byte) & 0xff, 0);
  if (sum !== bytes.at(-1)) throw new Error("checksum differs");

  const expect = (payload: number): void => {
    if (size !== payload) throw new Error(`this kind has ${payload} bytes, not ${size}`);
  };

  switch (view.getUint8(1)) {
    case 1: {
      expect(4);
      const celsius = view.getInt16(5, true) / 16;
      return { kind: "reading", sensor: view.getUint16(3, true), celsius };
    }
    case 2:
      expect(1);
      return { kind: "battery", percent: view.getUint8(3) };
    default:
      throw new Error(`unknown kind ${view.getUint8(1)}`);
  }
}
// snippet:check
const frame = Uint8Array.of(0x7e, 1, 4, 0x2a, 0, 0x70, 0xff, 0x1c);
console.log(parseFrame(frame));
for (const bad of [frame.slice(0, 7), frame.with(3, 9), Uint8Array.of(0x7e, 2, 0, 0x80), Uint8Array.of(0)]) {
  try {
    parseFrame(bad);
  } catch (error) {
    console.log((error as Error).message);
  }
}
// snippet:prints { kind: 'reading', sensor: 42, celsius: -9 }
// snippet:prints expected 8 bytes, got 7
// snippet:prints checksum differs
// snippet:prints this kind has 1 bytes, not 0
// snippet:prints no start of frame
