package markdown

import "context"

// Scanner holds the state of one scan. It can be used again and again, but for one text at a time; the zero value is ready.
type Scanner struct {
	// Patches makes the hunks of unified diffs blocks too. Their headers say how long they are, and what looks like Markdown
	// inside of them is none.
	Patches bool
	// Dialects makes what chats, trackers and forums mark as code blocks too: see openDialect.
	Dialects bool
	// IsTag reports whether a word names a language; nil if that is not known. Dialects need it to tell the first line of code
	// from an info string.
	IsTag func(word string) bool

	doc   Document
	lines Lines
	c     cursor

	containers []container // open ones, outermost first
	quotes     []int       // the indexes of the block quotes among them
	leaf       leaf        // the open leaf block inside the innermost container
	block      Block       // the code block that leaf collects
	fence      fence       // if leaf is leafFence
	html       htmlBlock   // if leaf is leafHTML
	hunk       hunk        // if leaf is leafPatch

	// breakFails is the position of a character that no thematic break of the current line can contain: none starts before it.
	// Without it a line of list markers would be searched once for each of them.
	breakFails int
	// The next fence that closes a block, and the next tags that do, known while they are not behind the current line.
	fenceEnd    int
	dialectEnds [len(dialectTags)]int
	// fences are the fences of the text, of backticks, once a block needed to know them: fenced is set then.
	fences []outerFence
	fenced bool
	quoted int // length of the open fence with the tag quote, 0 if there is none
}

// container is an open block quote or list item.
type container struct {
	// columns is the indentation that a line needs to belong to a list item; 0 for a block quote.
	columns int
	// empty is set for a list item that has nothing in it yet; a blank line ends it.
	empty bool
	// prefix is what this container and those around it put in front of a line.
	prefix Prefix
}

type leaf uint8

const (
	leafNone leaf = iota
	leafParagraph
	leafIndented
	leafFence
	leafHTML
	leafPatch
)

// Lines between two looks at the context.
const linesPerCheck = 1 << 13

// Scan finds the code blocks of text. The result is valid until the next call. The error is that of ctx, which is looked at now
// and then.
func (s *Scanner) Scan(ctx context.Context, text string) (Document, error) {
	s.doc = Document{Blocks: s.doc.Blocks[:0]}
	s.lines = NewLines(text, 0)
	s.containers, s.quotes, s.leaf = s.containers[:0], s.quotes[:0], leafNone
	s.fenceEnd, s.dialectEnds, s.fenced, s.quoted = 0, [len(dialectTags)]int{}, false, 0
	for n := 1; s.lines.Next(); n++ {
		s.line(text)
		if n%linesPerCheck == 0 && ctx.Err() != nil {
			return Document{}, ctx.Err()
		}
	}
	s.lines.Start, s.lines.After = len(text), len(text)
	s.closeLeaf()
	return s.doc, nil
}

// Reset drops the references to the text of the last scan, and memory of a size that few texts need.
func (s *Scanner) Reset() {
	s.lines, s.c = Lines{}, cursor{}
	if cap(s.doc.Blocks) > maxKept || cap(s.containers) > maxKept || cap(s.fences) > maxKept {
		*s = Scanner{Patches: s.Patches, Dialects: s.Dialects, IsTag: s.IsTag}
	}
}

// maxKept is the number of blocks, or containers, that a scanner keeps memory for.
const maxKept = 1 << 14

// line takes one line through the two steps of the specification's appendix: see which open blocks it continues, then which
// blocks it starts.
func (s *Scanner) line(text string) {
	s.c = cursor{text: text, pos: s.lines.Start, end: s.lines.End}
	s.breakFails = 0
	if s.lines.Start == 0 {
		s.c.skipBOM()
	}

	matched, blank := s.continueContainers()
	if matched == len(s.containers) {
		if s.continueLeaf(blank) {
			return
		}
	}
	if blank {
		s.closeTo(matched)
		if s.leaf == leafParagraph {
			s.leaf = leafNone
		}
		return
	}
	s.open(matched)
}

