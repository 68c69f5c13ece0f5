// snippet:doc https://nodejs.org/api/crypto.html#cryptocreatehashalgorithm-options crypto.createHash
import { createHash } from "node:crypto";

const sha256 = (...parts) =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();

// Leaves and inner nodes are marked, or one could be passed off as the other.
const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** Root over byte strings; an odd node out moves up as it is and is never doubled. */
export function merkleRoot(leaves) {
  if (leaves.length === 0) throw new RangeError("a tree needs at least one leaf");
  let level = leaves.map((leaf) => sha256(LEAF, leaf));
  while (level.length > 1) {
    const next = [];
    for (let i = 0; i < level.length; i += 2) {
      next.push(i + 1 < level.length ? sha256(NODE, level[i], level[i + 1]) : level[i]);
    }
    level = next;
  }
  return level[0].toString("hex");
}

const payments = ["alice>bob:5", "bob>carol:2", "carol>dan:1"];
console.log(merkleRoot(payments).slice(0, 16));
console.log(merkleRoot([...payments].reverse()).slice(0, 16));
// snippet:prints 613b0f8ad03779f5
// snippet:prints d5d86f77106220fa
