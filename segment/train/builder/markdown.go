package builder

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/markdown"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
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

// The lines of a piece of Markdown.
const (
	fewest  = 3
	longest = 80
)

// heading finds where a section begins, or what looks like it in code.
var heading = regexp.MustCompile(`(?m)^#{1,3} `)

func scan(source string) markdown.Document {
	var s markdown.Scanner
	doc, _ := s.Scan(context.Background(), source) // fails only if its context ends
	return doc
}

// pieces cuts Markdown at its headings, into parts of a bearable length. Front matter is left out.
func pieces(source string) []string {
	if rest, ok := strings.CutPrefix(source, "---\n"); ok {
		if _, body, ok := strings.Cut(rest, "\n---\n"); ok {
			source = body
		}
	}
	doc := scan(source)
	var all []string
	start := 0
	for _, at := range append(heading.FindAllStringIndex(source, -1), []int{len(source)}) {
		if slices.ContainsFunc(doc.Blocks, func(b markdown.Block) bool { return b.OuterStart <= at[0] && at[0] < b.OuterEnd }) {
			continue
		}
		piece := strings.Trim(source[start:at[0]], "\n")
		if n := strings.Count(piece, "\n") + 1; n >= fewest && n <= longest {
			all = append(all, piece)
		}
		start = at[0]
	}
	return all
}

var (
	prompt = regexp.MustCompile(`(?m)^\s*[$#%>] \S`)
	tag    = regexp.MustCompile(`(?m)^\s*</?[A-Za-z!]`)
)

// languageOf is the label of a block by its info string. It tells apart what one tag stands for: a session from a script, and
// what has elements of JSX from what has none.
func languageOf(info, code string) string {
	language := segment.LanguageOf(info)
	if language == segment.UnknownLanguage {
		return unknown
	}
	label := language.String()
	if label == "shell" && prompt.MatchString(code) {
		return "console"
	}
	if with, ok := map[string]string{"javascript": "jsx", "typescript": "tsx"}[label]; ok {
		return classification.ByElements(code, with)
	}
	return label
}

// markdownRecords are a document of a piece of Markdown, without its fences, and its tagged code blocks. There is none if
// the piece holds what would leave doubts about a label: HTML, a fence that is not closed, an indented block that may be
// prose.
func markdownRecords(piece string, s source, r Repository) (documents []corpus.Document, tagged []corpus.Snippet) {
	doc := scan(piece)
	var d document
	prose := func(text string) bool {
		if text != "" {
			d.text(strings.TrimSuffix(text, "\n"))
		}
		return !tag.MatchString(text)
	}
	at := 0
	for _, b := range doc.Blocks {
		code := strings.TrimRight(string(b.Prefix.AppendContent(nil, piece, b.Kind, b.Start, b.End)), "\n")
		switch {
		case !prose(piece[at:b.OuterStart]), blank(code), b.Kind == markdown.HTML, b.Kind == markdown.Fenced && !b.Closed,
			b.Kind == markdown.Indented && !strings.ContainsAny(code, "(){}[]=;<>$/"):
			return nil, nil
		}
		at = b.OuterEnd
		language := languageOf(piece[b.InfoStart:b.InfoEnd], code)
		d.code(strings.TrimSuffix(piece[b.Start:b.End], "\n"), language)
		if language != unknown && corpus.Informative(code) && (language != "console" || prompt.MatchString(code)) {
			tagged = append(tagged, corpus.Snippet{Text: code, Lang: language, Source: r.Name, Origin: "fence"})
		}
	}
	if !prose(piece[at:]) {
		return nil, nil
	}
	kind := "md-raw"
	if !slices.Contains(d.labels, corpus.Code) {
		kind = "pure-text"
	} else if strings.HasPrefix(strings.ToLower(path.Base(s.path)), "readme") {
		kind = "readme"
	}
	return []corpus.Document{d.record(kind, r.Name)}, tagged
}
