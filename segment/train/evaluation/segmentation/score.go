// Package segmentation measures how well the lines of messages are split into text and code.
package segmentation

import (
	"fmt"
	"maps"
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation"
)

// Counts are the sums that the figures of a slice are made of. Blank and undecided lines count nowhere.
//
// A boundary is a line whose label differs from that of the line before it; the first line of a document is none. A boundary is
// found if the prediction has a boundary at the same line, in the same direction. A document is exact if all its lines are right.
type Counts struct {
	Documents, Exact       int
	Lines, Right           int
	Found, Missed, Added   int // boundaries
	TextAsCode, CodeAsText int // lines
}

// Add counts a document. labels are those of the corpus; code says of every line whether it was found to be code.
func (c *Counts) Add(labels []string, code []bool) {
	right, lines := 0, 0
	var before, was bool
	for i, label := range labels {
		if label == corpus.Blank || label == Undecided {
			continue
		}
		want, got := label == corpus.Code, code[i]
		switch {
		case want == got:
			right++
		case want:
			c.CodeAsText++
		default:
			c.TextAsCode++
		}
		edge, found := lines > 0 && want != before, lines > 0 && got != was
		if edge && found && want == got {
			c.Found++
		} else {
			c.Missed += count(edge)
			c.Added += count(found)
		}
		lines++
		before, was = want, got
	}
	c.Documents++
	c.Lines += lines
	c.Right += right
	c.Exact += count(right == lines)
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// Line is the percentage of lines with the right label.
func (c *Counts) Line() float64 { return 100 * float64(c.Right) / float64(max(c.Lines, 1)) }

// ExactDocuments is the percentage of documents without a wrong line.
func (c *Counts) ExactDocuments() float64 {
	return 100 * float64(c.Exact) / float64(max(c.Documents, 1))
}

// Boundary is the F1 of boundaries; false if the truth has none.
func (c *Counts) Boundary() (f1 float64, ok bool) {
	return 100 * 2 * float64(c.Found) / float64(max(2*c.Found+c.Missed+c.Added, 1)), c.Found+c.Missed > 0
}

// Table holds counts by slice, and those of all documents together.
type Table struct {
	slices map[string]*Counts
	all    Counts
}

// Add counts a document of a slice, see [Counts.Add].
func (t *Table) Add(slice string, labels []string, code []bool) {
	if t.slices == nil {
		t.slices = map[string]*Counts{}
	}
	if t.slices[slice] == nil {
		t.slices[slice] = new(Counts)
	}
	t.slices[slice].Add(labels, code)
	t.all.Add(labels, code)
}

// Titled is the table to read: the slices in the order of their names, and all documents last; "" if there are none.
func (t *Table) Titled(title string) string {
	if t.all.Documents == 0 {
		return ""
	}
	rows := []string{"slice\tdocuments\tlines\tline %\tboundary F1\texact %\ttext as code\tcode as text"}
	row := func(name string, c *Counts) {
		boundary := "-"
		if f1, ok := c.Boundary(); ok {
			boundary = fmt.Sprintf("%.1f", f1)
		}
		rows = append(rows, fmt.Sprintf("%s\t%d\t%d\t%.2f\t%s\t%.1f\t%d\t%d", name, c.Documents, c.Lines, c.Line(), boundary, c.ExactDocuments(), c.TextAsCode, c.CodeAsText))
	}
	for _, name := range slices.Sorted(maps.Keys(t.slices)) {
		row(name, t.slices[name])
	}
	row("all", &t.all)
	return title + "\n\n" + evaluation.Table(rows) + "\n"
}
