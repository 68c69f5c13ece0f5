// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Math/hypot Math.hypot()
// Vectors are plain arrays [x, y, z].
export const add = (a, b) => a.map((value, i) => value + b[i]);
export const scale = (a, factor) => a.map((value) => value * factor);
export const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
export const length = (a) => Math.hypot(...a);
export const cross = ([ax, ay, az], [bx, by, bz]) => [
  ay * bz - az * by,
  az * bx - ax * bz,
  ax * by - ay * bx,
];

export function normalize(a) {
  const size = length(a);
  return size > 0 ? a.map((value) => value / size) : a; // a zero vector points nowhere
}

/** Brightness of a surface: 1 when it faces the light, 0 when it looks away. */
export const lambert = (normal, toLight) =>
  Math.min(1, Math.max(0, dot(normalize(normal), normalize(toLight)))); // rounding can exceed 1

const [a, b, c] = [[0, 0, 0], [0, 0, 3], [2, 0, 0]];
const normal = normalize(cross(add(b, scale(a, -1)), add(c, scale(a, -1))));
console.log(normal, lambert(normal, [0, 10, 10]).toFixed(3));
// snippet:prints [ 0, 1, 0 ] 0.707
