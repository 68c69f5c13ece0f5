// snippet:description Read width, height, bit depth and more from the header of a PNG file. The length and the signature are checked
// snippet:description first, and a picture with too many pixels can be refused before it is uploaded.
// snippet:title Read the header of a PNG
// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/DataView DataView
/** Read the header of a PNG: 8 bytes of signature, then the IHDR chunk, big-endian. */
export function readPngHeader(buffer) {
  const view = new DataView(buffer);
  if (view.byteLength < 33) throw new RangeError("too short for a PNG");
  if (view.getBigUint64(0) !== 0x89504e470d0a1a0an) throw new TypeError("not a PNG");
  if (view.getUint32(12) !== 0x49484452) throw new TypeError("the first chunk is not IHDR");
  return {
    width: view.getUint32(16),
    height: view.getUint32(20),
    bitDepth: view.getUint8(24),
    hasAlphaChannel: (view.getUint8(25) & 0b100) !== 0,
    interlaced: view.getUint8(28) === 1,
  };
}

/** In a browser: refuse a huge picture before anything is uploaded. */
export async function checkPicture(file, maxPixels = 40_000_000) {
  const { width, height } = readPngHeader(await file.slice(0, 33).arrayBuffer());
  if (width * height > maxPixels) throw new RangeError(`${width} × ${height} is too large`);
}
// snippet:check
const png = Buffer.from("89504e470d0a1a0a0000000d49484452000002800000 01e00806000000".replace(/ /g, "") + "00000000", "hex");
const file = new Blob([png]);
console.log(readPngHeader(await file.arrayBuffer()));
await checkPicture(file);
await checkPicture(file, 1000).catch((error) => console.log(error.message));
// snippet:prints {
// snippet:prints   width: 640,
// snippet:prints   height: 480,
// snippet:prints   bitDepth: 8,
// snippet:prints   hasAlphaChannel: true,
// snippet:prints   interlaced: false
// snippet:prints }
// snippet:prints 640 × 480 is too large
