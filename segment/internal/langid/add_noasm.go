//go:build !amd64 || purego

package langid

// add adds the rows of index.
func (s *sums) add(rows []row, index []uint32) { s.addGeneric(rows, index) }

// fetch does nothing.
func fetch([]row, []uint32) {}
