package langid

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The text of the examples in emitter.go has the features that are named there.
func TestFeatureKinds(t *testing.T) {
	const text = "if a != b {\n    return nil\n}"
	common := []uint32{WordHash("if"), WordHash("nil"), WordHash("return")}
	const (
		letter = shapeLetter
		space  = spaced
		start  = tokenStart
		line   = tokenLine
		ne     = '!'<<8 | '='
		open   = '{'
		end    = '}'
	)
	word := WordHash
	set := func(marks ...uint32) (ln lineState) {
		for _, m := range marks {
			ln.punct(m)
		}
		return ln
	}
	skeleton := uint64(0)
	for _, m := range []uint32{word("if"), letter ^ space, ne ^ space, letter ^ space, open ^ space} {
		skeleton = (skeleton ^ uint64(m)) * 0x9e3779b97f4a7c15
		skeleton ^= skeleton >> 31
	}
	for _, c := range []struct {
		name    string
		feature uint32
	}{
		{`word: return`, mix(kindWord, uint64(word("return")), 0)},
		{`word that is not common: a`, mix(kindWord, uint64(word("a")), 0)},
		{`bigram: a !=`, mix(kindBigram, pair(word("a")^space, ne^space), 0)},
		{`bigram: if, which begins the text`, mix(kindBigram, pair(start, word("if")), 0)},
		{`bigram: { and the line's end`, mix(kindBigram, pair(open^space, line), 0)},
		{`trigram: if letter !=`, mix(kindTrigram, pair(letter^space, ne^space), uint64(word("if")))},
		{`middle: letter != letter`, mix(kindMiddle, pair(ne^space, letter^space), uint64(letter^space))},
		{`fourgram: if letter != letter`, mix(kindFourgram, pair(ne^space, letter^space), pair(letter^space, word("if")))},
		{`fivegram: if letter != letter {`, mix(kindFivegram, pair(letter^space, open^space), pair(ne^space, letter^space)+uint64(word("if"))*0x9e3779b97f4a7c15)},
		{`skip one: if . !=`, mix(kindSkip, pair(word("if"), ne^space), 0)},
		{`skip two: if . . letter`, mix(kindSkip, pair(word("if"), letter^space), 1)},
		{`marks: != { }`, mix(kindMarks, pair(end, open), ne)},
		{`word pair: return ... nil`, mix(kindWordPair, pair(word("return"), word("nil")), 0)},
		{`line start: if`, mix(kindLineStart, uint64(word("if")), 0)},
		{`line start: if a`, mix(kindLineStart, pair(word("if"), word("a")^space), 1)},
		{`line start: if letter`, mix(kindLineStart, pair(word("if"), letter^space), 2)},
		{`line ends: if ... {`, mix(kindLineEnds, pair(word("if"), open^space), 0)},
		{`line ends: if letter ... {`, mix(kindLineEnds, pair(word("if"), open^space), uint64(letter^space))},
		{`line last: {`, mix(kindLineLast, uint64(open^space), 0)},
		{`line pair: if, return`, mix(kindLinePair, pair(word("if"), word("return")), 0)},
		{`line pair: {, return`, mix(kindLinePair, pair(open^space, word("return")), 1)},
		{`line pair: {, nil`, mix(kindLinePair, pair(open^space, word("nil")^space), 2)},
		{`indentation: +4`, mix(kindIndent, 10+4, 1)},
		{`indentation: +4 after {`, mix(kindIndent, pair(open^space, 10+4), 2)},
		{`indentation: +4 after if`, mix(kindIndent, pair(word("if"), 10+4), 3)},
		{`snippet: begins with if`, mix(kindSnippet, uint64(word("if")), 7)},
		{`snippet: three lines`, mix(kindSnippet, 3, 0)},
		{`skeleton: if letter != letter {`, mix(kindSkeleton, skeleton, 0)},
		{`marks of a line, as a set`, mix(kindPuncts, set(open, ne).puncts, 0)},
		{`marks of a line that begins with if`, mix(kindPuncts, set(open, ne).puncts, uint64(word("if")))},
		{`marks of a line, as a sequence`, mix(kindPuncts, set(ne, open).order, 1<<40)},
		{`marks of the text: != and }`, mix(kindTogether, pair(end, ne), 0)},
		{`lines begin with if and return`, mix(kindBegins, pair(min(word("if"), word("return")), max(word("if"), word("return"))), 0)},
	} {
		require.Contains(t, NewExtractor(common).Append(nil, text), c.feature, c.name)
	}

	for _, c := range []struct {
		name, text string
		feature    uint32
	}{
		{"a blank line", "a\n\nb", mix(kindIndent, 9, 0)},
		{"a line with a tab", "a\n\tb", mix(kindIndent, 8, 0)},
		{"a tab counts as four columns", "a\n\tb", mix(kindIndent, 10+4, 1)},
		{"all of four lines end with a semicolon", "a;\nb;\nc;\nd;", mix(kindShare, ';'<<8|6, 1)},
		{"one of four lines begins with a bracket", "[\nb\nc\nd", mix(kindShare, '['<<8|4, 0)},
	} {
		require.Contains(t, NewExtractor(nil).Append(nil, c.text), c.feature, c.name)
	}
}

func TestTokens(t *testing.T) {
	e := NewExtractor([]uint32{WordHash("return")})
	same := func(h uint32, kind tokenKind) token { return token{h, h, kind} }
	word := func(w string, shape uint32) token { return token{WordHash(w), shape, wordToken} }
	for _, c := range []struct {
		text string
		want token
	}{
		{"return", same(WordHash("return"), wordToken)},
		{"total", word("total", shapeLower)},
		{"TOTAL", word("TOTAL", shapeUpper)},
		{"Total", word("Total", shapeCapital)},
		{"readAll", word("readAll", shapeCamel)},
		{"ReadAll", word("ReadAll", shapePascal)},
		{"read_all", word("read_all", shapeSnake)},
		{"READ_ALL", word("READ_ALL", shapeUpperSnake)},
		{"x", word("x", shapeLetter)},
		{"X", word("X", shapeUpperLetter)},
		{"größe", word("größe", shapeWide)},
		{"utf8", word("utf8", shapeLower^withDigits)},
		{"12", token{shapeInt, shapeInt, numberToken}},
		{"1.5", token{shapeFloat, shapeFloat, numberToken}},
		{"0x12", token{shapeHex ^ 'x', shapeHex, numberToken}},
		{"0xff", token{shapeMixed ^ 'f', shapeMixed, numberToken}},
		{"10px", token{shapeMixed ^ 'x', shapeMixed, numberToken}},
		{"!=", same('!'<<8|'=', markToken)},
		{">>>=", same('>'<<16|'>'<<8|'>', markToken)},
		{"((", same('(', markToken)},
		{"\n", same(tokenLine, lineToken)},
		{"\x00", same(tokenOther, otherToken)},
		{"", token{}},
	} {
		tokens := tokenizer{e: e, text: " " + c.text}
		require.Equal(t, c.want, tokens.next(), "%q", c.text)
		require.Equal(t, 1, tokens.spaces)
	}
}
