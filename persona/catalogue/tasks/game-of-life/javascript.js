// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Set Set
/** Only living cells are stored, as "x,y": the board has no edges. */
function step(alive) {
  const neighbours = new Map();
  for (const cell of alive) {
    const [x, y] = cell.split(",").map(Number);
    for (const dx of [-1, 0, 1]) {
      for (const dy of [-1, 0, 1]) {
        if (dx === 0 && dy === 0) continue;
        const key = `${x + dx},${y + dy}`;
        neighbours.set(key, (neighbours.get(key) ?? 0) + 1);
      }
    }
  }
  const survives = ([cell, count]) => count === 3 || (count === 2 && alive.has(cell));
  return new Set([...neighbours].filter(survives).map(([cell]) => cell));
}

const draw = (alive, size = 5) =>
  Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => (alive.has(`${x},${y}`) ? "●" : "·")).join(" "),
  ).join("\n");

let glider = new Set(["1,0", "2,1", "0,2", "1,2", "2,2"]);
for (let generation = 0; generation < 4; generation++) glider = step(glider);
console.log(draw(glider));
// snippet:prints · · · · ·
// snippet:prints · · ● · ·
// snippet:prints · · · ● ·
// snippet:prints · ● ● ● ·
// snippet:prints · · · · ·
