package linetag

import "strings"

// Byte classes of the lexer; the low four are bits of a word's mask.
const (
	lower      = 1 << iota // a-z
	upper                  // A-Z
	underscore             // _
	high                   // a byte of a character outside ASCII
	digit
	space // space, tab and the other ASCII white space
	punct
	control // NUL and the like

	wordByte = lower | upper | underscore | high
)

var class = func() (t [256]uint8) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z':
			t[c] = lower
		case 'A' <= c && c <= 'Z':
			t[c] = upper
		case c == '_':
			t[c] = underscore
		case '0' <= c && c <= '9':
			t[c] = digit
		case c == ' ' || '\t' <= c && c <= '\r':
			t[c] = space
		case c >= 0x80:
			t[c] = high
		case c < ' ' || c == 0x7f:
			t[c] = control
		default:
			t[c] = punct
		}
	}
	return t
}()

// Shapes of tokens: what is left of a token when its letters are forgotten. Punctuation is its own shape, with
// repeatedShape set for a run of the same sign, so that codes below 0x21 are free for words and numbers.
const (
	shapeNone        = 0
	shapeLower       = 1
	shapeCapital     = 2 // Capital first, small letters after
	shapeUpper       = 3
	shapeSingleUpper = 4
	shapeCamel       = 5
	shapeSnake       = 6
	shapeSingleLower = 7
	shapeDigits      = 8  // and four more: 1, 2, 3, 4, 5 and more digits
	shapeScript      = 13 // and scripts-1 more, see script
	shapeMention     = 28 // and the other references, see reference
	shapeEmoji       = 29
	shapeLink        = 30
	shapePhone       = 31
	repeatedShape    = 0x80
)

// scripts are the writing systems of characters outside ASCII by their first bytes, coarsely: enough to see that a run is
// prose in some script, or dashes and boxes.
var scripts = func() (t [256]uint8) {
	at := 0
	for _, r := range []struct {
		last   byte
		script uint8
	}{
		{0xC1, 1},
		{0xC2, 0},  // Latin-1 signs
		{0xCA, 1},  // Latin with marks
		{0xCD, 2},  // phonetic, combining
		{0xCF, 3},  // Greek
		{0xD4, 4},  // Cyrillic
		{0xDF, 5},  // Armenian, Hebrew, Arabic, Syriac, Thaana
		{0xE1, 6},  // Indic scripts, Thai, Lao; Ethiopic, Khmer, Georgian
		{0xE2, 9},  // arrows, mathematics, dingbats
		{0xE3, 11}, // kana
		{0xE9, 12}, // CJK ideographs
		{0xED, 13}, // Hangul
		{0xEE, 9},
		{0xEF, 10}, // private use, full-width forms
		{0xFF, 14}, // emoji and other supplementary planes
	} {
		for ; at <= int(r.last); at++ {
			t[at] = r.script
		}
	}
	return t
}()

// script tells the writing system of a character outside ASCII from its first two bytes.
func script(lead, next byte) uint32 {
	switch {
	case lead == 0xE1 && next >= 0xB8 && next <= 0xBB: // Latin extended additional
		return 1
	case lead == 0xE2 && next == 0x80: // general punctuation
		return 7
	case lead == 0xE2 && next >= 0x94 && next <= 0x96: // box drawing, blocks
		return 8
	case lead == 0xE3 && next == 0x80: // CJK punctuation
		return 10
	}
	return uint32(scripts[lead])
}

// summary is what later stages need to know of a line besides its hashed features.
type summary struct {
	start, end            int32 // of the body: without indentation and trailing white space
	indent                int32 // columns, tabs to the next multiple of 4
	gap                   int32 // blank lines before
	tabbed                bool
	hint                  Hint
	first, last           byte // of the body
	firstShape, lastShape uint32
	tokens, words         int32 // words: lower-case or marked words with white space or the line's end on both sides
	lowers, uppers        int32 // bytes of the lexed part of the body
	digits, puncts, highs int32
	spaces, columns       int32  // columns: runs of two and more spaces inside the body
	lexed                 int32  // bytes of the lexed part, references left out
	prefix                uint32 // hash of what stands before the first white space, digits alike; 0 for an empty line
	prefixLast            byte   // the byte before the first white space
	line, endPair         uint64 // hashes of the tokens of the beginning, and of the last two
	lastWord              uint64 // hash of the last word
	key                   uint32 // tokens before the first colon that white space or nothing follows, at most maxKey of them
}

// maxKey is the number of tokens that the key of a line "Key: value" has at most.
const maxKey = 6

// Bounds of the work for one line. Longer lines are lexed at both ends.
const (
	headBytes = 176
	tailBytes = 48
	maxTokens = 64
)

