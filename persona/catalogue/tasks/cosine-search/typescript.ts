// snippet:check
// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Float32Array Float32Array
// snippet:prints same 1.000, near 0.707
// snippet:end
/** Vectors of one length in one block of memory, each normalised once, so that a dot product is the similarity. */
class VectorIndex {
  readonly #keys: string[] = [];
  readonly #vectors: Float32Array[] = [];

  add(key: string, vector: readonly number[]): void {
    const length = Math.hypot(...vector);
    if (length === 0) return; // zeros have no direction
    this.#keys.push(key);
    this.#vectors.push(Float32Array.from(vector, (x) => x / length));
  }

  search(query: readonly number[], most = 5): { key: string; similarity: number }[] {
    const length = Math.hypot(...query) || 1;
    return this.#vectors
      .map((vector, at) => {
        let dot = 0;
        for (let i = 0; i < vector.length; i++) dot += (vector[i] ?? 0) * (query[i] ?? 0);
        return { key: this.#keys[at] ?? "", similarity: dot / length };
      })
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, most);
  }
}
// snippet:check
const index = new VectorIndex();
index.add("near", [1, 0, 0]);
index.add("zero", [0, 0, 0]);
index.add("same", [2, 2, 0]);
index.add("far", [0, 0, 1]);
console.log(index.search([1, 1, 0], 2).map(({ key, similarity }) => `${key} ${similarity.toFixed(3)}`).join(", "));
