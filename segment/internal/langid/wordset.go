package langid

// wordSet is a set of word hashes with one probe in the usual case.
type wordSet struct {
	words []uint32
	slots []uint32
	mask  uint32
}

func newWordSet(words []uint32) wordSet {
	size := 16
	for size < 4*len(words) {
		size *= 2
	}
	set := wordSet{words: words, slots: make([]uint32, size), mask: uint32(size - 1)}
	for _, w := range words {
		i := w & set.mask
		for set.slots[i] != 0 && set.slots[i] != w {
			i = (i + 1) & set.mask
		}
		set.slots[i] = w
	}
	return set
}

func (s *wordSet) has(w uint32) bool {
	for i := w & s.mask; ; i = (i + 1) & s.mask {
		switch s.slots[i] {
		case w:
			return true
		case 0:
			return false
		}
	}
}