const (
	mul1 = 0x9E3779B97F4A7C15
	mul2 = 0xD6E8FEB86659FD93
	mul3 = 0xA0761D6478BD642F
)

// Kinds of hashed features. They are part of the hash, so that equal content of different kinds keeps apart.
const (
	kindToken = iota + 1
	kindPair
	kindShape3
	kindShape5
	kindAffix
	kindStart
	kindStartPair
	kindStartShape
	kindEnd
	kindEndPair
	kindEndShape
	kindLine
	kindLead       // the end of the line before
	kindHeading    // the heading above
	kindHeadingEnd // the last word of the heading above
)

// hashed is the hash of a feature that depends on the words of a line (multiplicative hashing, Knuth, The Art of
// Computer Programming, section 6.4).
func hashed(kind, v uint64) uint32 { return uint32((v ^ kind*mul3) * mul1 >> 33) }

// hashedShape is the hash of a feature that depends on the shapes of tokens only.
func hashedShape(kind, v uint64) uint32 { return OfShape | hashed(kind, v) }

// lex appends the hashed features of the body of a line to dst and fills the counts of sum.
func lex(dst []uint32, body string, sum *summary) []uint32 {
	if len(body) > headBytes+tailBytes {
		dst = lexPart(dst, body[:headBytes], sum, true)
		return lexPart(dst, body[len(body)-tailBytes:], sum, false)
	}
	return lexPart(dst, body, sum, true)
}

// lexPart does the work of lex for a part of the body; head says that the part begins the body.
func lexPart(dst []uint32, b string, sum *summary, head bool) []uint32 {
	l := lexer{b: b, sum: sum, head: head, spaced: 1}
	sum.lexed += int32(len(b))
	for l.i < len(b) && l.tokens < maxTokens {
		c := b[l.i]
		cl := class[c]
		if cl == space {
			l.white()
			continue
		}
		var h uint64
		if end, kind := reference(b, l.i, l.spaced == 1); end > l.i {
			h = l.reference(end, kind)
		} else if cl&wordByte != 0 {
			h = l.word()
			dst = l.ending(dst)
		} else if cl == digit {
			h = l.digits()
		} else {
			h = l.mark(c)
		}
		dst = l.add(dst, h)
	}
	return l.finish(dst)
}

// lexer is the state of lexPart.
type lexer struct {
	b    string
	i    int // of the next byte of b
	sum  *summary
	head bool

	prev, beforePrev uint64 // hashes of the last two tokens
	shapes           uint64 // shapes of the last seven tokens, nine bits each, the last bit: white space before
	line             uint64 // hash of all tokens
	spaced           uint64 // 1 if white space, or the beginning, stands before the token
	tokens           int
	shape            uint32 // of the last token
	wordLength       int    // of the last word, in bytes
	proseWord        bool   // a word as in prose, and at most digits and marks of the sentence after it
}

// white reads white space.
func (l *lexer) white() {
	begin := l.i
	for l.i++; l.i < len(l.b) && class[l.b[l.i]] == space; l.i++ {
	}
	n := int32(l.i - begin)
	l.sum.spaces += n
	if l.head {
		l.sum.begins(l.line, l.b[begin-1])
	}
	if n > 1 || l.b[begin] == '\t' {
		l.sum.columns++
	}
	l.endWord()
	l.spaced = 1
}

// endWord counts a word of prose that white space or the end follows.
func (l *lexer) endWord() {
	if l.proseWord {
		l.sum.words++
		l.proseWord = false
	}
}

// reference reads a reference of the given shape, up to end, and returns its hash.
func (l *lexer) reference(end int, shape uint32) uint64 {
	l.sum.refer(l.b, l.i, end, shape, l.head)
	l.i, l.shape, l.proseWord = end, shape, false
	return uint64(shape)
}

// word reads a word and returns its hash (FNV-1a).
func (l *lexer) word() uint64 {
	b, begin, i := l.b, l.i, l.i
	mask := uint8(0)
	h := uint64(0xcbf29ce484222325)
	for ; i < len(b); i++ {
		k := class[b[i]]
		if k&wordByte == 0 {
			break
		}
		mask |= k
		h = (h ^ uint64(b[i])) * 0x100000001b3
	}
	l.i = i
	var prose bool
	if l.shape, prose = l.sum.word(b[begin:i], mask); prose {
		l.proseWord = l.spaced == 1
	}
	l.wordLength, l.sum.lastWord = i-begin, h
	return h
}

// ending appends the ending of the word that was read: it tells its grammar, in code as in prose.
func (l *lexer) ending(dst []uint32) []uint32 {
	if l.wordLength < 5 {
		return dst
	}
	b, i := l.b, l.i
	return append(dst, hashed(kindAffix, uint64(b[i-1])|uint64(b[i-2])<<8|uint64(b[i-3])<<16))
}

