package linetag

import (
	"math/bits"
	"slices"
)

// Sizes of the parts of the model's embedding table: rows of features that depend on the words of a line, rows of
// features of the shapes of its tokens, and rows of features of its place and layout. All are hashed; the last kind is
// small enough that collisions are rare.
const (
	wordBits    = 16
	shapeBits   = 15
	layoutBits  = 12
	wordRows    = 1 << wordBits
	ContentRows = wordRows + 1<<shapeBits
	Rows        = ContentRows + 1<<layoutBits
)

// Features are the inputs of the network for the lines of a document that are not blank.
type Features struct {
	Index  []int32  // of the line in the document
	Hint   []Hint   // of the line
	Found  []uint32 // for each line the hashes of the features of its content, then the rows of those of its layout; see Place
	Hashed []int32  // end of the content of each line in Found
	End    []int32  // end of the layout of each line in Found

	sums   []summary
	hashes []uint32
}

// OfShape is set in the hashes of features of the shapes of tokens, whose other 31 bits are the hash, as in those of words.
const OfShape = 1 << 31

// Place appends to dst the rows of a network's table that the features of f have, in the order of f.Found. Features that share a
// row in one network do not in another, so that together they tell them apart.
func (f *Features) Place(dst []uint32, network int) []uint32 {
	factor := uint32(network)*0x9E3779B0 | 1 // of multiplicative hashing
	at := len(dst)
	dst = append(dst, f.Found...)
	rows := dst[at:]
	begin := int32(0)
	for i, hashed := range f.Hashed {
		content := rows[begin:hashed]
		for k, h := range content {
			ofShape := h >> 31
			content[k] = ofShape*wordRows + h<<1*factor>>(32-wordBits+ofShape*(wordBits-shapeBits))
		}
		begin = f.End[i]
	}
	return dst
}

// Extract fills f from a document, reusing its memory. hints is as long as ls.
func (f *Features) Extract(text string, ls []Line, hints []Hint) {
	f.extract(text, ls, hints, slices.Contains(hints, Code))
}

// extract fills f from a part of a document; marked says that some line of the document is code by markup.
func (f *Features) extract(text string, ls []Line, hints []Hint, marked bool) {
	f.Index, f.Hint, f.sums = f.Index[:0], f.Hint[:0], f.sums[:0]
	f.Found, f.Hashed, f.End, f.hashes = f.Found[:0], f.Hashed[:0], f.End[:0], f.hashes[:0]
	gap := int32(0)
	above := noHeading
	for i, l := range ls {
		var sum summary
		if !outline(text, l, &sum) {
			gap++
			continue
		}
		sum.hint = hints[i]
		sum.gap, gap = gap, 0
		f.hashes = lex(f.hashes, text[sum.start:sum.end], &sum)
		f.hashes = under(f.hashes, f.sums, &sum, above)
		if sum.isHeading(text) && (sum.gap > 0 || len(f.sums) == 0) {
			above = len(f.sums)
		}
		f.Hashed = append(f.Hashed, int32(len(f.hashes)))
		f.sums = append(f.sums, sum)
		f.Index = append(f.Index, int32(i))
		f.Hint = append(f.Hint, sum.hint)
	}
	begin := int32(0)
	for i := range f.sums {
		f.Found = append(f.Found, f.hashes[begin:f.Hashed[i]]...)
		begin = f.Hashed[i]
		f.Hashed[i] = int32(len(f.Found))
		f.Found = layout(f.Found, f.sums, i, marked)
		f.End = append(f.End, int32(len(f.Found)))
	}
}

// noHeading is the index of the heading of lines that have none above.
const noHeading = -1

// isHeading reports whether a line is like the heading of a part of a form or report: "### Log output", "**Log output**".
func (sum *summary) isHeading(text string) bool {
	const most = 12 // tokens
	return sum.tokens <= most && (sum.first == '#' || sum.first == '*' && sum.end-sum.start > 2 && text[sum.start+1] == '*')
}

