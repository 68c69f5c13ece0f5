package contract_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/contract"
	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

// onboardedPersonaDetails is the response to a personification request.
type onboardedPersonaDetails struct {
	Seeds struct {
		Iterable []contract.Seed `json:"iterable"`
	} `json:"seeds"`
}

// decode reads a response strictly: no member but the contract's.
func decode[T any](t *testing.T, response []byte) T {
	t.Helper()
	var decoded T
	require.NoError(t, json.Unmarshal(response, &decoded, json.RejectUnknownMembers(true)), "%s", response)
	return decoded
}

func generate(t testing.TB, limit int, languages, personas []string) persona.Selection {
	t.Helper()
	selection, err := persona.Default().Generate(persona.Request{Languages: languages, Personas: personas}, limit)
	require.NoError(t, err)
	return selection
}

func TestASelectionIsOnboardedPersonaDetails(t *testing.T) {
	selection := generate(t, 4, []string{"Go"}, []string{"SRE"})
	require.Len(t, selection.Seeds, 4)
	writer := new(contract.SelectionWriter)
	require.NotContains(t, string(writer.Append(nil, generate(t, 1, []string{"Go"}, nil), false)), "EXPLANATION", "one for anybody has none")
	for _, name := range []string{"the first time", "from memory"} {
		t.Run(name, func(t *testing.T) {
			response := writer.Append([]byte("before"), selection, false)
			details := decode[onboardedPersonaDetails](t, []byte(strings.TrimPrefix(string(response), "before")))
			require.Len(t, details.Seeds.Iterable, 4)
			for i, seed := range details.Seeds.Iterable {
				want := selection.Seeds[i]
				require.Equal(t, "SEEDED_ASSET", seed.Type)
				require.Equal(t, contract.Application{ID: "caddy-identity-gateway", Name: "OPEN_SOURCE", Version: "1.0.0", Platform: "WEB", Privacy: "OPEN"}, seed.Asset.Application)
				format := seed.Asset.Format
				require.Equal(t, want.WithUsage(), format.Fragment.String.Raw)
				require.Equal(t, []string{"go", "CODE", "go"}, []string{format.Fragment.Metadata.Ext, format.Classification.Generic, format.Classification.Specific})
				require.Equal(t, want.Title+" (Go)", seed.Asset.Metadata.Name)
				require.Equal(t, contract.Website{URL: want.Doc.URL, Name: want.Doc.Name}, seed.Asset.Metadata.Websites[0])
				annotations := []contract.Annotation{{Type: "DESCRIPTION", Text: want.Description}}
				if want.Needs != "" {
					annotations = append(annotations, contract.Annotation{Type: "COMMENT", Text: "Needs " + want.Needs + " or later."})
				}
				annotations = append(annotations, contract.Annotation{Type: "DOCUMENTATION", Text: want.Provenance()})
				require.Equal(t, append(annotations, contract.Annotation{Type: "EXPLANATION", Text: want.Why()}), seed.Asset.Metadata.Annotations)
				require.Contains(t, seed.Asset.Metadata.Tags, contract.Tag{Text: want.Task.Level.Name()})
				require.Equal(t, "RECOMMENDED", seed.Asset.Metadata.Mechanism)
				require.True(t, seed.Asset.Demo)
			}
		})
	}
}

// Clients store seeds for ever: what is said of a request stands apart.
func TestNotesStandApartFromTheSeeds(t *testing.T) {
	selection := generate(t, 2, []string{"Pythonista", "Ember"}, []string{"moon\twalker"})
	plain := new(contract.SelectionWriter).Append(nil, selection, false)
	decode[onboardedPersonaDetails](t, plain)
	explained := new(contract.SelectionWriter).Append(nil, selection, true)
	require.Equal(t, strings.TrimSuffix(string(plain), "}")+`,"notes":["Not understood: \"Pythonista\". Nearest: Python.","Not understood: \"moon walker\".",`+
		`"No snippet is about Ember.js yet: what follows is plain JavaScript."]}`, string(explained))
	understood := generate(t, 2, []string{"Go"}, nil)
	require.Equal(t, string(new(contract.SelectionWriter).Append(nil, understood, false)), string(new(contract.SelectionWriter).Append(nil, understood, true)))
}

