// snippet:check
// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Float32Array Float32Array
// snippet:prints same 1.000, near 0.707
// snippet:prints 2 dimensions: expected 3
// snippet:prints 0
// snippet:end
/** Vectors of one length, each normalised once, so that a dot product is the similarity. */
class VectorIndex {
  readonly #keys: string[] = [];
  readonly #vectors: Float32Array[] = [];

  add(key: string, vector: readonly number[]): void {
    const unit = this.#unit(vector);
    if (unit === null) return; // zeros have no direction
    this.#keys.push(key);
    this.#vectors.push(unit);
  }

  search(query: readonly number[], most = 5): { key: string; similarity: number }[] {
    const unit = this.#unit(query);
    if (unit === null) return [];
    return this.#vectors
      .map((vector, at) => {
        const similarity = vector.reduce((sum, x, i) => sum + x * (unit[i] ?? 0), 0);
        return { key: this.#keys[at] ?? "", similarity };
      })
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, most);
  }

  #unit(vector: readonly number[]): Float32Array | null {
    const expected = this.#vectors[0]?.length ?? vector.length;
    if (vector.length !== expected) throw new RangeError(`${vector.length} dimensions: expected ${expected}`);
    const length = Math.hypot(...vector);
    return length === 0 ? null : Float32Array.from(vector, (x) => x / length);
  }
}
// snippet:check
const index = new VectorIndex();
index.add("near", [1, 0, 0]);
index.add("zero", [0, 0, 0]);
index.add("same", [2, 2, 0]);
index.add("far", [0, 0, 1]);
console.log(index.search([1, 1, 0], 2).map(({ key, similarity }) => `${key} ${similarity.toFixed(3)}`).join(", "));
try { index.search([1, 1]); } catch (error) { console.log((error as Error).message); }
console.log(index.search([0, 0, 0]).length);
