package markdown

import (
	"sort"
	"strings"
)

// What marks code in messages that are no Markdown. Each block ends where its end first stands, and there is none where that is
// missing.
//
//   - Slack, Discord and others: three backticks, wherever they stand. See
//     openBackticks for where CommonMark goes first.
//   - One backtick before the first of three lines or more, and one behind the last.
//   - Answers of language models: a fence with the tag markdown, or none, around text
//     that has fences of its own. See openNested.
//   - Zulip: what stands in a fence with the tag quote is no code, but a message.
//   - Jira and Confluence: {code}, {code:java|title=x}, {noformat}, closed by the
//     same name in braces. https://jira.atlassian.com/secure/WikiRendererHelpAction.jspa
//   - Forums (BBCode): [code], [code=java], closed by [/code], in any case.
//
// Only blocks outside of block quotes and list items are looked for.

const backticks = "```"

// dialectTag is a tag that begins a block in the markup of a tracker or forum.
type dialectTag struct{ begin, end string }

var dialectTags = [...]dialectTag{{"{code", "{code}"}, {"{noformat", "{noformat}"}, {"[code", "[/code]"}}

// openDialect adds the block that starts at pos in the current line, if it is one of
// those that only [Scanner.Dialects] finds.
func (s *Scanner) openDialect(pos int) bool {
	switch s.c.text[pos] {
	case '`':
		return s.openBackticks(pos)
	case '{', '[':
		for i := range dialectTags {
			if hasPrefixFold(s.c.text[pos:s.c.end], dialectTags[i].begin) {
				return s.openTag(pos, i)
			}
		}
	}
	return false
}

// openTag adds the block that begins with a tag at pos.
func (s *Scanner) openTag(pos, number int) bool {
	tag := &dialectTags[number]
	info := pos + len(tag.begin)
	closing := tag.end[len(tag.end)-1]
	n := strings.IndexByte(s.c.text[info:s.c.end], closing)
	if n < 0 || n > 0 && strings.IndexByte(":= ", s.c.text[info]) < 0 {
		return false
	}
	start := info + n + 1
	end := s.dialectEnd(start, number)
	if end == len(s.c.text) || s.c.text[start] == '(' && closing == ']' { // a link
		return false
	}
	if n > 0 {
		info++
	}
	infoEnd := start - 1
	if i := strings.IndexByte(s.c.text[info:infoEnd], '|'); i >= 0 {
		infoEnd = info + i // what comes next is a title and the like
	}
	s.addDelimited(pos, start, end, end+len(tag.end), info, infoEnd)
	return true
}

// dialectEnd returns where the next end of a kind of tag stands from pos on, the length of the text if there is none.
func (s *Scanner) dialectEnd(pos, number int) int {
	text, end := s.c.text, &s.dialectEnds[number]
	if *end >= pos {
		return *end
	}
	tag := dialectTags[number].end
	for *end = indexFrom(text, pos, tag[0]); *end < len(text) && !hasPrefixFold(text[*end:], tag); {
		*end = indexFrom(text, *end+1, tag[0])
	}
	return *end
}

// openBackticks adds the block that begins with the three backticks at pos, the first thing in the line, if it is not one of
// CommonMark:
//
//	```x = 1```
//
//	```x = 1
//	y = 2```
//
// CommonMark makes an info string of the latter's first line, and goes on up to a fence. Left to it is what a fence closes, if
// nothing but a tag, or words that do not end like a line of code, stand behind the first backticks.
func (s *Scanner) openBackticks(pos int) bool {
	text, start := s.c.text, pos+len(backticks)
	switch n := run(text[pos:s.c.end]); {
	case n == 1:
		return s.openSpan(pos)
	case s.openNested(pos, n), s.skipQuote(pos, n):
		return true
	case n != len(backticks):
		return false
	}
	if n := strings.Index(text[start:s.c.end], backticks); n >= 0 {
		return s.openInLine(pos, start+n)
	}
	end := s.nextBackticks(s.lines.After)
	info, infoEnd := trim(text, start, s.c.end)
	switch glued, spoken := s.endsGlued(end), s.endsBeforeWords(end); {
	case (glued || spoken) && isTag(text[info:infoEnd]):
		if s.nextFence(end) < len(text) {
			return false
		}
		start = infoEnd
	case glued, info == start && s.isStatement(text[info:infoEnd]) && (spoken || s.isFence(end)):
		info, infoEnd = start, start
	default:
		return false
	}
	s.addDelimited(pos, start, end, end+run(text[end:]), info, infoEnd)
	return true
}