// under appends what the heading above a line, sums[above], says of it, and how the line before it ends.
func under(dst []uint32, sums []summary, sum *summary, above int) []uint32 {
	last := len(sums) - 1
	if last < 0 {
		return dst
	}
	dst = append(dst, hashed(kindLead, sums[last].endPair<<2|uint64(min(sum.gap, 2))))
	if above != noHeading {
		near := uint64(min(last-above, 2))
		dst = append(dst, hashed(kindHeading, sums[above].line<<2|near), hashed(kindHeadingEnd, sums[above].lastWord<<2|near))
	}
	return dst
}

// outline finds the body of a line and its indentation; false if the line is blank.
func outline(text string, l Line, sum *summary) bool {
	i, end := l.Start, l.End
	column := int32(0)
	for ; i < end; i++ {
		c := text[i]
		if c == ' ' {
			column++
		} else if c == '\t' {
			column = column&^3 + 4
			sum.tabbed = true
		} else if class[c] != space {
			break
		}
	}
	quoted := i
	for quoted < end && (text[quoted] == '>' || class[text[quoted]] == space) {
		quoted++
	}
	if quoted == end { // also a line with nothing but quote marks
		return false
	}
	for class[text[end-1]] == space {
		end--
	}
	sum.start, sum.end, sum.indent = i, end, column
	sum.first, sum.last = text[i], text[end-1]
	return true
}

// Slots of layout features; part of the hash.
const (
	slotBias = iota
	slotHint
	slotIndent
	slotIndentHint
	slotDeltaBefore
	slotDeltaAfter
	slotGaps
	slotLength
	slotLengthBefore
	slotLengthAfter
	slotWrap
	slotWrapAfter
	slotPuncts
	slotDigits
	slotHighs
	slotUppers
	slotSpaces
	slotWords
	slotWordShare
	slotColumns
	slotEnds
	slotEndsShape
	slotShapeBefore
	slotShapeAfter
	slotShapeIndent
	slotTokens
	slotPlace
	slotMarked
	slotPrefix
	slotKey
)

// logBin grows by two for every doubling: 0, 1, 2, 3, 4, 5, 6-7, 8-11, 12-15, 16-23, ...
func logBin(n int32) uint32 {
	if n < 4 {
		return uint32(max(n, 0))
	}
	k := bits.Len32(uint32(n))
	return uint32(2*k) - 2 + uint32(n>>(k-2)&1)
}

func deltaBin(d int32) uint32 {
	switch {
	case d < -8:
		return 0
	case d > 8:
		return 18
	}
	return uint32(d + 9)
}

func share(part, whole int32) uint32 {
	if whole == 0 || part <= 0 {
		return 0
	}
	p := part * 64 / whole
	switch {
	case p < 1:
		return 1
	case p < 2:
		return 2
	case p < 4:
		return 3
	}
	return 4 + uint32(min(p/4, 15))
}

// beginning classifies the first byte of a body, as far as the flow of sentences needs it.
func beginning(s *summary) uint32 {
	switch c := class[s.first]; c {
	case lower, upper, underscore, high, digit:
		return uint32(bits.TrailingZeros8(c)) + 1
	}
	return uint32(s.first)
}

