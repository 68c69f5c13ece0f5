package langid

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
	c.set(classSpace, " \t\r\f\v")
	c.set(classLine, "\n")
	c.set(classLower, "_")
	c.setRange(classLower, 'a', 'z')
	c.setRange(classLower, 0x80, 0xff)
	c.setRange(classUpper, 'A', 'Z')
	c.setRange(classDigit, '0', '9')
	c.set(classGlue, "=<>!&|+-*/%^~?:.#@")
	c.set(classSingle, "()[]{},;\"'`$\\")
	return c
}

func (c *byteClasses) set(class uint8, bytes string) {
	for _, b := range []byte(bytes) {
		c[b] = class
	}
}

func (c *byteClasses) setRange(class uint8, first, last int) {
	for b := first; b <= last; b++ {
		c[b] = class
	}
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

	shapePascal      = shapeCapital + 1
	shapeUpperLetter = shapeLetter + 1
	withDigits       = 0x5555 // mixed into the shape of a word with digits
)

// tokenKind tells tokens apart where their hash does not matter.
type tokenKind uint8

const (
	endToken  tokenKind = iota // there are no more
	lineToken                  // a line feed
	wordToken
	numberToken
	markToken  // an operator of up to three characters, or a single bracket, quote or separator
	otherToken // a control character
)

// token is one lexical unit: the hash of its text, and what stands for it in
// longer n-grams. For common words and for marks both are the same.
type token struct {
	raw, mask uint32
	kind      tokenKind
}

// tokenizer cuts a text into tokens.
type tokenizer struct {
	e    *Extractor
	text string
	pos  int // behind the token

	// The white space before the token.
	spaces int  // bytes
	tab    bool // the first one is a tab
}

// next returns the next token.
func (t *tokenizer) next() token {
	s, class := t.text, t.e.class
	begin := t.pos
	for t.pos < len(s) && class[s[t.pos]] == classSpace {
		t.pos++
	}
	t.spaces, t.tab = t.pos-begin, t.pos > begin && s[begin] == '\t'
	if t.pos == len(s) {
		return token{}
	}
	b := s[t.pos]
	switch class[b] {
	case classLine:
		t.pos++
		return token{tokenLine, tokenLine, lineToken}
	case classLower, classUpper:
		return t.word()
	case classDigit:
		return t.number()
	case classGlue:
		h := uint32(b)
		end := min(t.pos+3, len(s))
		for t.pos++; t.pos < end && class[s[t.pos]] == classGlue; t.pos++ {
			h = h<<8 | uint32(s[t.pos])
		}
		return token{h, h, markToken}
	case classSingle:
		t.pos++
		return token{uint32(b), uint32(b), markToken}
	default:
		t.pos++
		return token{tokenOther, tokenOther, otherToken}
	}
}

// WordHash is the hash of a word as the common vocabulary holds it.
func WordHash(w string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(w); i++ {
		h = (h ^ uint32(w[i])) * 16777619
	}
	return h ^ h>>15
}

// word reads the word at pos.
func (t *tokenizer) word() token {
	s, begin, i := t.text, t.pos, t.pos
	h := uint32(2166136261)
	var seen, camel uint8
	for ; i < len(s); i++ {
		mark := t.e.marks[s[i]]
		if mark == 0 {
			break
		}
		camel |= mark & (seen * (markUpper / markLower))
		seen |= mark
		h = (h ^ uint32(s[i])) * 16777619
	}
	h ^= h >> 15
	t.pos = i
	if t.e.common.has(h) {
		return token{h, h, wordToken}
	}
	shape := wordShape(seen, camel, s[begin:i])
	if seen&markDigit != 0 {
		shape ^= withDigits
	}
	return token{h, shape, wordToken}
}

// wordShape is the shape of a word without regard to digits. seen are the marks of its bytes, camel those that stand behind
// a small letter.
func wordShape(seen, camel uint8, word string) uint32 {
	switch upper := seen&markUpper != 0; {
	case seen&markWide != 0:
		return shapeWide
	case len(word) == 1 && upper:
		return shapeUpperLetter
	case len(word) == 1:
		return shapeLetter
	case seen&(markUpper|markLower|markUnder) == markUpper|markUnder:
		return shapeUpperSnake
	case seen&(markUpper|markLower) == markUpper:
		return shapeUpper
	case seen&markUnder != 0:
		return shapeSnake
	case upper && (word[0] < 'A' || word[0] > 'Z'):
		return shapeCamel
	case camel&markUpper != 0:
		return shapePascal
	case upper:
		return shapeCapital
	}
	return shapeLower
}

// number reads the number at pos. Its digits do not matter, its form does.
func (t *tokenizer) number() token {
	s, class, begin := t.text, t.e.class, t.pos
	shape := uint32(shapeInt)
	suffix := uint32(0)
	i := begin
	for ; i < len(s); i++ {
		c := class[s[i]]
		if c == classLower || c == classUpper {
			shape = shapeMixed
			if i == begin+1 && (s[i] == 'x' || s[i] == 'X') {
				shape = shapeHex
			}
			suffix = uint32(s[i])
			continue
		}
		if s[i] == '.' && i+1 < len(s) && class[s[i+1]] == classDigit {
			shape = shapeFloat
			continue
		}
		if c != classDigit {
			break
		}
	}
	t.pos = i
	return token{shape ^ suffix, shape, numberToken}
}
