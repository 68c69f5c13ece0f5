package lang

import "golang.org/x/sys/cpu"

//go:noescape
func addPairsAVX2(acc *[128]uint16, rows *byte, index *int32, pairs int)

var haveAVX2 = cpu.X86.HasAVX2

// add adds up the weights of rows: their sums come by label.
func (m *Model) add(sums *[16 * rowWords]uint32, rows []int32) {
	if !haveAVX2 {
		m.addGeneric(sums, rows)
		return
	}
	if len(rows)&1 != 0 {
		m.addGeneric(sums, rows[len(rows)-1:])
		rows = rows[:len(rows)-1]
	}
	for len(rows) > 0 {
		part := rows[:min(burst&^1, len(rows))]
		rows = rows[len(part):]
		var acc [128]uint16
		addPairsAVX2(&acc, &m.rows[0], &part[0], len(part)/2)
		spread(sums, &acc)
	}
}

// spread adds the sums of addPairsAVX2 to those by label. There are two parts of 32 bytes of a row, which overlap; of
// each there are the lower and the upper halves of the bytes, and of each of these the bytes of every eight in turn.
func spread(sums *[16 * rowWords]uint32, acc *[128]uint16) {
	const second = maxLabels/2 - 32 // where the second part begins
	for r := range 8 {
		upper, odd := r>>1&1, r&1
		for w, v := range acc[16*r : 16*r+16] {
			b := w&7 + w>>3*16 + odd*8
			if r >= 4 {
				if b += second; b < 32 {
					continue
				}
			}
			sums[2*b+upper] += uint32(v)
		}
	}
}
