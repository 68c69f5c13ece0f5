package linetagtrain

import (
	"context"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/markdown"
)

// structure is what the model is asked of a text, as the segmenter will ask it: the lines that are not markup, and what
// markup says of them.
type structure struct {
	scanner markdown.Scanner
	lines   []linetag.Line
	hints   []linetag.Hint
	number  []int // of each line in the text, from 0
	all     []linetag.Line
}

// parse fills s from a text. marked says what is marked as code by fences that the text does not show; nil if nothing is.
// Without rules the text is not looked at for markup.
func (s *structure) parse(text string, marked []linetag.Hint, rules bool) {
	s.lines, s.hints, s.number = s.lines[:0], s.hints[:0], s.number[:0]
	s.all = Split(s.all[:0], text)
	var doc markdown.Document
	if rules {
		s.scanner.Patches = true
		doc, _ = s.scanner.Scan(context.Background(), text) // fails only if its context ends
	}
	sure := doc.Fences > 0 || slices.Contains(marked, linetag.Code)
	blocks := doc.Blocks
	content := len(blocks) > 0 && blocks[0].HasContent(text)
	for i, l := range s.all {
		start := int(l.Start)
		for len(blocks) > 0 && blocks[0].OuterEnd <= start {
			blocks = blocks[1:]
			content = len(blocks) > 0 && blocks[0].HasContent(text)
		}
		hint := linetag.Free
		if marked != nil {
			hint = marked[i]
		}
		if len(blocks) > 0 && blocks[0].OuterStart <= start && hint == linetag.Free {
			b := &blocks[0]
			switch {
			case b.Kind == markdown.HTML && doc.Page:
			case !content:
				hint = linetag.Text
			case start < b.Start && b.Start-start > len(text[l.Start:l.End]) || start >= b.End:
				continue // a fence or a tag
			case b.Kind == markdown.Indented && !sure:
				hint = linetag.Indented
			default:
				hint = linetag.Code
			}
		}
		s.lines, s.hints, s.number = append(s.lines, l), append(s.hints, hint), append(s.number, i)
	}
}

// Split appends the lines of a text to ls.
func Split(ls []linetag.Line, text string) []linetag.Line {
	begin := 0
	for {
		end := strings.IndexByte(text[begin:], '\n')
		if end < 0 {
			return append(ls, linetag.Line{Start: int32(begin), End: int32(len(text))})
		}
		ls = append(ls, linetag.Line{Start: int32(begin), End: int32(begin + end)})
		begin += end + 1
	}
}
