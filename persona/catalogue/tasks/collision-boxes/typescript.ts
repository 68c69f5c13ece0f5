// snippet:doc https://www.typescriptlang.org/docs/handbook/utility-types.html Utility types
// snippet:title Find overlapping boxes with a spatial hash
// snippet:description Find all pairs of overlapping boxes with a grid: only boxes that share a cell are compared. Boxes that only
// snippet:description touch are apart.
// snippet:why A grid spares the comparison of boxes that are far from each other.
type Box = Readonly<Record<"x" | "y" | "width" | "height", number>>;

/** Spatial hash: only boxes that share a cell are compared, not everything with everything. */
export function collisions<T extends Box>(boxes: readonly T[], cellSize = 64): [T, T][] {
  const grid = new Map<string, T[]>();
  const pairs: [T, T][] = [];
  for (const box of boxes) {
    const near = new Set<T>(); // two boxes may share several cells
    for (const cell of cellsOf(box, cellSize)) {
      const inCell = grid.get(cell) ?? [];
      for (const other of inCell) near.add(other);
      grid.set(cell, inCell);
      inCell.push(box);
    }
    for (const other of near) if (overlap(box, other)) pairs.push([other, box]);
  }
  return pairs;
}

function* cellsOf({ x, y, width, height }: Box, size: number): Generator<string> {
  for (let cx = Math.floor(x / size); cx <= (x + width) / size; cx++)
    for (let cy = Math.floor(y / size); cy <= (y + height) / size; cy++) yield `${cx},${cy}`;
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
// snippet:check
const box = (name: string, x: number, y: number) => ({ name, x, y, width: 60, height: 60 });
const found = collisions([box("ship", 10, 10), box("rock", 50, 40), box("star", 300, 300), box("coin", 105, 95)]);
console.log(found.map(([a, b]) => `${a.name}+${b.name}`).join(" "));
// snippet:prints ship+rock rock+coin
