package operation

import (
	"mime"
	"strconv"
	"strings"
)

// Format is the form of an answer.
type Format uint8

// The two forms. JSON is what clients get that have no preference.
const (
	JSON Format = iota
	Plain
)

const (
	mediaTypeJSON    = "application/json"
	mediaTypePlain   = "text/plain; charset=utf-8"
	mediaTypeProblem = "application/problem+json"
)

func (f Format) mediaType() string {
	if f == Plain {
		return mediaTypePlain
	}
	return mediaTypeJSON
}

// negotiate picks the format that the Accept fields prefer (RFC 9110 section
// 12.5.1). JSON wins a tie, and a client that accepts neither still gets JSON:
// the section allows to disregard the field, and the contract has no 406.
func negotiate(accept []string) Format {
	if len(accept) == 0 || len(accept) == 1 && (accept[0] == "*/*" || accept[0] == mediaTypeJSON) {
		return JSON
	}
	ranges := strings.Join(accept, ",")
	if quality(ranges, "text", "plain") > quality(ranges, "application", "json") {
		return Plain
	}
	return JSON
}

// quality is the weight, 0 to 1, that the most specific matching media range
// gives to mainType/subType.
func quality(ranges, mainType, subType string) float64 {
	weight, specificity := 0.0, -1
	for mediaRange := range strings.SplitSeq(ranges, ",") {
		name, parameters, err := mime.ParseMediaType(mediaRange)
		if err != nil {
			continue
		}
		rank := -1
		switch name {
		case mainType + "/" + subType:
			rank = 2
		case mainType + "/*":
			rank = 1
		case "*/*":
			rank = 0
		}
		if rank <= specificity {
			continue
		}
		q := 1.0
		if given, ok := parameters["q"]; ok {
			if q, err = strconv.ParseFloat(given, 64); err != nil || q < 0 || q > 1 {
				continue
			}
		}
		weight, specificity = q, rank
	}
	return weight
}
