package langid

// The classifier sees a snippet as a set of hashed features. There are three
// families of them, all gathered in one pass over the bytes:
//
//   - byte 3-, 4- and 5-grams of the text with runs of blanks folded to one,
//   - words and n-grams of tokens; in the longer n-grams a word that is not
//     common vocabulary is replaced by its shape ("lower", "Camel", "UPPER"),
//     so that structure is learned instead of other people's identifiers,
//   - lines: how one begins and ends, what follows what, how it is indented.
//
// A feature is a 32-bit hash. Which of them matter, and how much, is the
// model's affair; the same extraction serves training and classification.

// maxExtent bounds the bytes of one snippet that are looked at. Longer input
// is sampled at its head, middle and tail (see sample).
const maxExtent = 4 << 10

// sample cuts code into at most three parts whose length together is at most
// maxExtent, each beginning at a line where that is possible.
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

// fromLineStart drops a broken first line, unless little would remain.
func fromLineStart(s string) string {
	for i := 0; i < len(s)/2; i++ {
		if s[i] == '\n' {
			return s[i+1:]
		}
	}
	return s
}

// Character classes of the tokenizer.
const (
	classOther  = iota // control characters: one token for all
	classSpace         // blank, tab, carriage return, form feed
	classLine          // line feed
	classLower         // a-z, underscore, bytes of multi-byte runes
	classUpper         // A-Z
	classDigit         // 0-9
	classGlue          // characters that form operators with their like
	classSingle        // brackets, quotes, separators: each a token of its own
)

// byteClasses maps every byte to its class.
type byteClasses [256]uint8

func newByteClasses() *byteClasses {
	c := new(byteClasses)
	for b := range c {
		switch {
		case b == '\n':
			c[b] = classLine
		case b == ' ' || b == '\t' || b == '\r' || b == '\f' || b == '\v':
			c[b] = classSpace
		case b >= 'a' && b <= 'z' || b == '_' || b >= 0x80:
			c[b] = classLower
		case b >= 'A' && b <= 'Z':
			c[b] = classUpper
		case b >= '0' && b <= '9':
			c[b] = classDigit
		}
	}
	for _, b := range []byte("=<>!&|+-*/%^~?:.#@") {
		c[b] = classGlue
	}
	for _, b := range []byte("()[]{},;\"'`$\\") {
		c[b] = classSingle
	}
	return c
}

// What there can be in a word: the mark of a byte that belongs to no word is 0.
const (
	markLower = 1 << iota // a-z, bytes of multi-byte runes
	markUpper             // A-Z
	markDigit
	markUnder // underscore
	markWide  // bytes of multi-byte runes
)

// wordMarks maps every byte to its marks.
type wordMarks [256]uint8

func newWordMarks() *wordMarks {
	m := new(wordMarks)
	for b := range m {
		switch {
		case b == '_':
			m[b] = markUnder
		case b >= 0x80:
			m[b] = markLower | markWide
		case b >= 'a' && b <= 'z':
			m[b] = markLower
		case b >= 'A' && b <= 'Z':
			m[b] = markUpper
		case b >= '0' && b <= '9':
			m[b] = markDigit
		}
	}
	return m
}

// Shapes of words outside the common vocabulary, and of numbers.
const (
	shapeLower = 0x9e3779b1 + iota*0x1000193
	shapeUpper
	shapeCapital
	shapeCamel
	shapeSnake
	shapeUpperSnake
	shapeLetter
	shapeWide
	shapeInt
	shapeFloat
	shapeHex
	shapeMixed
	tokenStart
	tokenLine
	tokenOther
)

