package linetag

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

// script tells the writing system of a character outside ASCII from its first two bytes, coarsely: enough to see that
// a run is prose in some script, or dashes and boxes.
func script(lead, next byte) uint32 {
	switch {
	case lead == 0xC2: // Latin-1 signs
		return 0
	case lead <= 0xCA: // Latin with marks
		return 1
	case lead <= 0xCD: // phonetic, combining
		return 2
	case lead <= 0xCF: // Greek
		return 3
	case lead <= 0xD4: // Cyrillic
		return 4
	case lead <= 0xDF: // Armenian, Hebrew, Arabic, Syriac, Thaana
		return 5
	case lead == 0xE0: // Indic scripts, Thai, Lao
		return 6
	case lead == 0xE1: // Ethiopic, Khmer, Georgian, Latin extended additional, ...
		if next >= 0xB8 && next <= 0xBB {
			return 1
		}
		return 6
	case lead == 0xE2:
		switch {
		case next == 0x80: // general punctuation
			return 7
		case next >= 0x94 && next <= 0x96: // box drawing, blocks
			return 8
		}
		return 9 // arrows, mathematics, dingbats
	case lead == 0xE3 && next == 0x80: // CJK punctuation
		return 10
	case lead == 0xE3: // kana
		return 11
	case lead <= 0xE9: // CJK ideographs
		return 12
	case lead <= 0xED: // Hangul
		return 13
	case lead == 0xEF: // private use, full-width forms
		return 10
	case lead >= 0xF0: // emoji and other supplementary planes
		return 14
	}
	return 9
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
)

// hashed is the row of a feature that depends on the words of a line (multiplicative hashing, Knuth, The Art of
// Computer Programming, section 6.4).
func hashed(kind, v uint64) uint32 {
	return uint32((v ^ kind*mul3) * mul1 >> (64 - wordBits))
}

// hashedShape is the row of a feature that depends on the shapes of tokens only.
func hashedShape(kind, v uint64) uint32 {
	return WordRows + uint32((v^kind*mul3)*mul1>>(64-shapeBits))
}

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
	var (
		prev, beforePrev uint64     // hashes of the last two tokens
		shapes           uint64     // shapes of the last seven tokens, nine bits each, the last bit: white space before
		line             uint64     // hash of all tokens
		spaced           uint64 = 1 // white space, or the beginning, before the token
		tokens           int
		shape            uint32
		proseWord        bool // a word as in prose, and at most digits and marks of the sentence after it
	)
	sum.lexed += int32(len(b))
	for i := 0; i < len(b) && tokens < maxTokens; {
		begin := i
		c := b[i]
		var h uint64
		end, kind := reference(b, i, spaced == 1)
		switch cl := class[c]; {
		case cl == space:
			for i++; i < len(b) && class[b[i]] == space; i++ {
			}
			n := int32(i - begin)
			sum.spaces += n
			if head && sum.prefix == 0 {
				sum.prefix, sum.prefixLast = uint32(line>>32)|1, b[begin-1]
			}
			if n > 1 || c == '\t' {
				sum.columns++
			}
			if proseWord {
				sum.words++
				proseWord = false
			}
			spaced = 1
			continue
		case end > i:
			i = end
			shape, h = kind, uint64(kind)
			sum.refer(b, begin, end, kind, head)
			proseWord = false
		case cl&wordByte != 0:
			mask := uint8(0)
			h = 0xcbf29ce484222325 // FNV-1a
			for ; i < len(b); i++ {
				k := class[b[i]]
				if k&wordByte == 0 {
					break
				}
				mask |= k
				h = (h ^ uint64(b[i])) * 0x100000001b3
			}
			var prose bool
			if shape, prose = sum.word(b[begin:i], mask); prose {
				proseWord = spaced == 1
			}
			if i-begin >= 5 {
				// The ending of a word tells its grammar, in code as in prose.
				dst = append(dst, hashed(kindAffix, uint64(b[i-1])|uint64(b[i-2])<<8|uint64(b[i-3])<<16))
			}
		case cl == digit:
			for i++; i < len(b) && class[b[i]] == digit; i++ {
			}
			sum.digits += int32(i - begin)
			shape = shapeDigits + uint32(min(i-begin, 5)) - 1
			h = uint64(shape)
		default:
			for i++; i < len(b) && b[i] == c; i++ {
			}
			n := i - begin
			sum.puncts += int32(n)
			shape = uint32(c)
			h = uint64(c) + 256*uint64(min(n, 4))
			if n > 1 {
				shape |= repeatedShape
			}
			// A word that a mark of the sentence follows is still a word of prose.
			proseWord = proseWord && n == 1 && (c == ',' || c == '.' || c == ':' || c == ';' || c == '!' || c == '?')
			if c == ':' && n == 1 && head && sum.key == 0 && tokens <= maxKey && (i == len(b) || class[b[i]] == space) {
				sum.key = uint32(tokens)
			}
		}
		tokens++
		shapes = shapes<<9 | uint64(shape)<<1 | spaced
		line = (line ^ h) * mul2
		line ^= line >> 31
		pair := prev*mul3 ^ h ^ spaced<<63
		dst = append(dst, hashed(kindToken, h), hashed(kindPair, pair), hashedShape(kindShape3, shapes&(1<<27-1)), hashedShape(kindShape5, shapes&(1<<45-1)))
		if head {
			switch tokens {
			case 1:
				dst = append(dst, hashed(kindStart, h))
				sum.firstShape = shape
			case 2:
				dst = append(dst, hashed(kindStartPair, pair))
			case 4:
				dst = append(dst, hashedShape(kindStartShape, shapes))
			}
		}
		beforePrev, prev = prev, h
		spaced = 0
	}
	if proseWord {
		sum.words++
	}
	if tokens == 0 {
		return dst
	}
	sum.tokens += int32(tokens)
	sum.lastShape = shape
	if head && sum.prefix == 0 {
		sum.prefix, sum.prefixLast = uint32(line>>32)|1, b[len(b)-1]
	}
	dst = append(dst, hashed(kindEnd, prev), hashed(kindEndPair, beforePrev*mul3^prev), hashedShape(kindEndShape, shapes&(1<<27-1)))
	if tokens <= 8 {
		dst = append(dst, hashed(kindLine, line))
	}
	return dst
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
