package contract

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// UnsegmentedTechnicalLanguage is the body of a segmentation request.
type UnsegmentedTechnicalLanguage struct {
	Schema *EmbeddedModelSchema `json:"schema,omitzero"`
	// Value is the message, UTF-8. It is required: nil means that the body
	// was an object without it.
	Value *string `json:"value"`
}

// SegmentedTechnicalLanguage is the response to a segmentation request.
type SegmentedTechnicalLanguage struct {
	Schema   *EmbeddedModelSchema                 `json:"schema,omitzero"`
	Iterable []SegmentedTechnicalLanguageFragment `json:"iterable"`
}

// SegmentedTechnicalLanguageFragment is one run of text or code of the message.
type SegmentedTechnicalLanguageFragment struct {
	Schema  *EmbeddedModelSchema `json:"schema,omitzero"`
	Generic Generic              `json:"generic"`
	// Specific is the language of code, if the request asked to classify.
	Specific ClassificationSpecific `json:"specific,omitzero"`
	Fragment FragmentFormat         `json:"fragment"`
}

// DecodeMessage returns the message of a segmentation request. The body is
// optional: without one the message is empty.
func DecodeMessage(body []byte) (string, error) {
	if len(body) == 0 {
		return "", nil
	}
	request, err := Decode[UnsegmentedTechnicalLanguage](body)
	if err != nil {
		return "", err
	}
	if request.Value == nil {
		return "", errors.New("the member value, the message as a string, is missing")
	}
	return *request.Value, nil
}

// DecodeText returns the message of a segmentation request whose body is the
// message itself. As in JSON, it must be UTF-8.
func DecodeText(body []byte) (string, error) {
	for at := 0; at < len(body); {
		r, size := utf8.DecodeRune(body[at:])
		if r == utf8.RuneError && size == 1 {
			return "", fmt.Errorf("the body is not UTF-8 (at byte %d)", at)
		}
		at += size
	}
	return string(body), nil
}

// AppendSegmented appends the segments of text to dst as
// [SegmentedTechnicalLanguage]. With classify it names the language of code, or
// UNKNOWN below minConfidence (0 to 1).
//
// It does not go through the type, which takes several times as long:
// see BenchmarkAppendSegmented.
func AppendSegmented(dst []byte, text string, segments []segment.Classified, classify bool, minConfidence float64) []byte {
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