// continueContainers moves the cursor past the prefixes of the open containers, and returns how many of them the line belongs to
// and whether the rest of it is blank.
func (s *Scanner) continueContainers() (matched int, blank bool) {
	quotes := 0
	for i := 0; ; i++ {
		indent, pos := s.c.indent()
		if pos == s.c.end {
			return s.continueBlank(quotes), true
		}
		if i == len(s.containers) {
			return i, false
		}
		if columns := s.containers[i].columns; columns == 0 {
			if !s.c.skipQuoteMarker() {
				return i, false
			}
			quotes++
		} else {
			if indent < columns {
				return i, false
			}
			s.c.skipColumns(columns, false)
		}
	}
}

// continueBlank returns how many containers a line goes on that is blank after the markers of the given number of block quotes:
// list items need no indentation then, further block quotes would need their markers. It takes no time per item, so that blank
// lines inside of many items do not cost more than others.
func (s *Scanner) continueBlank(quotes int) int {
	if quotes < len(s.quotes) {
		return s.quotes[quotes]
	}
	n := len(s.containers)
	if n > 0 && s.containers[n-1].empty && s.leaf == leafNone {
		return n - 1
	}
	return n
}

// continueLeaf reports whether the line belongs to the open leaf block and has been dealt with.
func (s *Scanner) continueLeaf(blank bool) bool {
	switch s.leaf {
	case leafFence:
		s.continueFence()
		return true
	case leafHTML:
		if blank && s.html.kind.endsAtBlank() {
			s.closeLeaf()
		} else {
			s.continueHTML()
		}
		return true
	case leafPatch:
		if s.continuePatch() {
			return true
		}
		s.closeLeaf()
	case leafIndented:
		if blank {
			return true
		}
		if indent, _ := s.c.indent(); indent >= codeIndent {
			s.block.End = s.lines.After
			return true
		}
		s.closeLeaf()
	}
	return false
}

// open starts the blocks that the line starts inside the first matched containers, and closes the others unless the line is a
// paragraph's lazy continuation.
func (s *Scanner) open(matched int) {
	// Of a line that could go on with a paragraph less is expected to start something; of one that could only do so lazily not
	// quite as much less.
	inParagraph := s.leaf == leafParagraph && matched == len(s.containers)
	lazy := s.leaf == leafParagraph
	for {
		switch s.start(matched, inParagraph, lazy) {
		case startsLeaf:
			return
		case startsContainer:
			inParagraph, lazy, matched = false, false, len(s.containers)
			if _, pos := s.c.indent(); pos == s.c.end {
				return
			}
		case startsNothing:
			if s.leaf != leafParagraph {
				s.closeTo(matched)
				s.openLeaf(leafParagraph)
			}
			if s.Dialects && len(s.containers) == 0 {
				_, pos := s.c.indent()
				s.openInside(pos)
			}
			return
		}
	}
}

// opening is what kind of block starts at the cursor.
type opening uint8

const (
	startsNothing opening = iota
	startsLeaf
	startsContainer
)

// start opens the block that starts at the cursor, if any, in the innermost of the first matched containers.
func (s *Scanner) start(matched int, inParagraph, lazy bool) opening {
	indent, pos := s.c.indent()
	if indent >= codeIndent {
		if lazy {
			return startsNothing
		}
		s.closeTo(matched)
		s.openIndented()
		return startsLeaf
	}
	if s.Dialects && matched == 0 && s.openDialect(pos) {
		return startsLeaf
	}
	rest := s.c.text[pos:s.c.end]
	if rest[0] == '>' {
		s.closeTo(matched)
		s.c.skipQuoteMarker()
		s.push(container{})
		return startsContainer
	}
	if s.startMarked(rest, matched, indent, pos, inParagraph, lazy) {
		return startsLeaf
	}
	if s.isThematicBreak(pos) {
		s.closeTo(matched)
		s.openLeaf(leafNone)
		return startsLeaf
	}
	if marker := listMarker(rest, inParagraph); marker > 0 {
		s.closeTo(matched)
		s.pushItem(indent, pos, marker)
		return startsContainer
	}
	return startsNothing
}

