package contract

import (
	"bytes"
	"cmp"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

// PreonboardedPersonaDetails is the body of a personification request.
type PreonboardedPersonaDetails struct {
	Schema *EmbeddedModelSchema `json:"schema,omitzero"`
	// Names. None of them may be nil, which stands for null.
	Languages []*string `json:"languages,omitzero,case:ignore"`
	Personas  []*string `json:"personas,omitzero,case:ignore"`
}

// DecodeRequest returns the languages and personas of a personification request.
// The body and each of its lists are optional.
func DecodeRequest(body []byte) (persona.Request, error) {
	if len(body) == 0 {
		return persona.Request{}, nil
	}
	details, err := Decode[PreonboardedPersonaDetails](body)
	if err != nil {
		return persona.Request{}, err
	}
	languages, err := names("languages", details.Languages)
	if err != nil {
		return persona.Request{}, err
	}
	personas, err := names("personas", details.Personas)
	return persona.Request{Languages: languages, Personas: personas}, err
}

// names is the list of a member of the request, without null in it.
func names(member string, list []*string) ([]string, error) {
	if list == nil {
		return nil, nil
	}
	all := make([]string, len(list))
	for i, name := range list {
		if name == nil {
			return nil, invalid(wrongType, "/%s/%d must be a string, not null", member, i)
		}
		all[i] = *name
	}
	return all, nil
}

// SelectionWriter writes selections from one catalogue as OnboardedPersonaDetails: {"seeds":{"iterable":[...]}}, a list of [Seed].
// It keeps the JSON of every snippet that it has written: BenchmarkSelectionWriter shows what that gains. It is safe for concurrent use.
type SelectionWriter struct {
	seeds sync.Map // seedKey to *encodedSeed
}

// seedKey is a snippet, with its usage or without.
type seedKey struct {
	snippet  *persona.Snippet
	codeOnly bool
}

// Append appends the selection to dst. The contract has no place for what concerns the
// whole of it: with explain, the member "notes" has it, a list of strings.
func (w *SelectionWriter) Append(dst []byte, selection persona.Selection, explain bool) []byte {
	dst = append(dst, `{"seeds":{"iterable":[`...)
	for i, seed := range selection.Seeds {
		if i > 0 {
			dst = append(dst, ',')
		}
		encoded := w.encoded(seedKey{seed.Snippet, selection.CodeOnly})
		dst = append(dst, encoded.start...)
		dst = append(dst, encoded.why[seed.Why()]...)
		dst = append(dst, seedEnd...)
	}
	dst = append(dst, `]}`...)
	if notes := selection.Notes(); explain && len(notes) > 0 {
		dst = append(append(dst, `,"notes":`...), encode(notes)...)
	}
	return append(dst, '}')
}

func (w *SelectionWriter) encoded(key seedKey) *encodedSeed {
	if encoded, ok := w.seeds.Load(key); ok {
		return encoded.(*encodedSeed)
	}
	encoded := encodeSeed(key)
	w.seeds.Store(key, encoded)
	return encoded
}

// encodedSeed is the JSON of a seed, but for seedEnd. What differs between
// personas is the last annotation, which says why the seed helps them.
type encodedSeed struct {
	start []byte
	why   map[string][]byte // the annotation and the comma before it, by its text
}

// seedEnd is what follows the last annotation of a seed.
const seedEnd = `]},"demo":true}}`

func encodeSeed(key seedKey) *encodedSeed {
	start, ok := bytes.CutSuffix(encode(newSeed(key)), []byte(seedEnd))
	if !ok {
		panic("contract: a seed does not end with its annotations")
	}
	encoded := &encodedSeed{start: start, why: make(map[string][]byte)}
	for _, audience := range key.snippet.Task.Audience {
		if why := cmp.Or(key.snippet.Reason, audience.Why); why != "" {
			encoded.why[why] = append([]byte{','}, encode(Annotation{Type: "EXPLANATION", Text: why})...)
		}
	}
	return encoded
}

// encode is the JSON of value; what is not UTF-8 becomes U+FFFD.
func encode(value any) []byte {
	encoded, err := json.Marshal(value, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		panic(fmt.Sprintf("contract: %v", err)) // the types have nothing that can't be encoded
	}
	return encoded
}

// newSeed is the seed of a snippet, for anybody. Its name ends with the language, because a selection may show a task in two of them.
func newSeed(key seedKey) (seed Seed) {
	s, asset := key.snippet, &seed.Asset
	seed.Type, asset.Application, asset.Demo = "SEEDED_ASSET", thisApplication, true
	format, metadata := &asset.Format, &asset.Metadata
	if format.Fragment.String.Raw = s.Code; !key.codeOnly {
		format.Fragment.String.Raw = s.WithUsage()
	}
	format.Fragment.Metadata.Ext = s.Form.Ext
	format.Classification.Generic, format.Classification.Specific = "CODE", s.Form.Ext
	metadata.Name, metadata.Mechanism = s.Name(), "RECOMMENDED"
	metadata.Annotations = []Annotation{{Type: "DESCRIPTION", Text: s.Description}}
	if requirement := s.Requirement(); requirement != "" {
		metadata.Annotations = append(metadata.Annotations, Annotation{Type: "COMMENT", Text: requirement})
	}
	metadata.Annotations = append(metadata.Annotations, Annotation{Type: "DOCUMENTATION", Text: s.Provenance()})
	for _, tag := range s.Tags() {
		metadata.Tags = append(metadata.Tags, Tag{Text: tag})
	}
	for _, link := range s.Links() {
		metadata.Websites = append(metadata.Websites, Website{URL: link.URL, Name: link.Name})
	}
	return seed
}
