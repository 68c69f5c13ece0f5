package langid

// The classifier sees a snippet as a set of hashed features. There are three families of them, all gathered in one pass over the
// bytes:
//
//   - byte 3-, 4- and 5-grams of the text with runs of blanks folded to one,
//   - words and n-grams of tokens; in the longer n-grams a word that is not
//     common vocabulary is replaced by its shape ("lower", "Camel", "UPPER"),
//     so that structure is learned instead of other people's identifiers,
//   - lines: how one begins and ends, what follows what, how it is indented.
//
// A feature is a 32-bit hash. The model decides which of them matter, and how much; training and classification extract the same
// ones.

// maxExtent bounds the bytes of one snippet that are looked at. Longer input is sampled at its head, middle and tail (see
// sample).
const maxExtent = 4 << 10

// sample cuts code into at most three parts whose length together is at most maxExtent, each beginning at a line where that is
// possible.
func sample(code string) (parts [3]string) {
	if len(code) <= maxExtent {
		parts[0] = code
		return parts
	}
	const third = maxExtent / 3
	mid, tail := len(code)/2-third/2, len(code)-third
	parts[0] = code[:third]
	parts[1] = fromLineStart(code[mid : mid+third])
	parts[2] = fromLineStart(code[tail:])
	return parts
}

// fromLineStart drops an incomplete first line, unless little would be left.
func fromLineStart(s string) string {
	for i := 0; i < len(s)/2; i++ {
		if s[i] == '\n' {
			return s[i+1:]
		}
	}
	return s
}

// Extractor turns text into features. It is immutable and safe for concurrent use.
type Extractor struct {
	class  *byteClasses
	marks  *wordMarks
	common wordSet
}

// NewExtractor returns an extractor whose common vocabulary is given as word hashes (see WordHash).
func NewExtractor(common []uint32) *Extractor {
	return &Extractor{class: newByteClasses(), marks: newWordMarks(), common: newWordSet(common)}
}

// Append appends the features of code to dst, with repetitions.
func (e *Extractor) Append(dst []uint32, code string) []uint32 {
	for _, part := range sample(code) {
		if part != "" {
			dst = e.grams(dst, part)
			dst = e.tokens(dst, part)
		}
	}
	return dst
}

// grams appends the byte n-grams. Runs of blanks count as one blank, blanks before a line feed as none.
func (e *Extractor) grams(dst []uint32, s string) []uint32 {
	const blank, line = ' ', '\n'
	w := uint64(line)
	n := 1
	pending := false
	for i := 0; i < len(s); i++ {
		b := s[i]
		switch e.class[b] {
		case classSpace:
			pending = true
			continue
		case classLine:
			pending = false
			if byte(w) == line {
				continue
			}
		case classDigit:
			b = '0'
		}
		if pending {
			pending = false
			w = w<<8 | blank
			n++
			dst = appendGrams(dst, w, n)
		}
		w = w<<8 | uint64(b)
		n++
		dst = appendGrams(dst, w, n)
	}
	if byte(w) != line {
		w = w<<8 | line
		dst = appendGrams(dst, w, n+1)
	}
	return dst
}

// appendGrams appends the hashes of the last bytes of w, of which n are set.
func appendGrams(dst []uint32, w uint64, n int) []uint32 {
	if n >= 5 {
		return append(dst, gram(w<<40, 3), gram(w<<32, 4), gram(w<<24, 5))
	}
	if n >= 4 {
		return append(dst, gram(w<<40, 3), gram(w<<32, 4))
	}
	if n >= 3 {
		return append(dst, gram(w<<40, 3))
	}
	return dst
}

// gram hashes an n-gram that stands in the upper bytes of w.
func gram(w, n uint64) uint32 {
	h := (w | n) * 0x9e3779b97f4a7c15
	h ^= h >> 29
	return uint32(h*0xbf58476d1ce4e5b9>>32)&^3 | familyBytes
}
