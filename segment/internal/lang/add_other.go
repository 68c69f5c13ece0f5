//go:build !amd64

package lang

// add adds up the weights of rows: their sums come by label.
func (m *Model) add(sums *[16 * rowWords]uint32, rows []int32) { m.addGeneric(sums, rows) }