// Feature kinds: salts that keep the kinds apart. The two lowest bits of a
// kind are its family, and so are those of the feature.
const (
	familyBytes  = 0 // n-grams of bytes
	familyWords  = 1 // words as they are spelt
	familyShapes = 2 // n-grams of words and shapes
	familyLines  = 3

	kindWord      = 1<<2 | familyWords
	kindBigram    = 2<<2 | familyWords
	kindMiddle    = 3<<2 | familyWords
	kindTrigram   = 4<<2 | familyShapes
	kindFourgram  = 5<<2 | familyShapes
	kindFivegram  = 6<<2 | familyShapes
	kindLineStart = 7<<2 | familyLines
	kindLineEnds  = 8<<2 | familyLines
	kindLineLast  = 9<<2 | familyLines
	kindLinePair  = 10<<2 | familyLines
	kindIndent    = 11<<2 | familyLines
	kindSnippet   = 12<<2 | familyLines
	kindSkeleton  = 13<<2 | familyShapes
	kindPuncts    = 14<<2 | familyShapes
	kindTogether  = 15<<2 | familyShapes
	kindShare     = 16<<2 | familyLines
	kindSkip      = 17<<2 | familyShapes
	kindMarks     = 18<<2 | familyShapes
	kindWordPair  = 19<<2 | familyWords
	kindBegins    = 20<<2 | familyLines
)

// Family is the family of a feature, 0 to 3.
func Family(feature uint32) uint32 { return feature & 3 }

// mix folds a kind and up to two 64-bit halves into a feature.
func mix(kind, a, b uint64) uint32 {
	h := kind*0x9e3779b97f4a7c15 ^ a*0xff51afd7ed558ccd
	h = (h ^ h>>32) + b*0xc4ceb9fe1a85ec53
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return uint32(h>>32)&^3 | uint32(kind&3)
}

// pair packs two token hashes.
func pair(a, b uint32) uint64 { return uint64(a)<<32 | uint64(b) }

// token is one lexical unit: the hash of its text, and what stands for it in
// longer n-grams.
type token struct{ raw, mask uint32 }

// Extractor turns text into features. It is immutable and safe for
// concurrent use.
type Extractor struct {
	class  *byteClasses
	marks  *wordMarks
	common wordSet
}

// NewExtractor returns an extractor whose common vocabulary is given as word
// hashes (see WordHash).
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

// grams appends the byte n-grams. Runs of blanks count as one blank, blanks
// before a line feed as none.
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

// lineState is what is remembered of a line while its tokens pass by.
type lineState struct {
	first, second, last token
	count               int // of tokens
	indent              int
	skeleton            uint64    // hash of the masks of all tokens
	puncts              uint64    // set of its operators and punctuation marks, a bit of a hash for each
	order               uint64    // hash of them in their order
	words               [8]uint32 // the first common words
	wordCount           int
}

// punct notes a token that is no word.
func (ln *lineState) punct(t uint32) {
	ln.puncts |= 1 << (t * 0x9e3779b1 >> 26)
	ln.order = (ln.order ^ uint64(t)) * 0x9e3779b97f4a7c15
	ln.order ^= ln.order >> 31
}

// longestSkeleton is how many tokens a line may have to be a feature as a whole.
const longestSkeleton = 16

