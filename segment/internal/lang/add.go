package lang

import "encoding/binary"

const (
	// maxScale is the largest scale of a row.
	maxScale = 63
	// lanes are the 16-bit lanes of a word, of which each holds one weight.
	lanes = 0x000f000f000f000f
	// burst is how many rows fit into 16-bit lanes before they overflow.
	burst = 65535 / (15 * maxScale)
)

// addGeneric adds up the weights of rows without vector instructions, several
// labels at a time: four weights spread over the lanes of a word are multiplied and added at once.
func (m *Model) addGeneric(sums *[16 * rowWords]uint32, rows []int32) {
	for len(rows) > 0 {
		part := rows[:min(burst, len(rows))]
		rows = rows[len(part):]
		var acc [rowWords][4]uint64
		for _, r := range part {
			row := (*[rowBytes]byte)(m.rows[int(r)*rowBytes:])
			scale := uint64(row[0])
			for w := 0; w < rowWords-1; w++ {
				v := binary.LittleEndian.Uint64(row[1+8*w:])
				acc[w][0] += v & lanes * scale
				acc[w][1] += v >> 4 & lanes * scale
				acc[w][2] += v >> 8 & lanes * scale
				acc[w][3] += v >> 12 & lanes * scale
			}
			const w = rowWords - 1
			v := uint64(binary.LittleEndian.Uint32(row[1+8*w:]))
			acc[w][0] += v & lanes * scale
			acc[w][1] += v >> 4 & lanes * scale
			acc[w][2] += v >> 8 & lanes * scale
			acc[w][3] += v >> 12 & lanes * scale
		}
		for w := range acc {
			for j, v := range acc[w] {
				for l := 0; l < 4; l++ {
					sums[16*w+4*l+j] += uint32(v >> (16 * l) & 0xffff)
				}
			}
		}
	}
}