// openInLine adds the block between the three backticks at pos and those at end, in the same line, if there is nothing else in
// it.
func (s *Scanner) openInLine(pos, end int) bool {
	text, start := s.c.text, pos+len(backticks)
	after := end + run(text[end:s.c.end])
	if after-end != len(backticks) || !isBlank(text[after:s.c.end]) || isSpace(text[start]) || isSpace(text[end-1]) {
		return false
	}
	s.addDelimited(pos, start, end, after, start, start)
	return true
}

// openInside adds the block that begins with three backticks behind other words of the line, from pos on:
//
//	It prints ```TypeError: x is not a function
//	    at a.js:3:5``` and ends.
func (s *Scanner) openInside(pos int) bool {
	text := s.c.text
	n := strings.Index(text[pos:s.c.end], backticks)
	if n <= 0 {
		return false
	}
	before, at := text[pos:pos+n], pos+n
	start := at + len(backticks)
	switch {
	case run(text[at:s.c.end]) != len(backticks), !isSpace(before[n-1]) && before[n-1] != ':' && before[n-1] != '(':
		return false
	case !strings.ContainsFunc(before, func(r rune) bool { return r >= 0x80 || isLetter(byte(r)) }):
		return false // the comment of a program
	case start < s.c.end && strings.IndexByte(" \t)]}.,;:!?'\"", text[start]) >= 0:
		return false // "Write ``` before it."
	}
	end := s.nextBackticks(start)
	if end < s.c.end || !s.endsGlued(end) && !s.endsBeforeWords(end) && !s.isFence(end) {
		return false
	}
	s.addDelimited(at, start, end, end+run(text[end:]), start, start)
	return true
}

// nextBackticks returns the position of the next three backticks or more.
func (s *Scanner) nextBackticks(pos int) int {
	if n := strings.Index(s.c.text[pos:], backticks); n >= 0 {
		return pos + n
	}
	return len(s.c.text)
}

// endsGlued reports whether the backticks at pos end code that stands right before
// them, and are alone in their line: as in a comment of code, " * ```", or in a text,
// "```x```", they do not.
func (s *Scanner) endsGlued(pos int) bool {
	text, after := s.c.text, pos+len(backticks)
	if pos == len(text) || run(text[pos:]) != len(backticks) || strings.IndexByte(" \t\r\n\v\f", text[pos-1]) >= 0 {
		return false
	}
	rest := text[after:]
	if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
		rest = rest[:i]
	}
	return !strings.Contains(rest, backticks) && (rest == "" || !isLetter(rest[0]) && !isDigit(rest[0]))
}

// endsBeforeWords reports whether the backticks at pos, the first thing in their line, end code although words follow:
//
//	``` and then it hangs
//
// To CommonMark that begins a fence, and what a fence closes below is left to it.
func (s *Scanner) endsBeforeWords(pos int) bool {
	text, after := s.c.text, pos+len(backticks)
	if pos == len(text) || run(text[pos:]) != len(backticks) || strings.IndexByte("\r\n", text[pos-1]) < 0 || after == len(text) || !isSpace(text[after]) {
		return false
	}
	lines := NewLines(text, after)
	lines.Next()
	words := strings.Fields(text[lines.Start:lines.End])
	return len(words) > 0 && !strings.Contains(text[lines.Start:lines.End], "`") && (s.IsTag == nil || !s.IsTag(words[0])) && s.nextFence(pos) == len(text)
}

// isFence reports whether the backticks at pos are a line that closes a fence.
func (s *Scanner) isFence(pos int) bool {
	text, start := s.c.text, pos
	for start > 0 && pos-start < codeIndent && text[start-1] == ' ' {
		start--
	}
	if pos == len(text) || pos-start >= codeIndent || start > 0 && text[start-1] != '\n' && text[start-1] != '\r' {
		return false
	}
	after := pos + run(text[pos:])
	for after < len(text) && isSpace(text[after]) {
		after++
	}
	return after == len(text) || text[after] == '\n' || text[after] == '\r'
}