// tokens appends the word, token and line features.
func (e *Extractor) tokens(dst []uint32, s string) []uint32 {
	start := token{tokenStart, tokenStart}
	t1, t2, t3, t4 := start, start, start, start // the tokens before, nearest first
	var ln, prev lineState
	prev.indent = -1
	tabs := 0
	var m1, m2, m3, m4 uint32 // the tokens before that are no words, nearest first
	var sum tally
	for i := 0; i < len(s); {
		b := s[i]
		spaced := uint32(0)
		if e.class[b] == classSpace {
			j := i
			for j < len(s) && e.class[s[j]] == classSpace {
				j++
			}
			if ln.count == 0 {
				ln.indent = j - i
				if b == '\t' {
					tabs++
					ln.indent *= 4
				}
			}
			i = j
			if i == len(s) {
				break
			}
			b = s[i]
			spaced = 0x5bd1e995
		}
		var t token
		word := false
		switch e.class[b] {
		case classLine:
			i++
			if ln.count == 0 {
				dst = append(dst, mix(kindIndent, 9, 0))
				continue
			}
			dst = e.endLine(dst, &ln, &prev)
			sum.firstCount = note(&sum.firsts, sum.firstCount, ln.first.mask)
			sum.line(s[:i-1], e.class)
			prev, ln = ln, lineState{}
			t = token{tokenLine, tokenLine}
			spaced = 0
		case classLower, classUpper:
			var j int
			t, j = e.word(s, i)
			i = j
			word = true
		case classDigit:
			t, i = e.number(s, i)
		case classGlue:
			h := uint32(b)
			j := i + 1
			for j < len(s) && j < i+3 && e.class[s[j]] == classGlue {
				h = h<<8 | uint32(s[j])
				j++
			}
			i = j
			t = token{h, h}
			ln.punct(h)
			sum.operator(h)
		case classSingle:
			i++
			t = token{uint32(b), uint32(b)}
			ln.punct(uint32(b))
			sum.operator(uint32(b))
		default:
			i++
			t = token{tokenOther, tokenOther}
		}
		if word {
			dst = append(dst, mix(kindWord, uint64(t.raw), 0))
			if t.mask == t.raw && ln.wordCount < len(ln.words) {
				for _, w := range ln.words[:ln.wordCount] {
					dst = append(dst, mix(kindWordPair, pair(w, t.raw), 0))
				}
				ln.words[ln.wordCount] = t.raw
				ln.wordCount++
			}
		} else if t.raw != tokenLine {
			dst = append(dst,
				mix(kindMarks, pair(t.raw, m1), uint64(m2)),
				mix(kindMarks, pair(t.raw, m1), pair(m2, m3)),
				mix(kindMarks, pair(t.raw, m1)+uint64(m4)*0xc2b2ae3d27d4eb4f, pair(m2, m3)),
			)
			m4, m3, m2, m1 = m3, m2, m1, t.raw
		}
		// In n-grams a token differs by whether a blank stands before it.
		r, m := t.raw^spaced, t.mask^spaced
		dst = append(dst,
			mix(kindBigram, pair(t1.raw, r), 0),
			mix(kindTrigram, pair(t1.mask, m), uint64(t2.mask)),
			mix(kindMiddle, pair(t1.raw, m), uint64(t2.mask)),
			mix(kindFourgram, pair(t1.mask, m), pair(t2.mask, t3.mask)),
			mix(kindSkip, pair(t2.mask, m), 0),
			mix(kindSkip, pair(t3.mask, m), 1),
			mix(kindFivegram, pair(t1.mask, m), pair(t2.mask, t3.mask)+uint64(t4.mask)*0x9e3779b97f4a7c15),
		)
		if t.raw != tokenLine {
			switch ln.count {
			case 0:
				ln.first = t
				dst = append(dst, mix(kindLineStart, uint64(t.raw), 0))
			case 1:
				ln.second = token{r, m}
				dst = append(dst, mix(kindLineStart, pair(ln.first.raw, r), 1), mix(kindLineStart, pair(ln.first.mask, m), 2))
			}
			ln.last = token{r, m}
			ln.count++
			ln.skeleton = (ln.skeleton ^ uint64(m)) * 0x9e3779b97f4a7c15
			ln.skeleton ^= ln.skeleton >> 31
		}
		t4, t3, t2, t1 = t3, t2, t1, token{r, m}
	}
	if ln.count > 0 {
		dst = e.endLine(dst, &ln, &prev)
		sum.firstCount = note(&sum.firsts, sum.firstCount, ln.first.mask)
		sum.line(s, e.class)
	}
	dst = sum.features(dst)
	if tabs > 0 {
		dst = append(dst, mix(kindIndent, 8, 0))
	}
	return append(dst, mix(kindSnippet, uint64(min(sum.lines, 3)), 0))
}

