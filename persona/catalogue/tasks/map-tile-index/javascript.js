// snippet:check
// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Math/asinh Math.asinh
// snippet:prints {"z":7,"x":66,"y":42}
// snippet:prints 4 tiles: 1/0/0 1/1/0 1/0/1 1/1/1
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

/** All tiles of a box, to load ahead or to count what a download would cost. */
function* tilesOf({ west, south, east, north }, z) {
  const [first, last] = [tileAt(north, west, z), tileAt(south, east, z)];
  for (let y = first.y; y <= last.y; y++) {
    for (let x = first.x; x <= last.x; x++) yield { z, x, y };
  }
}
// snippet:check
console.log(JSON.stringify(tileAt(51.5074, 8, 7)));
const all = [...tilesOf({ west: -180, south: -90, east: 180, north: 90 }, 1)];
console.log(`${all.length} tiles: ${all.map(({ z, x, y }) => `${z}/${x}/${y}`).join(" ")}`);
