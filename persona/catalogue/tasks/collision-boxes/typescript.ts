// snippet:doc https://www.typescriptlang.org/docs/handbook/2/everyday-types.html#interfaces Interfaces
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Spatial hash: only boxes that share a cell are compared, not everything with everything. */
export function collisions<T extends Box>(boxes: readonly T[], cell = 64): [T, T][] {
  const grid = new Map<string, T[]>();
  const pairs = new Set<[T, T]>();
  const seen = new Map<T, Set<T>>();
  for (const box of boxes) {
    for (let cx = Math.floor(box.x / cell); cx <= (box.x + box.width) / cell; cx++) {
      for (let cy = Math.floor(box.y / cell); cy <= (box.y + box.height) / cell; cy++) {
        const others = grid.get(`${cx},${cy}`) ?? [];
        for (const other of others) {
          if (seen.get(box)?.has(other) || !overlap(box, other)) continue;
          seen.set(box, (seen.get(box) ?? new Set<T>()).add(other));
          pairs.add([other, box]);
        }
        grid.set(`${cx},${cy}`, [...others, box]);
      }
    }
  }
  return [...pairs];
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
// snippet:check
const box = (name: string, x: number, y: number) => ({ name, x, y, width: 60, height: 60 });
const found = collisions([box("ship", 10, 10), box("rock", 50, 40), box("star", 300, 300), box("coin", 105, 95)]);
console.log(found.map(([a, b]) => `${a.name}+${b.name}`).join(" "));
// snippet:prints ship+rock rock+coin
