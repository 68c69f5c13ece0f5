// Package markdown finds the code blocks of a Markdown text: fenced, indented and HTML ones, inside block quotes and lists too.
//
// It is the block half of a CommonMark 0.31 parser and nothing else: one pass over the lines, no tree, no inline parsing, no
// allocation per line, time linear in the length of the input whatever the input is.
package markdown

import "strings"

// Kind is how Markdown marks a block as code.
type Kind uint8

// The kinds, in the order of their sections in the CommonMark specification.
const (
	Indented Kind = iota + 1 // section 4.4, indented code blocks
	Fenced                   // section 4.5, fenced code blocks; also those of [Scanner.Dialects]
	HTML                     // section 4.6, <pre> and <code> elements of HTML blocks
	Patch                    // not Markdown: a hunk of a unified diff, see [Scanner.Patches]
)

// Block is one code block. All positions are byte offsets into the scanned text.
//
// For fenced and indented blocks Start and End are at the beginnings of lines (or at the end of the text): the content lines are
// whole, with the prefixes of the containers around them; [Prefix.AppendContent] takes those off. For HTML blocks, and those of
// [Scanner.Dialects], they are what stands between the tags.
type Block struct {
	Kind Kind
	// Closed is false for a fence or element that ends with its container or with the text.
	Closed bool
	// OuterStart and OuterEnd include the markup: the lines of the fences, with their line endings, or the tags, with the prefix
	// of their line.
	OuterStart, OuterEnd int
	Start, End           int
	// InfoStart and InfoEnd delimit the info string of a fence or the class of the <code> or <pre> tag, without surrounding white
	// space. They are equal where there is none.
	InfoStart, InfoEnd int
	// Prefix is what stands before the code on each of the content's lines.
	Prefix Prefix
}

// HasContent reports whether anything but white space is in the block.
func (b *Block) HasContent(text string) bool {
	for lines := NewLines(text[:b.End], b.Start); lines.Next(); {
		c := cursor{text: text, pos: lines.Start, end: lines.End}
		if b.Kind != HTML || text[lines.Start-1] != '>' {
			b.Prefix.skip(&c, b.Kind == Indented)
		}
		if strings.Trim(text[c.pos:c.end], " \t\v\f") != "" {
			return true
		}
	}
	return false
}

// Document is what [Scanner.Scan] found.
type Document struct {
	// Blocks are the code blocks, in order; they do not overlap.
	Blocks []Block
	// Page is set if the text has tags that only the source of a whole HTML page has: the other tags in it are not markup of a
	// message.
	Page bool
}