// nextFence returns the position of the next line that closes a fence.
func (s *Scanner) nextFence(pos int) int {
	if s.fenceEnd < pos {
		for s.fenceEnd = s.nextBackticks(pos); s.fenceEnd < len(s.c.text) && !s.isFence(s.fenceEnd); {
			s.fenceEnd = s.nextBackticks(s.fenceEnd + run(s.c.text[s.fenceEnd:]))
		}
	}
	return s.fenceEnd
}

// isTag reports whether s can name a language, or is empty.
func isTag(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && !isDigit(c) && strings.IndexByte("+#-_.", c) < 0 {
			return false
		}
	}
	return true
}

// isStatement reports whether an info string is no such thing, but a line of code: it ends like one, or has several words of
// which the first names no language.
func (s *Scanner) isStatement(info string) bool {
	if strings.HasSuffix(info, ";") || strings.HasSuffix(info, "{") || strings.HasSuffix(info, "):") {
		return true
	}
	n := strings.IndexAny(info, " \t")
	if n < 0 || s.IsTag == nil || strings.IndexByte("{.:", info[0]) >= 0 || strings.Contains(info, "=\"") {
		return false // attributes, as title="a.js"
	}
	return strings.IndexByte(";,{", info[n-1]) < 0 && !s.IsTag(info[:n])
}

// openSpan adds the block of three lines or more that begins with the backtick at pos, the first thing in the line:
//
//	`./configure
//	make
//	make install`
//
// To CommonMark it is inline code of a paragraph, as that of two lines is to us.
func (s *Scanner) openSpan(pos int) bool {
	text, start := s.c.text, pos+1
	if start == s.c.end || !isLetter(text[start]) && !isDigit(text[start]) && strings.IndexByte("$#<{[(/.@", text[start]) < 0 ||
		strings.IndexByte(text[start:s.c.end], '`') >= 0 {
		return false
	}
	end := indexFrom(text, s.c.end, '`')
	if end == len(text) || strings.Count(text[start:end], "\n") < 2 || run(text[end:]) > 1 || strings.IndexByte(" \t\r\n", text[end-1]) >= 0 {
		return false
	}
	if lines := NewLines(text, end+1); lines.Next() && !isBlank(text[lines.Start:lines.End]) {
		return false
	}
	s.addDelimited(pos, start, end, end+1, start, start)
	return true
}

// openNested adds the block of the fence of n backticks at pos if it is around Markdown that has fences of its own:
//
//	```markdown
//	# Install
//	```sh
//	npm install
//	```
//	```
//
// To CommonMark the second fence is text of the first, and the third closes it. That is what it means, too, unless its tag says
// that it has Markdown, and a fence with a tag, closed, comes first; or unless what CommonMark makes of it cannot be meant,
// because a fence with a tag would be in a block or nothing would close the last one, and there is an end that leaves whole
// blocks inside and behind.
func (s *Scanner) openNested(pos, n int) bool {
	text := s.c.text
	info, infoEnd := trim(text, pos+n, s.c.end)
	tag := text[info:infoEnd]
	isMarkdown := strings.EqualFold(tag, "markdown") || strings.EqualFold(tag, "md")
	if n < len(backticks) || !isMarkdown && tag != "" {
		return false
	}
	end := s.nestedEnd(n, isMarkdown)
	if end == nil {
		return false
	}
	s.addDelimited(pos, infoEnd, end.start, end.end, info, infoEnd)
	return true
}

// outerFence is a line of three backticks or more in the text.
type outerFence struct {
	start, end int // of the backticks, and what stands behind them
	length     int
	tagged     bool
	// whole is set if this fence and those behind it are whole blocks: the first of each two may have a tag, the other has none.
	whole bool
}

// nestedEnd finds the fence that closes the one of n backticks in the current line; nil if CommonMark is to decide.
func (s *Scanner) nestedEnd(n int, isMarkdown bool) *outerFence {
	fences := s.fencesBehind()
	if isMarkdown {
		if end, nested := taggedEnd(fences, n); nested {
			return end
		}
	}
	if len(fences) < 2 || s.fences[len(s.fences)-len(fences)-1].length != n || !isMarkdown && !fences[0].tagged {
		return nil
	}
	if isWhole(fences[1:]) && !fences[0].tagged {
		return nil // as CommonMark has it
	}
	for i := 0; i < min(len(fences), 2*maxNested); i += 2 {
		switch {
		case !fences[i].tagged && i > 0 && fences[i].length == n && isWhole(fences[i+1:]):
			return &fences[i]
		case i+1 == len(fences), fences[i+1].tagged:
			return nil
		}
	}
	return nil
}

