package persona

import "slices"

// DefaultLimit is the number of seeds of a selection unless configured.
const DefaultLimit = 12

// Selection is what the generator chose for a request.
type Selection struct {
	Languages []*Language // understood from the request; empty: none named
	Personas  []*Persona  // understood from the request; empty: none named
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

// encodedSeed is a seed's JSON, but for what depends on the request:
// head, application, middle, the persona's explanation, tail.
type encodedSeed struct {
	middle []byte
	why    map[string][]byte // by persona id
}

const (
	selectionHead = `{"seeds":{"iterable":[`
	selectionTail = `]}}`
	seedHead      = `{"type":"SEEDED_ASSET","asset":{"application":`
	seedTail      = `]},"demo":true}}`
)

// AppendJSON appends the selection as the interface's OnboardedPersonaDetails.
func (s Selection) AppendJSON(dst []byte, application Application) []byte {
	var buffer [256]byte
	block := application.appendJSON(buffer[:0])
	dst = append(dst, selectionHead...)
	for i, seed := range s.Seeds {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, seedHead...)
		dst = append(dst, block...)
		dst = append(dst, seed.encoded.middle...)
		if seed.Persona != nil {
			dst = append(dst, seed.encoded.why[seed.Persona.ID]...)
		}
		dst = append(dst, seedTail...)
	}
	return append(dst, selectionTail...)
}

// encodeSeed encodes a snippet once, when its catalogue is loaded. The name
// ends with the language, because a selection may show a task in two of them.
func encodeSeed(s *Snippet) encodedSeed {
	ext := appendQuoted(nil, s.Language.Ext)
	b := append([]byte(nil), `,"format":{"fragment":{"string":{"raw":`...)
	b = appendQuoted(b, s.Code)
	b = append(b, `},"metadata":{"ext":`...)
	b = append(b, ext...)
	b = append(b, `}},"classification":{"generic":"CODE","specific":`...)
	b = append(b, ext...)
	b = append(b, `}},"metadata":{"name":`...)
	b = appendQuoted(b, s.Name())
	b = append(b, `,"tags":[`...)
	for i, tag := range s.tags() {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"text":`...)
		b = appendQuoted(b, tag)
		b = append(b, '}')
	}
	b = append(b, ']')
	if links := s.Links(); len(links) > 0 {
		b = append(b, `,"websites":[`...)
		for i, link := range links {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, `{"url":`...)
			b = appendQuoted(b, link.URL)
			b = append(b, `,"name":`...)
			b = appendQuoted(b, link.Name)
			b = append(b, '}')
		}
		b = append(b, ']')
	}
	b = append(b, `,"annotations":[{"type":"DESCRIPTION","text":`...)
	b = appendQuoted(b, s.Task.Description)
	b = append(b, '}')

	why := map[string][]byte{}
	for _, audience := range s.Task.Audience {
		if audience.Why == "" {
			continue
		}
		text := append([]byte(nil), `,{"type":"EXPLANATION","text":`...)
		text = append(appendQuoted(text, audience.Why), '}')
		for persona := range audience.Personas {
			why[persona] = text
		}
	}
	return encodedSeed{middle: b, why: why}
}

// Name is the snippet's title with its language: "Binary search (Go)".
func (s *Snippet) Name() string { return s.Title + " (" + s.Language.Name + ")" }

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

// tags returns the task's tags, its level and the language.
func (s *Snippet) tags() []string {
	tags := append([]string(nil), s.Task.Tags...)
	for _, more := range []string{string(s.Task.Level), s.Language.ID} {
		if !slices.Contains(tags, more) {
			tags = append(tags, more)
		}
	}
	return tags
}
