// snippet:check
// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Math/asinh Math.asinh
// snippet:prints {"z":7,"x":66,"y":42}
// snippet:prints 4 tiles: 1/0/0 1/1/0 1/0/1 1/1/1
// snippet:prints Fiji: 5/31/17 5/0/17
// snippet:prints nearly all: 2, one: 1
// snippet:end
const MOST_NORTHERN = 85.0511287798; // beyond it there are no tiles
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** The web map tile (Mercator) that shows a place in degrees; row 0 is in the north. */
function tileAt(latitude, longitude, z) {
  const tiles = 2 ** z;
  const radians = clamp(latitude, -MOST_NORTHERN, MOST_NORTHERN) * Math.PI / 180;
  const x = Math.floor((longitude + 180) / 360 * tiles);
  const y = Math.floor((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2 * tiles);
  return { z, x: clamp(x, 0, tiles - 1), y: clamp(y, 0, tiles - 1) };
}

/** All tiles of a box, to count or to load ahead; with west greater than east it crosses the 180th meridian. */
function* tilesOf({ west, south, east, north }, z) {
  const [first, last] = [tileAt(north, west, z), tileAt(south, east, z)];
  const tiles = 2 ** z;
  const columns = Math.min(tiles, last.x - first.x + 1 + (west > east ? tiles : 0));
  for (let y = first.y; y <= last.y; y++) {
    for (let i = 0; i < columns; i++) yield { z, x: (first.x + i) % tiles, y };
  }
}
// snippet:check
console.log(JSON.stringify(tileAt(51.5074, 8, 7)));
const all = [...tilesOf({ west: -180, south: -90, east: 180, north: 90 }, 1)];
console.log(`${all.length} tiles: ${all.map(({ z, x, y }) => `${z}/${x}/${y}`).join(" ")}`);
const fiji = [...tilesOf({ west: 177, south: -19, east: -178, north: -16 }, 5)];
console.log(`Fiji: ${fiji.map(({ z, x, y }) => `${z}/${x}/${y}`).join(" ")}`);
const count = (west, east, z) => [...tilesOf({ west, south: 1, east, north: 2 }, z)].length;
console.log(`nearly all: ${count(10, 5, 1)}, one: ${count(10, -10, 0)}`);
