// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Array/map Array.prototype.map
const world = [
  ".#......",
  "..#.....",
  "###.....",
  "........",
  "........",
];

const isAlive = (rows, row, column) => rows[row]?.[column] === "#"; // outside of the grid nothing lives

function neighbours(rows, row, column) {
  let count = isAlive(rows, row, column) ? -1 : 0;
  for (const down of [-1, 0, 1]) {
    for (const right of [-1, 0, 1]) {
      if (isAlive(rows, row + down, column + right)) count++;
    }
  }
  return count;
}

const nextGeneration = (rows) =>
  rows.map((cells, row) =>
    [...cells].map((cell, column) => {
      const count = neighbours(rows, row, column);
      return count === 3 || (count === 2 && cell === "#") ? "#" : ".";
    }).join(""));

console.log(nextGeneration(world).join("\n"));
// snippet:prints ........
// snippet:prints #.#.....
// snippet:prints .##.....
// snippet:prints .#......
// snippet:prints ........
