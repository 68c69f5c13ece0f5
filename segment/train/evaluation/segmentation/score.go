// Package segmentation measures how well the lines of messages are split into text and code.
package segmentation

import (
	"fmt"
	"io"
	"sort"
	"text/tabwriter"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// Counts are the sums that the figures of a slice are made of. Blank and undecided lines count nowhere.
//
// A boundary is a line whose label differs from that of the line before it; the first line of a document is none. A
// boundary is found if the prediction has a boundary at the same line, in the same direction. A document is exact if all
// its lines are right.
type Counts struct {
	Documents, Exact       int
	Lines, Right           int
	Found, Missed, Added   int // boundaries
	TextAsCode, CodeAsText int // lines
}

// Add counts a document. labels are those of the corpus; code says of every line whether it was found to be code.
func (c *Counts) Add(labels []string, code []bool) {
	right := 0
	lines := 0
	first := true
	var before, was bool
	for i, label := range labels {
		if label == corpus.Blank || label == Undecided {
			continue
		}
		want, got := label == corpus.Code, code[i]
		lines++
		switch {
		case want == got:
			right++
		case want:
			c.CodeAsText++
		default:
			c.TextAsCode++
		}
		if !first {
			edge, found := want != before, got != was
			switch {
			case edge && found && want == got:
				c.Found++
			default:
				if edge {
					c.Missed++
				}
				if found {
					c.Added++
				}
			}
		}
		first, before, was = false, want, got
	}
	c.Documents++
	c.Lines += lines
	c.Right += right
	if right == lines {
		c.Exact++
	}
}

// Join adds the counts of d.
func (c *Counts) Join(d Counts) {
	c.Documents += d.Documents
	c.Exact += d.Exact
	c.Lines += d.Lines
	c.Right += d.Right
	c.Found += d.Found
	c.Missed += d.Missed
	c.Added += d.Added
	c.TextAsCode += d.TextAsCode
	c.CodeAsText += d.CodeAsText
}

// Figures are the figures of a slice; percentages of 0 to 100.
type Figures struct {
	Slice      string
	Documents  int
	Lines      int
	Line       float64  // lines with the right label
	Boundary   *float64 // F1 of boundaries; nil if the truth has none
	Exact      float64  // documents without a wrong line
	TextAsCode int
	CodeAsText int
}

// Figures are the figures of the counts.
func (c Counts) Figures(slice string) Figures {
	f := Figures{Slice: slice, Documents: c.Documents, Lines: c.Lines, TextAsCode: c.TextAsCode, CodeAsText: c.CodeAsText}
	if c.Lines > 0 {
		f.Line = 100 * float64(c.Right) / float64(c.Lines)
	}
	if c.Documents > 0 {
		f.Exact = 100 * float64(c.Exact) / float64(c.Documents)
	}
	if c.Found+c.Missed > 0 {
		f1 := 100 * 2 * float64(c.Found) / float64(2*c.Found+c.Missed+c.Added)
		f.Boundary = &f1
	}
	return f
}

// Table holds counts by slice.
type Table map[string]*Counts

// Slice gives the counts of a slice, made on first use.
func (t Table) Slice(name string) *Counts {
	c := t[name]
	if c == nil {
		c = &Counts{}
		t[name] = c
	}
	return c
}

// Figures are the figures of all slices in the order of their names, and of all documents together last.
func (t Table) Figures() []Figures {
	var names []string
	var all Counts
	for name, c := range t {
		names = append(names, name)
		all.Join(*c)
	}
	sort.Strings(names)
	var out []Figures
	for _, name := range names {
		out = append(out, t[name].Figures(name))
	}
	return append(out, all.Figures("all"))
}

// Print writes figures as a table to read.
func Print(w io.Writer, figures []Figures) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "slice\tdocuments\tlines\tline %\tboundary F1\texact %\ttext as code\tcode as text\t")
	for _, f := range figures {
		boundary := "-"
		if f.Boundary != nil {
			boundary = fmt.Sprintf("%.1f", *f.Boundary)
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%.2f\t%s\t%.1f\t%d\t%d\t\n", f.Slice, f.Documents, f.Lines, f.Line, boundary, f.Exact, f.TextAsCode, f.CodeAsText)
	}
	return t.Flush()
}
