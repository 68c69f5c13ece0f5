// Package accept reads the header field Accept (RFC 9110 section 12.5.1).
package accept

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// Ranges are the media ranges that a client accepts. Nil accepts everything, as
// a request without the field does.
type Ranges []mediaRange

type mediaRange struct {
	mainType, subtype string // lower case; "*" for any
	q                 float64
}

// Parse reads the values of the field, one for each line. A range that is
// malformed is left out. Of a range's parameters only the weight q counts:
// "text/plain;format=flowed" reads as "text/plain".
func Parse(values []string) Ranges {
	var ranges Ranges
	for _, value := range values {
		for item := range elements(value, ',') {
			if ranges == nil {
				ranges = Ranges{} // something was named, even if nothing of it is valid
			}
			if r, ok := parseRange(item); ok {
				ranges = append(ranges, r)
			}
		}
	}
	return ranges
}

func parseRange(item string) (mediaRange, bool) {
	name, parameters, _ := strings.Cut(item, ";")
	mainType, subtype, ok := strings.Cut(strings.ToLower(strings.TrimSpace(name)), "/")
	if !ok || !httpguts.ValidHeaderFieldName(mainType) || !httpguts.ValidHeaderFieldName(subtype) || mainType == "*" && subtype != "*" {
		return mediaRange{}, false
	}
	r := mediaRange{mainType, subtype, 1}
	for parameter := range elements(parameters, ';') {
		name, value, _ := strings.Cut(parameter, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(q >= 0 && q <= 1) {
			return mediaRange{}, false
		}
		r.q = q
	}
	return r, true
}

// elements yields the parts of list that are not empty. A separator within a
// quoted string does not separate.
func elements(list string, separator byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		start, quoted := 0, false
		for i := 0; i <= len(list); i++ {
			switch {
			case i == len(list) || !quoted && list[i] == separator:
				if element := strings.TrimSpace(list[start:i]); element != "" && !yield(element) {
					return
				}
				start = i + 1
			case list[i] == '"':
				quoted = !quoted
			case quoted && list[i] == '\\':
				i = min(i+1, len(list)-1) // the escaped character
			}
		}
	}
}

// Quality is the weight, 0 to 1, that the most specific range gives to mediaType,
// such as "text/html" (lower case, no parameters). 0 is not acceptable.
func (r Ranges) Quality(mediaType string) float64 {
	if r == nil {
		return 1
	}
	mainType, subtype, _ := strings.Cut(mediaType, "/")
	quality, most := 0.0, 0
	for _, m := range r {
		specificity := 0
		switch {
		case m.mainType == mainType && m.subtype == subtype:
			specificity = 3
		case m.mainType == mainType && m.subtype == "*":
			specificity = 2
		case m.mainType == "*":
			specificity = 1
		}
		switch {
		case specificity > most:
			quality, most = m.q, specificity
		case specificity == most && specificity > 0:
			quality = max(quality, m.q)
		}
	}
	return quality
}

// Names reports whether a range is mediaType itself, with a weight above 0. It
// tells a browser, which names text/html, from a client that accepts anything.
func (r Ranges) Names(mediaType string) bool {
	mainType, subtype, _ := strings.Cut(mediaType, "/")
	return slices.ContainsFunc(r, func(m mediaRange) bool { return m.mainType == mainType && m.subtype == subtype && m.q > 0 })
}

// Best is the offered media type with the highest quality, the first one of
// several. It is empty if none is acceptable.
func (r Ranges) Best(offers ...string) string {
	best, most := "", 0.0
	for _, offer := range offers {
		if quality := r.Quality(offer); quality > most {
			best, most = offer, quality
		}
	}
	return best
}