// layout appends the layout rows of line i of the lines with content. marked says that the message has marked code: its
// other lines are then rarely code.
func layout(dst []uint32, sums []summary, i int, marked bool) []uint32 {
	s := &sums[i]
	var before, after *summary
	if i > 0 {
		before = &sums[i-1]
	}
	if i+1 < len(sums) {
		after = &sums[i+1]
	}
	put := func(slot, v uint32) {
		h := (uint64(slot)*mul3 ^ uint64(v)) * mul1
		dst = append(dst, ContentRows+uint32(h>>(64-layoutBits)))
	}
	length := s.end - s.start
	indent := logBin(s.indent)
	if s.tabbed {
		indent += 32
	}
	gap := uint32(min(s.gap, 2))
	put(slotBias, 0)
	put(slotHint, uint32(s.hint))
	if marked {
		put(slotMarked, uint32(s.hint))
	}
	put(slotIndent, indent)
	put(slotLength, logBin(length))
	put(slotPuncts, share(s.puncts, s.lexed))
	put(slotDigits, share(s.digits, s.lexed))
	put(slotHighs, share(s.highs, s.lexed))
	put(slotUppers, share(s.uppers, s.lexed))
	put(slotSpaces, share(s.spaces, s.lexed))
	put(slotWords, logBin(s.words))
	put(slotWordShare, share(s.words, s.tokens))
	put(slotColumns, logBin(s.columns))
	put(slotTokens, logBin(s.tokens))
	put(slotEnds, uint32(s.first)<<8|uint32(s.last))
	put(slotEndsShape, s.firstShape<<8|s.lastShape)
	put(slotShapeIndent, s.firstShape<<8|min(indent, 12))
	deltaBefore, deltaAfter, gapAfter := uint32(31), uint32(31), uint32(3)
	if before == nil {
		gap = 3
		put(slotShapeBefore, 1<<20)
	} else {
		deltaBefore = deltaBin(s.indent - before.indent)
		lengthBefore := before.end - before.start
		put(slotLengthBefore, logBin(lengthBefore)<<16|gap<<8|logBin(length))
		put(slotWrap, uint32(before.last)<<16|beginning(s)<<8|gap)
		put(slotShapeBefore, before.firstShape<<16|s.firstShape<<8|gap)
	}
	if after == nil {
		put(slotShapeAfter, 1<<20)
	} else {
		gapAfter = uint32(min(after.gap, 2))
		deltaAfter = deltaBin(after.indent - s.indent)
		put(slotLengthAfter, logBin(after.end-after.start)<<16|gapAfter<<8|logBin(length))
		put(slotWrapAfter, uint32(s.last)<<16|beginning(after)<<8|gapAfter)
		put(slotShapeAfter, after.firstShape<<16|s.firstShape<<8|gapAfter)
	}
	put(slotGaps, gap<<8|gapAfter)
	put(slotDeltaBefore, deltaBefore<<8|gap)
	put(slotDeltaAfter, deltaAfter<<8|gapAfter)
	put(slotIndentHint, indent<<16|gap<<8|deltaBefore)
	put(slotPrefix, prefixes(sums, i))
	put(slotKey, keys(s, before, after))
	put(slotPlace, logBin(int32(i))<<8|logBin(int32(len(sums)-i)))
	return dst
}

// prefixReach is how far lines are looked at that may begin like a line, in either direction.
const prefixReach = 6

// prefixes tells how a line begins, and how many of the lines around it begin alike: what a program prints often does
// ("docs:lint: ...").
func prefixes(sums []summary, i int) uint32 {
	s := &sums[i]
	alike := uint32(0)
	for j := max(0, i-prefixReach); j < min(len(sums), i+prefixReach+1); j++ {
		if j != i && sums[j].prefix == s.prefix {
			alike++
		}
	}
	v := min(alike, 3)
	if i > 0 && sums[i-1].prefix == s.prefix {
		v |= 4
	}
	if i+1 < len(sums) && sums[i+1].prefix == s.prefix {
		v |= 8
	}
	last := uint32(s.prefixLast)
	if class[s.prefixLast] != punct {
		last = uint32(class[s.prefixLast])
	}
	return v | last<<4 | s.firstShape<<12
}

// keys tells of a line and its neighbours whether each is like "Key: value".
func keys(s, before, after *summary) uint32 {
	v := s.key
	if before != nil {
		v |= (before.key + 1) << 4
	}
	if after != nil {
		v |= (after.key + 1) << 8
	}
	return v
}
