package builder

import (
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// unknown is the language of code without a usable tag.
const unknown = "unknown"

// document collects labelled lines.
type document struct{ lines, labels, langs []string }

// text adds lines of prose.
func (d *document) text(s string) { d.add(s, corpus.Text, "") }

// code adds lines of code in a language; those that are blank in between keep it.
func (d *document) code(s, language string) { d.add(s, corpus.Code, language) }

func (d *document) add(s, label, language string) {
	for _, line := range strings.Split(s, "\n") {
		of := label
		if blank(line) {
			of = corpus.Blank
		}
		d.lines, d.labels, d.langs = append(d.lines, strings.TrimRight(line, " \t")), append(d.labels, of), append(d.langs, language)
	}
}

// record is a record of the lines.
func (d *document) record(kind, repository string) corpus.Document {
	r := corpus.Document{Kind: kind, Source: repository, Text: strings.Join(d.lines, "\n"), Labels: d.labels}
	if slices.Contains(d.labels, corpus.Code) {
		r.Langs = d.langs
	}
	return r
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }
