package contract_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/contract"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/openapi"
	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

func classify(tb testing.TB, text string) []segment.Classified {
	tb.Helper()
	segments, err := segment.Default().AppendClassified(tb.Context(), nil, text)
	require.NoError(tb, err)
	return segments
}

// segmentedTechnicalLanguage is the response to a segmentation request, as the published interface has it but for Language.
type segmentedTechnicalLanguage struct {
	Iterable []segmentedFragment `json:"iterable"`
}

type segmentedFragment struct {
	Generic  string              `json:"generic"`
	Specific string              `json:"specific,omitzero"`
	Language *languageOfFragment `json:"language,omitzero"`
	Fragment struct {
		String struct {
			Raw string `json:"raw"`
		} `json:"string"`
		Metadata struct {
			Ext string `json:"ext"`
		} `json:"metadata,omitzero"`
	} `json:"fragment"`
}

type languageOfFragment struct {
	Name       string  `json:"name"`
	Confidence float64 `json:"confidence"`
}

// segmented is what contract.AppendSegments writes, as a type.
func segmented(text string, segments []segment.Classified, o contract.SegmentOptions) (response segmentedTechnicalLanguage) {
	for _, s := range segments {
		fragment := segmentedFragment{Generic: s.Kind.String()}
		fragment.Fragment.String.Raw = s.Content(text)
		if s.Kind == segment.Code && o.Classify {
			fragment.Specific = s.AtLeast(o.MinConfidence).Specific()
			fragment.Fragment.Metadata.Ext = fragment.Specific
			if o.Confidence {
				fragment.Language = &languageOfFragment{s.Language.Name(), math.Round(s.Confidence*1e4) / 1e4}
			}
		}
		response.Iterable = append(response.Iterable, fragment)
	}
	return response
}

const message = "Look, \"this\" <fails>:\n\n```go\nfmt.Println(\"\\u2028 é\")\n```\n\nand then\n\n    x = 1\n    print(x)\n\nNice, is it not? \x01 \u2028 😀\n"

func TestSegmentsAreWrittenAsTheirTypeIs(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":           "",
		"text":              "Just a sentence.",
		"text and code":     message,
		"fenced, untagged":  "```\nfor i in range(3):\n    print(i)\n```\n",
		"what is not UTF-8": "a \xff b\n\n```go\n\xfe\n```\n",
	} {
		segments := classify(t, text)
		for _, options := range []contract.SegmentOptions{
			{},
			{Classify: true},
			{Classify: true, Confidence: true},
			{Classify: true, Confidence: true, MinConfidence: 1.1},
			{Confidence: true},
		} {
			want, err := json.Marshal(segmented(text, segments, options), jsontext.AllowInvalidUTF8(true))
			require.NoError(t, err, name)
			got := contract.AppendSegments([]byte("before"), text, segments, options)
			require.Equal(t, "before"+string(want), string(got), "%s: %+v", name, options)
		}
	}
}

func TestDecodeMessage(t *testing.T) {
	for body, want := range map[string]string{
		``:             "",
		`{"value":""}`: "",
		` {"schema":{"migration":0,"semantic":"MAJOR_0_MINOR_0_PATCH_1"},"value":"a\u0000é","later":[]} `: "a\x00é",
	} {
		got, err := contract.DecodeMessage([]byte(body))
		require.NoError(t, err, body)
		require.Equal(t, want, got, body)
	}
}

// closedSet has the values of ClassificationSpecific: typed clients reject others.
func closedSet(tb testing.TB) []any {
	tb.Helper()
	document, err := openapi3.NewLoader().LoadFromData(openapi.Document())
	require.NoError(tb, err)
	return document.Components.Schemas["ClassificationSpecific"].Value.Enum
}

func TestEveryLanguageOfTheClassifierIsInTheContract(t *testing.T) {
	values := closedSet(t)
	for _, language := range append(segment.Languages(), segment.UnknownLanguage) {
		require.Contains(t, values, language.Specific())
	}
}

func FuzzSegmentation(f *testing.F) {
	for _, seed := range []string{"", message, "```go\n\xfe\n```\n", "<pre>x</pre>", "~~~\n```\n~~~\n"} {
		f.Add(seed, true)
	}
	values := closedSet(f)
	f.Fuzz(func(t *testing.T, text string, classified bool) {
		response := contract.AppendSegments(nil, text, classify(t, text), contract.SegmentOptions{Classify: classified})
		for _, fragment := range decode[segmentedTechnicalLanguage](t, response).Iterable {
			require.Equal(t, classified && fragment.Generic == "CODE", slices.Contains(values, any(fragment.Specific)))
		}
	})
}

func BenchmarkAppendSegments(b *testing.B) {
	text := strings.Repeat(message, 10)
	segments := classify(b, text)
	b.Run("writer", func(b *testing.B) {
		var response []byte
		b.ReportAllocs()
		for b.Loop() {
			response = contract.AppendSegments(response[:0], text, segments, contract.SegmentOptions{Classify: true})
		}
		b.SetBytes(int64(len(response)))
	})
	b.Run("type", func(b *testing.B) {
		var response []byte
		b.ReportAllocs()
		for b.Loop() {
			response, _ = json.Marshal(segmented(text, segments, contract.SegmentOptions{Classify: true}))
		}
		b.SetBytes(int64(len(response)))
	})
}
