package persona

import "slices"

// DefaultLimit is the number of seeds of a selection unless configured.
const DefaultLimit = 12

// Selection is what [Catalogue.Generate] chose for a request.
type Selection struct {
	Languages []*Language // understood from the request; empty: none named
	Personas  []*Persona  // understood from the request; empty: none named
	Products  []*Product  // named in the request, and shown in Languages or to Personas
	Unknown   []Unknown   // named in the request, but not understood
	Seeds     []Seed      // in the order of presentation
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
		return a.Why
	}
	return ""
}

// Name is the snippet's title with its language: "Binary search (Go)".
func (s *Snippet) Name() string { return s.Title + " (" + s.Language.Name + ")" }

// Requirement tells the oldest version that the snippet runs on, as a sentence;
// empty: any that is in use.
func (s *Snippet) Requirement() string {
	if s.Needs == "" {
		return ""
	}
	return "Needs " + s.Needs + " or later."
}

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

// Tags returns the task's tags, its level and the language's id.
func (s *Snippet) Tags() []string {
	tags := append([]string(nil), s.Task.Tags...)
	for _, more := range []string{string(s.Task.Level), s.Language.ID} {
		if !slices.Contains(tags, more) {
			tags = append(tags, more)
		}
	}
	return tags
}
