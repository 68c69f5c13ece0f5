package segmentation

import (
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// Blocks are the code blocks of a document, as ranges of lines, both ends included: runs of code and the blank lines in them.
func Blocks(labels []string) [][2]int {
	var blocks [][2]int
	inside := false
	for i, label := range labels {
		switch {
		case label == corpus.Blank:
		case label == corpus.Code && inside:
			blocks[len(blocks)-1][1] = i
		case label == corpus.Code:
			blocks = append(blocks, [2]int{i, i})
			inside = true
		default:
			inside = false
		}
	}
	return blocks
}

// Fence puts the blocks of a text into fences. number is the place of each line of the result in the text; -1 of the lines
// of fences.
func Fence(text string, blocks [][2]int) (fenced string, number []int) {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	var out []string
	add := func(line string, n int) {
		out = append(out, line)
		number = append(number, n)
	}
	for i, line := range strings.Split(text, "\n") {
		if slices.ContainsFunc(blocks, func(b [2]int) bool { return b[0] == i }) {
			add(fence, -1)
		}
		add(line, i)
		if slices.ContainsFunc(blocks, func(b [2]int) bool { return b[1] == i }) {
			add(fence, -1)
		}
	}
	return strings.Join(out, "\n"), number
}

// FenceCounts count what is found outside of fences in messages that have some.
type FenceCounts struct {
	Messages   int // all of their code in fences
	Text       int // their lines of text
	TextAsCode int // of these, taken for code
	Blocks     int // that were left bare in a message whose other blocks are fenced
	Found      int // of these, with all of their lines, and no line of text taken for code
}

// Add counts a document: once with all of its code in fences, and for each of its blocks, if it has several, with that
// one left bare. label says of the lines of a text whether they are code.
func (c *FenceCounts) Add(text string, labels []string, label func(string) []bool) {
	blocks := Blocks(labels)
	if len(blocks) == 0 {
		return
	}
	lines, asCode, _ := wrong(text, labels, blocks, [2]int{-1, -1}, label)
	c.Messages++
	c.Text += lines
	c.TextAsCode += asCode
	if len(blocks) < 2 {
		return
	}
	for i, bare := range blocks {
		_, asCode, missed := wrong(text, labels, slices.Delete(slices.Clone(blocks), i, i+1), bare, label)
		c.Blocks++
		c.Found += count(missed == 0 && asCode == 0)
	}
}

// wrong labels a text with some blocks in fences, and counts its lines of text, those taken for code, and the lines of the
// block left bare that are taken for text.
func wrong(text string, labels []string, fenced [][2]int, bare [2]int, label func(string) []bool) (lines, asCode, missed int) {
	marked, number := Fence(text, fenced)
	for i, code := range label(marked) {
		n := number[i]
		switch {
		case n < 0:
		case labels[n] == corpus.Text:
			lines++
			if code {
				asCode++
			}
		case labels[n] == corpus.Code && bare[0] <= n && n <= bare[1] && !code:
			missed++
		}
	}
	return lines, asCode, missed
}
