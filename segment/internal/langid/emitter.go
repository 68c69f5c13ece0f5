package langid

// The emitter turns tokens into features. The examples are features of
//
//	if a != b {
//		return nil
//	}
//
// where if, return and nil are common words; a and b are not, and stand as "letter" where a token is masked.

// Feature kinds: salts that keep the kinds apart. The two lowest bits of a kind are its family, and so are those of the feature.
const (
	familyBytes  = 0 // n-grams of bytes
	familyWords  = 1 // words as they are spelt
	familyShapes = 2 // n-grams of words and shapes
	familyLines  = 3

	kindWord      = 1<<2 | familyWords   // a word: "return"
	kindBigram    = 2<<2 | familyWords   // two tokens as they are spelt: "a" "!="
	kindMiddle    = 3<<2 | familyWords   // a token between two masked ones: letter "!=" letter
	kindTrigram   = 4<<2 | familyShapes  // three masked tokens: "if" letter "!="
	kindFourgram  = 5<<2 | familyShapes  // four: "if" letter "!=" letter
	kindFivegram  = 6<<2 | familyShapes  // five: "if" letter "!=" letter "{"
	kindLineStart = 7<<2 | familyLines   // the first token or two of a line: "if"; "if" "a"; "if" letter
	kindLineEnds  = 8<<2 | familyLines   // the first and last token of a line: "if" ... "{"; "if" letter ... "{"
	kindLineLast  = 9<<2 | familyLines   // the last token of a line: "{"
	kindLinePair  = 10<<2 | familyLines  // first and last tokens of two lines: "if", "return"; "{", "return"; "{", "nil"
	kindIndent    = 11<<2 | familyLines  // indentation against the line before: +4; "{", +4; "if", +4; also: some line has a tab; blank line
	kindSnippet   = 12<<2 | familyLines  // the first token of all: "if"; the number of lines, to three: 3
	kindSkeleton  = 13<<2 | familyShapes // a whole line, masked: "if" letter "!=" letter "{"
	kindPuncts    = 14<<2 | familyShapes // the marks of a line: the set of "!=" and "{"; the set after "if"; the sequence "!=" "{"
	kindTogether  = 15<<2 | familyShapes // two marks anywhere in the text: "!=" and "}"
	kindShare     = 16<<2 | familyLines  // of four lines or more: how many begin or end with a mark
	kindSkip      = 17<<2 | familyShapes // two masked tokens with one or two between: "if" . "!="; "if" . . letter
	kindMarks     = 18<<2 | familyShapes // three, four and five tokens that are no words: "!=" "{" "}"
	kindWordPair  = 19<<2 | familyWords  // two common words of a line: "return" ... "nil"
	kindBegins    = 20<<2 | familyLines  // two tokens that lines begin with: "if" and "return"
)

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

// spaced is mixed into a token in n-grams if white space stands before it.
const spaced = 0x5bd1e995

// emitter appends the features of the tokens that it gets in order.
type emitter struct {
	dst        []uint32
	last       [4]token  // the tokens before, nearest first, with the white space before them
	marks      [4]uint32 // the tokens before that are no words, nearest first
	line, prev lineState // the current line, and the one before it
	tabs       bool      // some line begins with a tab
	text       tally
}

// tokens appends the word, token and line features of s.
func (e *Extractor) tokens(dst []uint32, s string) []uint32 {
	em := emitter{dst: dst}
	for i := range em.last {
		em.last[i] = token{raw: tokenStart, mask: tokenStart}
	}
	em.prev.indent = -1
	t := tokenizer{e: e, text: s}
	for {
		tok := t.next()
		if t.spaces > 0 && em.line.count == 0 {
			em.indent(t.spaces, t.tab)
		}
		switch tok.kind {
		case endToken:
			if em.line.count > 0 {
				em.endLine()
				em.text.line(s, e.class)
			}
			return em.end()
		case lineToken:
			if em.line.count == 0 {
				em.dst = append(em.dst, mix(kindIndent, 9, 0))
				continue
			}
			em.endLine()
			em.text.line(s[:t.pos-1], e.class)
			em.prev, em.line = em.line, lineState{}
			em.ngrams(tok)
		case wordToken:
			em.word(tok)
			em.inLine(tok, t.spaces > 0)
		case markToken:
			em.line.punct(tok.raw)
			em.text.operator(tok.raw)
			em.mark(tok)
			em.inLine(tok, t.spaces > 0)
		default:
			em.mark(tok)
			em.inLine(tok, t.spaces > 0)
		}
	}
}

// indent notes the white space that a line begins with. A line without any keeps that of a blank line before it.
func (em *emitter) indent(spaces int, tab bool) {
	em.line.indent = spaces
	if tab {
		em.line.indent *= 4
		em.tabs = true
	}
}