// endLine appends the features of a finished line.
func (e *Extractor) endLine(dst []uint32, ln, prev *lineState) []uint32 {
	dst = append(dst,
		mix(kindLineEnds, pair(ln.first.mask, ln.last.mask), 0),
		mix(kindLineEnds, pair(ln.first.mask, ln.last.mask), uint64(ln.second.mask)),
		mix(kindLineLast, uint64(ln.last.raw), 0),
		mix(kindPuncts, ln.puncts, 0),
		mix(kindPuncts, ln.puncts, uint64(ln.first.mask)),
		mix(kindPuncts, ln.order, 1<<40),
	)
	if ln.count <= longestSkeleton {
		dst = append(dst, mix(kindSkeleton, ln.skeleton, 0))
	}
	if prev.indent < 0 {
		return append(dst, mix(kindSnippet, uint64(ln.first.raw), 7))
	}
	delta := min(max(ln.indent-prev.indent, -9), 9) + 10
	return append(dst,
		mix(kindLinePair, pair(prev.first.mask, ln.first.mask), 0),
		mix(kindLinePair, pair(prev.last.mask, ln.first.mask), 1),
		mix(kindLinePair, pair(prev.last.mask, ln.last.mask), 2),
		mix(kindIndent, uint64(delta), 1),
		mix(kindIndent, pair(prev.last.mask, uint32(delta)), 2),
		mix(kindIndent, pair(prev.first.mask, uint32(delta)), 3),
	)
}

// WordHash is the hash of a word as the common vocabulary holds it.
func WordHash(w string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(w); i++ {
		h = (h ^ uint32(w[i])) * 16777619
	}
	return h ^ h>>15
}

// word reads the word at s[i:] and returns its token and end.
func (e *Extractor) word(s string, i int) (token, int) {
	h := uint32(2166136261)
	var seen, camel uint8
	begin := i
	for ; i < len(s); i++ {
		mark := e.marks[s[i]]
		if mark == 0 {
			break
		}
		camel |= mark & (seen * (markUpper / markLower))
		seen |= mark
		h = (h ^ uint32(s[i])) * 16777619
	}
	h ^= h >> 15
	if e.common.has(h) {
		return token{h, h}, i
	}
	var shape uint32
	switch {
	case seen&markWide != 0:
		shape = shapeWide
	case i-begin == 1:
		shape = shapeLetter
		if seen&markUpper != 0 {
			shape++
		}
	case seen&(markUpper|markLower|markUnder) == markUpper|markUnder:
		shape = shapeUpperSnake
	case seen&(markUpper|markLower) == markUpper:
		shape = shapeUpper
	case seen&markUnder != 0:
		shape = shapeSnake
	case seen&markUpper != 0 && (s[begin] < 'A' || s[begin] > 'Z'):
		shape = shapeCamel
	case camel&markUpper != 0:
		shape = shapeCapital + 1
	case seen&markUpper != 0:
		shape = shapeCapital
	default:
		shape = shapeLower
	}
	if seen&markDigit != 0 {
		shape ^= 0x5555
	}
	return token{h, shape}, i
}

// number reads the number at s[i:] and returns its token and end. Its text
// does not matter, its form does.
func (e *Extractor) number(s string, i int) (token, int) {
	begin := i
	shape := uint32(shapeInt)
	suffix := uint32(0)
	for ; i < len(s); i++ {
		c := e.class[s[i]]
		switch {
		case c == classDigit:
		case c == classLower || c == classUpper:
			shape = shapeMixed
			if i == begin+1 && (s[i] == 'x' || s[i] == 'X') {
				shape = shapeHex
			}
			suffix = uint32(s[i])
		case s[i] == '.' && i+1 < len(s) && e.class[s[i+1]] == classDigit:
			shape = shapeFloat
		default:
			return token{shape ^ suffix, shape}, i
		}
	}
	return token{shape ^ suffix, shape}, i
}
