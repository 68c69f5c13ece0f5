package language

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// appendSegmented appends the segments of text to dst as the contract's
// SegmentedTechnicalLanguage. Package wire has its types; going through them would
// cost an allocation or two a segment on the hot path.
func appendSegmented(dst []byte, text string, segments []segment.Classified, classify bool, minConfidence float64) []byte {
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
		// The request's JSON was valid UTF-8, so nothing here can fail.
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