// word appends the features of a word.
func (em *emitter) word(t token) {
	em.dst = append(em.dst, mix(kindWord, uint64(t.raw), 0))
	ln := &em.line
	if t.mask != t.raw || ln.wordCount == len(ln.words) {
		return
	}
	for _, w := range ln.words[:ln.wordCount] {
		em.dst = append(em.dst, mix(kindWordPair, pair(w, t.raw), 0))
	}
	ln.words[ln.wordCount] = t.raw
	ln.wordCount++
}

// mark appends the features of a token that is no word.
func (em *emitter) mark(t token) {
	m := &em.marks
	em.dst = append(em.dst,
		mix(kindMarks, pair(t.raw, m[0]), uint64(m[1])),
		mix(kindMarks, pair(t.raw, m[0]), pair(m[1], m[2])),
		mix(kindMarks, pair(t.raw, m[0])+uint64(m[3])*0xc2b2ae3d27d4eb4f, pair(m[1], m[2])),
	)
	m[3], m[2], m[1], m[0] = m[2], m[1], m[0], t.raw
}

// inLine appends what a token is in its line and between its neighbours.
func (em *emitter) inLine(t token, space bool) {
	first := t
	if space {
		t.raw ^= spaced
		t.mask ^= spaced
	}
	em.ngrams(t)
	ln := &em.line
	switch ln.count {
	case 0:
		ln.first = first
		em.dst = append(em.dst, mix(kindLineStart, uint64(first.raw), 0))
	case 1:
		ln.second = t
		em.dst = append(em.dst, mix(kindLineStart, pair(ln.first.raw, t.raw), 1), mix(kindLineStart, pair(ln.first.mask, t.mask), 2))
	}
	ln.last = t
	ln.count++
	ln.skeleton = (ln.skeleton ^ uint64(t.mask)) * 0x9e3779b97f4a7c15
	ln.skeleton ^= ln.skeleton >> 31
}

// ngrams appends the n-grams that end with t.
func (em *emitter) ngrams(t token) {
	l := &em.last
	em.dst = append(em.dst,
		mix(kindBigram, pair(l[0].raw, t.raw), 0),
		mix(kindTrigram, pair(l[0].mask, t.mask), uint64(l[1].mask)),
		mix(kindMiddle, pair(l[0].raw, t.mask), uint64(l[1].mask)),
		mix(kindFourgram, pair(l[0].mask, t.mask), pair(l[1].mask, l[2].mask)),
		mix(kindSkip, pair(l[1].mask, t.mask), 0),
		mix(kindSkip, pair(l[2].mask, t.mask), 1),
		mix(kindFivegram, pair(l[0].mask, t.mask), pair(l[1].mask, l[2].mask)+uint64(l[3].mask)*0x9e3779b97f4a7c15),
	)
	l[3], l[2], l[1], l[0] = l[2], l[1], l[0], t
}

// end appends the features of the text as a whole.
func (em *emitter) end() []uint32 {
	dst := em.text.features(em.dst)
	if em.tabs {
		dst = append(dst, mix(kindIndent, 8, 0))
	}
	return append(dst, mix(kindSnippet, uint64(min(em.text.lines, 3)), 0))
}

// endLine appends the features of a finished line.
func (em *emitter) endLine() {
	ln, prev := &em.line, &em.prev
	em.text.first(ln.first.mask)
	em.dst = append(em.dst,
		mix(kindLineEnds, pair(ln.first.mask, ln.last.mask), 0),
		mix(kindLineEnds, pair(ln.first.mask, ln.last.mask), uint64(ln.second.mask)),
		mix(kindLineLast, uint64(ln.last.raw), 0),
		mix(kindPuncts, ln.puncts, 0),
		mix(kindPuncts, ln.puncts, uint64(ln.first.mask)),
		mix(kindPuncts, ln.order, 1<<40),
	)
	if ln.count <= longestSkeleton {
		em.dst = append(em.dst, mix(kindSkeleton, ln.skeleton, 0))
	}
	if prev.indent < 0 {
		em.dst = append(em.dst, mix(kindSnippet, uint64(ln.first.raw), 7))
		return
	}
	delta := min(max(ln.indent-prev.indent, -9), 9) + 10
	em.dst = append(em.dst,
		mix(kindLinePair, pair(prev.first.mask, ln.first.mask), 0),
		mix(kindLinePair, pair(prev.last.mask, ln.first.mask), 1),
		mix(kindLinePair, pair(prev.last.mask, ln.last.mask), 2),
		mix(kindIndent, uint64(delta), 1),
		mix(kindIndent, pair(prev.last.mask, uint32(delta)), 2),
		mix(kindIndent, pair(prev.first.mask, uint32(delta)), 3),
	)
}