// startMarked opens the leaf that the mark at the beginning of rest, at pos, is that of, if any.
func (s *Scanner) startMarked(rest string, matched, indent, pos int, inParagraph, lazy bool) bool {
	switch rest[0] {
	case '#':
		if isHeading(rest) {
			s.closeTo(matched)
			s.openLeaf(leafNone)
			return true
		}
	case '`', '~':
		if n := fenceLength(rest); n > 0 {
			s.closeTo(matched)
			s.openFence(indent, pos, n)
			return true
		}
	case '<':
		if kind := htmlBlockStart(rest, lazy); kind != 0 {
			s.closeTo(matched)
			s.openHTML(kind, pos)
			return true
		}
	case '@':
		if h, ok := parseHunk(rest); ok && s.Patches && indent == 0 {
			s.closeTo(matched)
			s.openPatch(h)
			return true
		}
	case '=', '-':
		if inParagraph && isUnderline(rest) {
			s.leaf = leafNone // the paragraph is a heading
			return true
		}
	}
	return false
}

// push opens a container in the innermost one.
func (s *Scanner) push(c container) {
	s.closeLeaf()
	s.fill()
	c.prefix = s.prefix()
	if c.columns == 0 {
		s.quotes = append(s.quotes, len(s.containers))
		c.prefix.addQuote()
	} else {
		c.prefix.addColumns(c.columns)
	}
	s.containers = append(s.containers, c)
}

// pushItem opens the list item whose marker has the given length and stands
// at pos.
func (s *Scanner) pushItem(indent, pos, marker int) {
	s.c.skipTo(indent, pos)
	s.c.skipColumns(marker, true)
	spaces, next := s.c.indent()
	empty := next == s.c.end
	// More than four columns of white space are one and an indented code block.
	if spaces > codeIndent || empty {
		spaces = 1
	}
	s.c.skipColumns(spaces, false)
	s.push(container{columns: indent + marker + spaces, empty: empty})
}

// fill notes that the innermost container is not empty any more.
func (s *Scanner) fill() {
	if n := len(s.containers); n > 0 {
		s.containers[n-1].empty = false
	}
}

// closeTo closes all containers but the first n, with the leaf block inside
// them.
func (s *Scanner) closeTo(n int) {
	if n == len(s.containers) {
		return
	}
	s.closeLeaf()
	s.containers = s.containers[:n]
	for len(s.quotes) > 0 && s.quotes[len(s.quotes)-1] >= n {
		s.quotes = s.quotes[:len(s.quotes)-1]
	}
}

// openLeaf makes l the open leaf block.
func (s *Scanner) openLeaf(l leaf) {
	s.closeLeaf()
	s.fill()
	s.leaf = l
}

// closeLeaf ends the open leaf block before the current line.
func (s *Scanner) closeLeaf() {
	switch s.leaf {
	case leafIndented, leafPatch:
		s.block.OuterEnd = s.block.End
		s.doc.Blocks = append(s.doc.Blocks, s.block)
	case leafFence:
		s.block.End, s.block.OuterEnd = s.lines.Start, s.lines.Start
		s.doc.Blocks = append(s.doc.Blocks, s.block)
	case leafHTML:
		s.closeElement(s.lines.Start, s.lines.Start, false)
	}
	s.leaf = leafNone
}

// prefix is what the open containers put in front of a line.
func (s *Scanner) prefix() Prefix {
	if n := len(s.containers); n > 0 {
		return s.containers[n-1].prefix
	}
	return Prefix{}
}
