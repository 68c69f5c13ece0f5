// Package wire writes segments as the JSON of the published interface,
// SegmentedTechnicalLanguage. The segmentation endpoint and the command segment
// both do it with this package.
package wire

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// Append appends the segments of text to dst as SegmentedTechnicalLanguage. With
// classify it names the language of code, or UNKNOWN below minConfidence (0 to 1).
//
// It writes the JSON itself, which takes a fraction of what encoding a type does:
// see BenchmarkAppend beside the type, in caddymodule/internal/contract.
func Append(dst []byte, text string, segments []segment.Classified, classify bool, minConfidence float64) []byte {
	dst = append(dst, `{"iterable":[`...)
	for i, s := range segments {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"generic":"`...)
		dst = append(dst, s.Kind.String()...)
		dst = append(dst, '"')
		specific := ""
		if classify && s.Kind == segment.Code {
			specific = s.AtLeast(minConfidence).Specific()
			dst = append(dst, `,"specific":"`...)
			dst = append(dst, specific...)
			dst = append(dst, '"')
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
