package builder

import (
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// unknown is the language of code without a usable tag.
const unknown = "unknown"

// document collects labelled lines.
type document struct {
	lines, labels, langs []string
}

// text adds lines of prose.
func (d *document) text(s string) { d.add(s, corpus.Text, "") }

// code adds lines of code in a language; those that are blank in between keep it.
func (d *document) code(s, language string) { d.add(s, corpus.Code, language) }

func (d *document) add(s, label, language string) {
	for _, line := range strings.Split(s, "\n") {
		d.lines = append(d.lines, strings.TrimRight(line, " \t"))
		if blank(line) {
			d.labels = append(d.labels, corpus.Blank)
		} else {
			d.labels = append(d.labels, label)
		}
		d.langs = append(d.langs, language)
	}
}

// gap adds a blank line, unless there is one or nothing above.
func (d *document) gap() {
	if n := len(d.labels); n > 0 && d.labels[n-1] != corpus.Blank {
		d.add("", corpus.Blank, "")
	}
}

// record is r with the lines that fill adds, without blank lines at the end.
func record(r corpus.Document, fill func(*document)) corpus.Document {
	var d document
	fill(&d)
	n := len(d.lines)
	for n > 0 && d.labels[n-1] == corpus.Blank {
		n--
	}
	r.Text, r.Labels = strings.Join(d.lines[:n], "\n"), d.labels[:n]
	if slices.Contains(r.Labels, corpus.Code) {
		r.Langs = d.langs[:n]
	}
	return r
}
