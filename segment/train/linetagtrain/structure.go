package linetagtrain

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/hints"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/markdown"
)

// structure is what the model gets of a text: the lines that it sees and their hints (see package hints).
type structure struct {
	scanner markdown.Scanner
	lines   []linetag.Line
	hints   []linetag.Hint
	number  []int // of each line in the text, from 0
}

// parse fills s from a text. fenced are ranges of lines, both ends included, that stand in fences which the text does not
// show. Without rules the text is not looked at for markup.
func (s *structure) parse(text string, fenced [][2]int, rules bool) {
	s.lines, s.hints, s.number = s.lines[:0], s.hints[:0], s.number[:0]
	var doc markdown.Document
	if rules {
		s.scanner.Patches = true
		doc, _ = s.scanner.Scan(context.Background(), text) // fails only if its context ends
	}
	if len(fenced) > 0 {
		doc.Blocks = addFences(doc.Blocks, text, fenced)
	}
	message := hints.New(text, doc)
	number, at := 0, 0
	for l := range message.Lines {
		number += strings.Count(text[at:l.Start], "\n")
		at = l.Start
		s.lines = append(s.lines, linetag.Line{Start: int32(l.Start), End: int32(l.End)})
		s.hints = append(s.hints, l.Hint)
		s.number = append(s.number, number)
	}
}

// addFences adds ranges of lines to blocks as the contents of fences, in place of the blocks that they meet.
func addFences(blocks []markdown.Block, text string, fenced [][2]int) []markdown.Block {
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	starts = append(starts, len(text))
	all := slices.Clone(blocks)
	for _, f := range fenced {
		start, end := starts[f[0]], starts[f[1]+1]
		all = slices.DeleteFunc(all, func(b markdown.Block) bool { return b.OuterStart < end && start < b.OuterEnd })
		all = append(all, markdown.Block{Kind: markdown.Fenced, Closed: true, OuterStart: start, OuterEnd: end, Start: start, End: end})
	}
	slices.SortFunc(all, func(a, b markdown.Block) int { return cmp.Compare(a.Start, b.Start) })
	return all
}
