package contract

import (
	"context"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// UnsegmentedTechnicalLanguage is the body of a segmentation request.
type UnsegmentedTechnicalLanguage struct {
	Schema *EmbeddedModelSchema `json:"schema,omitzero"`
	// Value is the message, UTF-8. It is required: nil means that the body was an object without it.
	Value *string `json:"value,case:ignore"`
}

// DecodeMessage returns the message of a segmentation request. The body is optional: without one the message is empty.
func DecodeMessage(body []byte) (string, error) {
	if len(body) == 0 {
		return "", nil
	}
	request, err := Decode[UnsegmentedTechnicalLanguage](body)
	if err != nil {
		return "", err
	}
	if request.Value == nil {
		return "", invalid("the message is missing", "the member value, the message as a string, is missing")
	}
	return *request.Value, nil
}

// DecodeText returns the message of a segmentation request whose body is the message itself. As in JSON, it must be UTF-8.
func DecodeText(body []byte) (string, error) {
	for at := 0; at < len(body); {
		r, size := utf8.DecodeRune(body[at:])
		if r == utf8.RuneError && size == 1 {
			return "", invalid("the body is not UTF-8", "the body is not UTF-8 (at byte %d)", at)
		}
		at += size
	}
	return string(body), nil
}

// Segments are the segments of a message, with the languages of code if they are asked for.
func Segments(ctx context.Context, segmenter *segment.Segmenter, text string, classify bool) ([]segment.Classified, error) {
	if classify {
		return segmenter.AppendClassified(ctx, nil, text)
	}
	segments, err := segmenter.AppendSegments(ctx, nil, text)
	return segment.Unclassified(segments), err
}

// SegmentOptions say what is written of the language of code.
type SegmentOptions struct {
	// Classify names the language in the closed set ClassificationSpecific.
	Classify bool
	// MinConfidence, 0 to 1: less certain languages are UNKNOWN.
	MinConfidence float64
	// Confidence adds a member that the published interface does not have: the language's name for people and how certain it is,
	// whatever MinConfidence.
	Confidence bool
}

// AppendSegments appends the segments of text to dst as SegmentedTechnicalLanguage. It writes the JSON itself, which takes a
// fraction of what encoding a type does: see BenchmarkAppendSegments.
func AppendSegments(dst []byte, text string, segments []segment.Classified, o SegmentOptions) []byte {
	dst = append(dst, `{"iterable":[`...)
	for i, s := range segments {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, `{"generic":"`...), s.Kind.String()...), '"')
		specific := ""
		if o.Classify && s.Kind == segment.Code {
			specific = s.AtLeast(o.MinConfidence).Specific()
			dst = append(append(append(dst, `,"specific":"`...), specific...), '"')
			if o.Confidence {
				dst = appendLanguage(dst, s.Guess)
			}
		}
		dst = append(dst, `,"fragment":{"string":{"raw":`...)
		// What is not UTF-8 becomes U+FFFD.
		dst, _ = jsontext.AppendQuote(dst, s.Content(text))
		dst = append(dst, '}')
		if specific != "" {
			dst = append(append(append(dst, `,"metadata":{"ext":"`...), specific...), `"}`...)
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