// digits reads a number and returns its hash: how long it is.
func (l *lexer) digits() uint64 {
	begin := l.i
	for l.i++; l.i < len(l.b) && class[l.b[l.i]] == digit; l.i++ {
	}
	l.sum.digits += int32(l.i - begin)
	l.shape = shapeDigits + uint32(min(l.i-begin, 5)) - 1
	return uint64(l.shape)
}

// mark reads a run of the sign c and returns its hash.
func (l *lexer) mark(c byte) uint64 {
	begin := l.i
	for l.i++; l.i < len(l.b) && l.b[l.i] == c; l.i++ {
	}
	n := l.i - begin
	l.sum.puncts += int32(n)
	l.shape = uint32(c)
	if n > 1 {
		l.shape |= repeatedShape
	}
	// A word that a mark of the sentence follows is still a word of prose.
	l.proseWord = l.proseWord && n == 1 && strings.IndexByte(",.:;!?", c) >= 0
	if c == ':' && n == 1 && l.head && (l.i == len(l.b) || class[l.b[l.i]] == space) {
		if l.sum.key == 0 && l.tokens <= maxKey { // the first colon
			l.sum.key = uint32(l.tokens)
		}
	}
	return uint64(c) + 256*uint64(min(n, 4))
}

// add appends the features of the token that was read, whose hash is h.
func (l *lexer) add(dst []uint32, h uint64) []uint32 {
	l.tokens++
	l.shapes = l.shapes<<9 | uint64(l.shape)<<1 | l.spaced
	l.line = (l.line ^ h) * mul2
	l.line ^= l.line >> 31
	pair := l.prev*mul3 ^ h ^ l.spaced<<63
	dst = append(dst, hashed(kindToken, h), hashed(kindPair, pair),
		hashedShape(kindShape3, l.shapes&(1<<27-1)), hashedShape(kindShape5, l.shapes&(1<<45-1)))
	if l.head {
		switch l.tokens {
		case 1:
			dst = append(dst, hashed(kindStart, h))
			l.sum.firstShape = l.shape
		case 2:
			dst = append(dst, hashed(kindStartPair, pair))
		case 4:
			dst = append(dst, hashedShape(kindStartShape, l.shapes))
		}
	}
	l.beforePrev, l.prev = l.prev, h
	l.spaced = 0
	return dst
}

// finish appends the features of the end.
func (l *lexer) finish(dst []uint32) []uint32 {
	l.endWord()
	if l.tokens == 0 {
		return dst
	}
	l.sum.tokens += int32(l.tokens)
	l.sum.lastShape = l.shape
	l.sum.endPair = l.beforePrev*mul3 ^ l.prev
	if l.head {
		l.sum.line = l.line
		l.sum.begins(l.line, l.b[len(l.b)-1])
	}
	dst = append(dst, hashed(kindEnd, l.prev), hashed(kindEndPair, l.sum.endPair), hashedShape(kindEndShape, l.shapes&(1<<27-1)))
	if l.tokens <= 8 {
		dst = append(dst, hashed(kindLine, l.line))
	}
	return dst
}

// begins notes the hash of what stands before white space, or the end, of which last is the last byte, if it is the first.
func (sum *summary) begins(line uint64, last byte) {
	if sum.prefix == 0 {
		sum.prefix, sum.prefixLast = uint32(line>>32)|1, last
	}
}

// refer leaves the letters of a reference, b[begin:end], out of the counts.
func (sum *summary) refer(b string, begin, end int, shape uint32, head bool) {
	sum.lexed -= int32(end - begin)
	if begin == 0 && head {
		sum.first = byte(shape)
	}
	if end == len(b) && (!head || sum.end-sum.start == int32(len(b))) {
		sum.last = byte(shape)
	}
}

// word counts the bytes of a word, whose bytes have the classes in mask, and returns its shape, and whether it can be a
// word of prose.
func (sum *summary) word(w string, mask uint8) (shape uint32, prose bool) {
	n := int32(len(w))
	switch {
	case mask&high != 0:
		sum.highs += n
		lead := 0
		for class[w[lead]] != high {
			lead++
		}
		var next byte
		if lead+1 < len(w) {
			next = w[lead+1]
		}
		return shapeScript + script(w[lead], next), mask&underscore == 0
	case mask == lower:
		sum.lowers += n
		if n == 1 {
			return shapeSingleLower, false
		}
		return shapeLower, true
	case mask == upper:
		sum.uppers += n
		if n == 1 {
			return shapeSingleUpper, false
		}
		return shapeUpper, false
	}
	sum.lowers += n
	if mask&underscore != 0 {
		return shapeSnake, false
	}
	for j := range len(w) {
		if (class[w[j]] == upper) != (j == 0) {
			return shapeCamel, false
		}
	}
	return shapeCapital, true
}
