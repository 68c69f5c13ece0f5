package langid

import "encoding/binary"

const (
	// maxScale is the largest scale of a row.
	maxScale = 63
	// lanes are the 16-bit lanes of a word, of which each holds one weight.
	lanes = 0x000f000f000f000f
	// burst is how many rows fit into 16-bit lanes before they overflow.
	burst = 65535 / (15 * maxScale)
)

// sums are the sums of weights times scales, by label.
type sums [maxLabels]uint32

// addGeneric adds rows without vector instructions, several labels at a time:
// four weights spread over the lanes of a word are multiplied and added at once.
func (s *sums) addGeneric(rows []row, index []uint32) {
	const words = (maxLabels + 15) / 16
	for len(index) > 0 {
		part := index[:min(burst, len(index))]
		index = index[len(part):]
		var acc [words][4]uint64
		for _, r := range part {
			row := &rows[r]
			scale := uint64(row.scale)
			for w := range acc {
				var v uint64
				if begin := row.weights[8*w:]; len(begin) >= 8 {
					v = binary.LittleEndian.Uint64(begin)
				} else { // the scale is no weight
					v = binary.LittleEndian.Uint64(row.weights[len(row.weights)-8:]) >> (8 * (8 - len(begin)))
				}
				acc[w][0] += v & lanes * scale
				acc[w][1] += v >> 4 & lanes * scale
				acc[w][2] += v >> 8 & lanes * scale
				acc[w][3] += v >> 12 & lanes * scale
			}
		}
		for i := range s {
			s[i] += uint32(acc[i/16][i%4] >> (i % 16 / 4 * 16) & 0xffff)
		}
	}
}
