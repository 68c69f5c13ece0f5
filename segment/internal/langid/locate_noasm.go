//go:build !amd64 || purego

package langid

// locate is locateGeneric.
func (x *Index) locate(dst []candidate, features []uint32, r *recent) int {
	return x.locateGeneric(dst, features, r)
}
