// snippet:description Check that a record belongs to a ledger of which only the Merkle root is known. The proof has the neighbour
// snippet:description hashes on the way up, and hashing up to the top must give the root: at most twenty hashes for a million.
// snippet:title Verify a Merkle proof
// snippet:doc https://nodejs.org/api/crypto.html#cryptocreatehashalgorithm-options crypto.createHash
import { createHash } from "node:crypto";

type Side = "left" | "right";
export type Proof = readonly { readonly side: Side; readonly hash: Uint8Array }[];

const hash = (...parts: (Uint8Array | string)[]): Uint8Array =>
  parts.reduce((h, part) => h.update(part), createHash("sha256")).digest();
export const leafHash = (data: string): Uint8Array => hash(Uint8Array.of(0), data);
export const nodeHash = (l: Uint8Array, r: Uint8Array): Uint8Array => hash(Uint8Array.of(1), l, r);

/** Is this entry in the ledger? A proof for a million entries has at most twenty hashes. */
export function verify(data: string, proof: Proof, root: Uint8Array): boolean {
  const computed = proof.reduce(
    (below, { side, hash }) => (side === "left" ? nodeHash(hash, below) : nodeHash(below, hash)),
    leafHash(data),
  );
  return Buffer.compare(computed, root) === 0;
}
// snippet:check
const [a, b, c] = [leafHash("a"), leafHash("b"), leafHash("c")];
const root = nodeHash(nodeHash(a, b), c);
const proof: Proof = [{ side: "left", hash: a }, { side: "right", hash: c }];
console.log(verify("b", proof, root), verify("x", proof, root), Buffer.from(root).toString("hex").slice(0, 16));
// snippet:prints true false 36642e73c2540ab1