func TestAnEmptySelectionIsAnEmptyList(t *testing.T) {
	require.Equal(t, `{"seeds":{"iterable":[]}}`, string(new(contract.SelectionWriter).Append(nil, persona.Selection{}, false)))
}

// What the writer puts together is what encoding the type as a whole would give.
func TestEverySnippetIsWrittenAsItsTypeIs(t *testing.T) {
	catalogue := persona.Default()
	var all persona.Selection
	for _, snippet := range catalogue.Snippets() {
		for _, p := range catalogue.Personas() {
			if slices.ContainsFunc(snippet.Task.Audience, func(a persona.Audience) bool { return a.Personas[p.ID] > 0 }) {
				all.Seeds = append(all.Seeds, persona.Seed{Snippet: snippet, Persona: p})
				break
			}
		}
	}
	writer := new(contract.SelectionWriter)
	values := closedSet(t)
	for _, all.CodeOnly = range []bool{false, true, false} {
		response := writer.Append(nil, all, false)
		details := decode[onboardedPersonaDetails](t, response)
		require.Len(t, details.Seeds.Iterable, len(all.Seeds))
		for i, seed := range details.Seeds.Iterable {
			require.Contains(t, values, seed.Asset.Format.Classification.Specific, all.Seeds[i].Path)
			want := all.Seeds[i].WithUsage()
			if all.CodeOnly {
				want = all.Seeds[i].Code
			}
			require.Equal(t, want, seed.Asset.Format.Fragment.String.Raw)
		}
		again, err := json.Marshal(details)
		require.NoError(t, err)
		require.Equal(t, string(again), string(response))
	}
}

func TestASeedWithoutLinksHasNoWebsites(t *testing.T) {
	catalogue, err := persona.Load(nil, fstest.MapFS{
		"languages.toml":       {Data: []byte("[[language]]\nid = \"zig\"\nname = \"Zig\"\next = \"zig\"\nfile = \"zig\"\n")},
		"tasks/plot/task.toml": {Data: []byte("title = \"Plot\"\ndescription = \"From here to there.\"\ntags = [\"sea\"]\nlevel = \"beginner\"\n")},
		"tasks/plot/zig.zig":   {Data: []byte("const a = 1;\n")},
	})
	require.NoError(t, err)
	selection, err := catalogue.Generate(persona.Request{}, 1)
	require.NoError(t, err)
	require.Equal(t, `{"seeds":{"iterable":[{"type":"SEEDED_ASSET","asset":{"application":`+
		`{"id":"caddy-identity-gateway","name":"OPEN_SOURCE","version":"1.0.0","platform":"WEB","onboarded":false,"privacy":"OPEN"},`+
		`"format":{"fragment":{"string":{"raw":"const a = 1;"},"metadata":{"ext":"zig"}},"classification":{"generic":"CODE","specific":"zig"}},`+
		`"metadata":{"name":"Plot (Zig)","mechanism":"RECOMMENDED","tags":[{"text":"Zig"},{"text":"first steps"},{"text":"sea"}],"annotations":[{"type":"DESCRIPTION","text":"From here to there."},{"type":"DOCUMENTATION","text":"plot/zig, version ded4f52219b9"}]},`+
		`"demo":true}}]}}`,
		string(new(contract.SelectionWriter).Append(nil, selection, false)))
}

func TestDecodeRequest(t *testing.T) {
	for body, want := range map[string]persona.Request{
		``:                        {},
		`{}`:                      {},
		`{"languages":["Go"]}`:    {Languages: []string{"Go"}},
		`{"personas":["SRE",""]}`: {Personas: []string{"SRE", ""}},
		`{"schema":{"migration":0,"semantic":"UNKNOWN"},"languages":[],"personas":[]}`: {Languages: []string{}, Personas: []string{}},
	} {
		got, err := contract.DecodeRequest([]byte(body))
		require.NoError(t, err, body)
		require.Equal(t, want, got, body)
	}
}

func BenchmarkSelectionWriter(b *testing.B) {
	selection := generate(b, persona.DefaultLimit, []string{"Go", "Python"}, []string{"Backend Developer", "SRE"})
	b.Run("first time", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			new(contract.SelectionWriter).Append(nil, selection, false)
		}
	})
	b.Run("from memory", func(b *testing.B) {
		writer := new(contract.SelectionWriter)
		var response []byte
		b.ReportAllocs()
		for b.Loop() {
			response = writer.Append(response[:0], selection, false)
		}
	})
}
