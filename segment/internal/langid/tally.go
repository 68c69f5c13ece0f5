package langid

import "math/bits"

// tally counts over all lines of a text how they begin and end, and which operators it has at all.
type tally struct {
	lines         int
	begins, ends  [128]uint16 // by first and last byte, if that is no word
	operators     [12]uint32  // the first ones that are found
	operatorCount int
	firsts        [12]uint32 // the first tokens of lines, the first ones that are found
	firstCount    int
}

// note adds h to the n values of a set, if it has room and not yet h, and returns their number.
func note(set *[12]uint32, n int, h uint32) int {
	for _, o := range set[:n] {
		if o == h {
			return n
		}
	}
	if n < len(set) {
		set[n] = h
		n++
	}
	return n
}

// operator counts an operator or punctuation mark.
func (t *tally) operator(h uint32) { t.operatorCount = note(&t.operators, t.operatorCount, h) }

// first counts the first token of a line.
func (t *tally) first(h uint32) { t.firstCount = note(&t.firsts, t.firstCount, h) }

// line counts the last line of s.
func (t *tally) line(s string, class *byteClasses) {
	t.lines++
	end := len(s)
	for end > 0 && class[s[end-1]] == classSpace {
		end--
	}
	if end == 0 {
		return
	}
	if c := class[s[end-1]]; c == classGlue || c == classSingle {
		t.ends[s[end-1]&127]++
	}
	begin := end
	for begin > 0 && s[begin-1] != '\n' {
		begin--
	}
	for class[s[begin]] == classSpace {
		begin++
	}
	if c := class[s[begin]]; c == classGlue || c == classSingle {
		t.begins[s[begin]&127]++
	}
}

// features appends the features of the whole text: which operators occur together, which tokens lines begin with and, from four
// lines on, what share of the lines begins or ends with each mark.
func (t *tally) features(dst []uint32) []uint32 {
	for i, a := range t.operators[:t.operatorCount] {
		for _, b := range t.operators[:i] {
			dst = append(dst, mix(kindTogether, pair(min(a, b), max(a, b)), 0))
		}
	}
	for i, a := range t.firsts[:t.firstCount] {
		for _, b := range t.firsts[:i] {
			dst = append(dst, mix(kindBegins, pair(min(a, b), max(a, b)), 0))
		}
	}
	if t.lines < 4 {
		return dst
	}
	for i, counts := range [2]*[128]uint16{&t.begins, &t.ends} {
		for b, n := range counts {
			if n > 0 {
				share := bits.Len(uint(16*int(n)/t.lines)) + 1
				dst = append(dst, mix(kindShare, uint64(b)<<8|uint64(share), uint64(i)))
			}
		}
	}
	return dst
}
