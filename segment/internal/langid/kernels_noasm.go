//go:build !amd64 || purego

package langid

// add adds the rows of index.
func (s *sums) add(rows []row, index []uint32) { s.addGeneric(rows, index) }

// fetch does nothing.
func fetch([]row, []uint32) {}

// dots sets sums to the dot products of x with rows of its length.
func dots(sums, rows, x []float32) { dotsGeneric(sums, rows, x) }

// axpy adds the product of factor and row, which is as long, to z.
func axpy(z, row []float32, factor float32) { axpyGeneric(z, row, factor) }

// locate is locateGeneric.
func (x *Index) locate(dst []candidate, features []uint32, r *recent) int {
	return x.locateGeneric(dst, features, r)
}
