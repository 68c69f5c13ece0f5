// snippet:doc https://developer.mozilla.org/en-US/docs/Games/Techniques/2D_collision_detection 2D collision detection
export const overlaps = (a, b) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Push `mover` out of `wall` along the shorter way; returns the side that was hit. */
export function resolve(mover, wall) {
  if (!overlaps(mover, wall)) return null;
  const depth = {
    left: mover.x + mover.width - wall.x,
    right: wall.x + wall.width - mover.x,
    top: mover.y + mover.height - wall.y,
    bottom: wall.y + wall.height - mover.y,
  };
  const side = Object.keys(depth).reduce((best, key) => (depth[key] < depth[best] ? key : best));
  if (side === "left") mover.x -= depth.left;
  if (side === "right") mover.x += depth.right;
  if (side === "top") mover.y -= depth.top;
  if (side === "bottom") mover.y += depth.bottom;
  return side;
}

const hero = { x: 10, y: 26, width: 16, height: 16 };
const floor = { x: 0, y: 40, width: 200, height: 8 };
console.log(resolve(hero, floor), hero.y, overlaps(hero, floor));
// snippet:prints top 24 false
