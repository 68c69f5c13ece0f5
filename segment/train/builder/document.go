package builder

import (
	"math/rand/v2"
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

// gap adds a blank line.
func (d *document) gap() { d.add("", corpus.Blank, "") }

// record is a record of the lines.
func (d *document) record(kind, repository string) corpus.Document {
	r := corpus.Document{Kind: kind, Source: repository, Text: strings.Join(d.lines, "\n"), Labels: d.labels}
	if slices.Contains(d.labels, corpus.Code) {
		r.Langs = d.langs
	}
	return r
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }

// kinds are the kinds of composed documents by the label of their code; that of all others is prose+code.
var kinds = map[string]string{
	"shell": "prose+shell", "console": "prose+shell", "powershell": "prose+shell", "batch": "prose+shell",
	"json": "prose+config", "yaml": "prose+config", "toml": "prose+config", "ini": "prose+config", "properties": "prose+config",
	"nginx": "prose+config", "apache": "prose+config", "caddyfile": "prose+config", "dockerfile": "prose+config", "hcl": "prose+config",
	"diff": "prose+diff",
	"log":  "prose+log", "stacktrace": "prose+log",
	"output": "prose+output", "csv": "prose+output", "http": "prose+output",
}

// compose makes documents of prose and code that do not belong together, one for each snippet in four of at most twenty
// lines. Documents of a repository are shared by few; these teach that any code can follow any words.
func compose(documents []corpus.Document, snippets []corpus.Snippet, rng *rand.Rand) []corpus.Document {
	prose := slices.DeleteFunc(slices.Clone(documents), func(d corpus.Document) bool { return d.Kind != "pure-text" })
	if len(prose) == 0 {
		return nil
	}
	var all []corpus.Document
	for _, s := range snippets {
		if rng.IntN(4) != 0 || strings.Count(s.Text, "\n") >= 20 {
			continue
		}
		words := prose[rng.IntN(len(prose))]
		before, after, _ := strings.Cut(words.Text, "\n\n")
		var d document
		d.text(before)
		d.gap()
		d.code(s.Text, s.Lang)
		if after != "" && rng.IntN(2) == 0 {
			d.gap()
			d.text(after)
		}
		r := d.record("prose+code", s.Source)
		if kind, ok := kinds[s.Lang]; ok {
			r.Kind = kind
		}
		r.Prose, r.Synthetic = words.Source, true
		all = append(all, r)
	}
	return all
}