// maxNested is how many blocks are looked for in one.
const maxNested = 64

// isWhole reports whether fences are whole blocks.
func isWhole(fences []outerFence) bool { return len(fences) == 0 || fences[0].whole }

// taggedEnd finds the fence that closes one of n backticks with Markdown in it, and tells whether there are others in it: with
// tags, and each closed.
func taggedEnd(fences []outerFence, n int) (end *outerFence, nested bool) {
	depth := 1
	for i := range fences[:min(len(fences), 2*maxNested)] {
		f := &fences[i]
		switch {
		case f.length < n:
		case f.tagged:
			depth, nested = depth+1, true
		default:
			if depth--; depth == 0 {
				return f, nested
			}
		}
	}
	return nil, false
}

// fencesBehind are the fences behind the current line. All of the text are found once.
func (s *Scanner) fencesBehind() []outerFence {
	if !s.fenced {
		s.fenced, s.fences = true, s.fences[:0]
		text := s.c.text
		for lines := NewLines(text, 0); lines.Next(); {
			at, end := trim(text, lines.Start, lines.End)
			length := run(text[at:end])
			if length < len(backticks) || text[at] != '`' || strings.IndexByte(text[at+length:end], '`') >= 0 {
				continue
			}
			s.fences = append(s.fences, outerFence{start: lines.Start, end: end, length: length, tagged: at+length < end})
		}
		for i := len(s.fences) - 2; i >= 0; i-- {
			s.fences[i].whole = !s.fences[i+1].tagged && s.fences[i+1].length >= s.fences[i].length && (i+2 == len(s.fences) || s.fences[i+2].whole)
		}
	}
	first := sort.Search(len(s.fences), func(i int) bool { return s.fences[i].start >= s.lines.After })
	return s.fences[first:]
}

// skipQuote takes the fence of n backticks at pos, if its tag is quote, and the one that closes it, for lines of text:
//
//	``` quote
//	Is it on port 8080?
//	```
//	No.
//
// What stands between is Markdown, with longer fences around shorter ones.
func (s *Scanner) skipQuote(pos, n int) bool {
	info, infoEnd := trim(s.c.text, pos+n, s.c.end)
	switch {
	case n < len(backticks):
		return false
	case s.quoted == 0 && strings.EqualFold(s.c.text[info:infoEnd], "quote"):
		s.quoted = n
	case s.quoted > 0 && n >= s.quoted && info == infoEnd:
		s.quoted = 0
	default:
		return false
	}
	s.closeTo(0)
	s.openLeaf(leafNone)
	s.doc.Blocks = append(s.doc.Blocks, Block{
		Kind: Fenced, Closed: true, OuterStart: s.lines.Start, OuterEnd: s.lines.After, Start: s.lines.After, End: s.lines.After, InfoStart: info, InfoEnd: info,
	})
	return true
}

// addDelimited adds a block whose markup is text[outerStart:start] and text[end:outerEnd], and moves on to the line in which it
// ends.
func (s *Scanner) addDelimited(outerStart, start, end, outerEnd, info, infoEnd int) {
	s.closeTo(0)
	s.openLeaf(leafNone)
	text := s.c.text
	if _, first := s.c.indent(); outerStart == first {
		outerStart = s.lines.Start
	}
	if end > s.c.end && isBlank(text[start:s.c.end]) {
		start = s.lines.After
	}
	for s.lines.After < outerEnd && s.lines.Next() {
		continue
	}
	if line := max(s.lines.Start, start); isBlank(text[line:end]) {
		end = line
	}
	if isBlank(text[outerEnd:s.lines.End]) {
		outerEnd = s.lines.After
	} else {
		s.leaf = leafParagraph
	}
	s.doc.Blocks = append(s.doc.Blocks, Block{
		Kind: Fenced, Closed: true, OuterStart: outerStart, OuterEnd: outerEnd, Start: start, End: end, InfoStart: info, InfoEnd: infoEnd,
	})
}
