package persona

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Selection is what [Catalogue.Generate] chose for a request.
type Selection struct {
	Languages []*Language // understood from the request; empty: none named
	Personas  []*Persona  // understood from the request; empty: none named
	Products  []*Product  // named in the request
	Unknown   []Unknown   // named in the request, but not understood
	UseCases  []UseCase   // what somebody wants to do
	Unused    []string    // languages and products that somebody has already, and wants others
	Absent    []string    // languages that were named and that no seed is in
	LeftOut   []string    // languages and products that somebody does not want
	Versions  []string    // named with a language or product: "Angular 15"
	Seeds     []Seed      // in the order of presentation
	CodeOnly  bool        // AppendMarkdown leaves out how the code is used
}

// Seed is a snippet, chosen for a persona.
type Seed struct {
	*Snippet
	Persona *Persona // nil: for anybody
}

// Why says why the seed helps its persona, in a sentence; it may be empty.
func (s Seed) Why() string {
	if s.Persona == nil {
		return ""
	}
	if a := s.Task.audienceOf(s.Persona); a != nil {
		return cmp.Or(s.Reason, a.Why)
	}
	return ""
}

// Name is the snippet's title with what it is about, or else its language: "Count related rows (Django)", "Binary search (Go)".
func (s *Snippet) Name() string { return s.Title + " (" + s.subject() + ")" }

func (s *Snippet) subject() string {
	if len(s.About) > 0 {
		return s.About[0].Name
	}
	return s.Language.Name
}

// Requirement tells what the snippet runs on, the oldest version or a system, and what it has to be put into, in up to two
// sentences; empty: it runs on any version that is in use.
func (s *Snippet) Requirement() string {
	var sentences []string
	if endsInVersion.MatchString(s.Needs) {
		sentences = append(sentences, "Needs "+s.Needs+" or later.")
	} else if s.Needs != "" {
		sentences = append(sentences, "Needs "+s.Needs+".")
	}
	if into := s.into(); into != "" {
		sentences = append(sentences, into)
	}
	return strings.Join(sentences, " ")
}

// endsInVersion matches "Go 1.26", "C++23" and "MATLAB R2021a", but no "GNU tar".
var endsInVersion = regexp.MustCompile(`\d[\w.]*\)?$`)

// Links returns the language's documentation and the task's website.
func (s *Snippet) Links() []Link {
	var links []Link
	if s.Doc != (Link{}) {
		links = append(links, s.Doc)
	}
	if s.Task.Website != nil && s.Task.Website.URL != s.Doc.URL {
		links = append(links, *s.Task.Website)
	}
	return links
}

// Tags returns names that people search for: what the snippet is about, its language, its level and the task's subjects.
func (s *Snippet) Tags() []string {
	var tags []string
	for _, p := range s.About {
		tags = append(tags, p.Name)
	}
	tags = append(tags, s.Language.Name, s.Task.Level.Name())
	for _, tag := range s.Task.Tags {
		if tag = strings.ReplaceAll(tag, "-", " "); tag != string(s.Task.Level) && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return tags
}
