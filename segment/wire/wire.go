// Package wire writes segments as the JSON of the published interface,
// SegmentedTechnicalLanguage. The segmentation endpoint and the command segment
// both do it with this package.
package wire

import (
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// Options say what is written of the language of code.
type Options struct {
	// Classify names the language in the closed set ClassificationSpecific.
	Classify bool
	// MinConfidence, 0 to 1: less certain languages are UNKNOWN.
	MinConfidence float64
	// Confidence adds a member that the published interface does not have: the
	// language's name for people and how certain it is, whatever MinConfidence.
	Confidence bool
}

// Append appends the segments of text to dst as SegmentedTechnicalLanguage.
//
// It writes the JSON itself, which takes a fraction of what encoding a type does:
// see BenchmarkAppend beside the type, in caddymodule/internal/contract.
func Append(dst []byte, text string, segments []segment.Classified, o Options) []byte {
	dst = append(dst, `{"iterable":[`...)
	for i, s := range segments {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"generic":"`...)
		dst = append(dst, s.Kind.String()...)
		dst = append(dst, '"')
		specific := ""
		if o.Classify && s.Kind == segment.Code {
			specific = s.AtLeast(o.MinConfidence).Specific()
			dst = append(dst, `,"specific":"`...)
			dst = append(dst, specific...)
			dst = append(dst, '"')
			if o.Confidence {
				dst = appendLanguage(dst, s.Guess)
			}
		}
		dst = append(dst, `,"fragment":{"string":{"raw":`...)
		// What is not UTF-8 becomes U+FFFD.
		dst, _ = jsontext.AppendQuote(dst, s.Content(text))
		dst = append(dst, '}')
		if specific != "" {
			dst = append(dst, `,"metadata":{"ext":"`...)
			dst = append(dst, specific...)
			dst = append(dst, `"}`...)
		}
		dst = append(dst, "}}"...)
	}
	return append(dst, "]}"...)
}

func appendLanguage(dst []byte, guess segment.Guess) []byte {
	dst = append(dst, `,"language":{"name":`...)
	dst, _ = jsontext.AppendQuote(dst, guess.Language.Name())
	dst = append(dst, `,"confidence":`...)
	dst = strconv.AppendFloat(dst, math.Round(guess.Confidence*1e4)/1e4, 'f', -1, 64)
	return append(dst, '}')
}
