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
	c.Messages++
	for i, code := range labelFenced(text, blocks, label) {
		c.Text += count(labels[i] == corpus.Text)
		c.TextAsCode += count(labels[i] == corpus.Text && code)
	}
	if len(blocks) < 2 {
		return
	}
	for k, bare := range blocks {
		found := true
		for i, code := range labelFenced(text, slices.Delete(slices.Clone(blocks), k, k+1), label) {
			missed := labels[i] == corpus.Code && bare[0] <= i && i <= bare[1] && !code
			found = found && !missed && (labels[i] != corpus.Text || !code)
		}
		c.Blocks++
		c.Found += count(found)
	}
}

// labelFenced labels the lines of a text when some blocks of it are in fences, whose lines it leaves out.
func labelFenced(text string, blocks [][2]int, label func(string) []bool) []bool {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	var lines []string
	var fences []bool // of lines
	add := func(line string, isFence bool) { lines, fences = append(lines, line), append(fences, isFence) }
	for i, line := range strings.Split(text, "\n") {
		if slices.ContainsFunc(blocks, func(b [2]int) bool { return b[0] == i }) {
			add(fence, true)
		}
		add(line, false)
		if slices.ContainsFunc(blocks, func(b [2]int) bool { return b[1] == i }) {
			add(fence, true)
		}
	}
	var code []bool
	for i, is := range label(strings.Join(lines, "\n")) {
		if !fences[i] {
			code = append(code, is)
		}
	}
	return code
}
