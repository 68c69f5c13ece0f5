package idp

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxDecodings bounds how often a path is percent-decoded. A path that is still
// encoded after that is rejected: no legitimate one is.
const maxDecodings = 8

// maxPath bounds the work on a path that needs normalizing, in bytes. Longer ones
// are rejected. Common servers allow no longer request line.
const maxPath = 8 << 10

// isPlainPath reports a path that no server normalizes. It decides nearly all
// requests that are not for the gateway.
func isPlainPath(path string) bool {
	if path == "" || path[0] != '/' {
		return false
	}
	previous := byte(0)
	for i := 0; i < len(path); i++ {
		c := path[i]
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_':
		case c == '/' && previous != '/' && previous != '.':
		case c == '.' && previous != '/':
		default:
			return false
		}
		previous = c
	}
	return previous != '.' && previous != '/'
}

// checkConfusion reports [PathConfusion] if some server could read path as an
// endpoint's or as one of guarded (canonical paths), after whatever normalization
// that server does: case folding, decoding (also twice), merging of slashes,
// backslashes, dot segments, path parameters, cutting at a NUL, Unicode
// compatibility forms.
func checkConfusion(path string, guarded []string) (Endpoint, Verdict) {
	if len(path) > maxPath {
		return NoEndpoint, PathConfusion
	}
	decoded, ok := decodeFully(path)
	if !ok {
		return NoEndpoint, PathConfusion
	}
	candidates := [2]string{decoded, decoded}
	if i := strings.IndexAny(decoded, "\x00?#\r\n"); i >= 0 {
		candidates[1] = decoded[:i]
	}
	for _, candidate := range candidates {
		canonical := canonicalPath(candidate)
		for _, endpoint := range Endpoints {
			if canonical == endpoint.Path() {
				return endpoint, PathConfusion
			}
		}
		if slices.Contains(guarded, canonical) {
			return NoEndpoint, PathConfusion
		}
	}
	return NoEndpoint, PassThrough
}

// decodeFully decodes percent-encodings, also nested ones and the form of %u with
// four digits, until none is left.
func decodeFully(path string) (string, bool) {
	for range maxDecodings {
		decoded := decodeOnce(path)
		if decoded == path {
			return path, true
		}
		path = decoded
	}
	return path, false
}

func decodeOnce(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '%' && i+2 < len(s) && hexDigit.has(s[i+1]) && hexDigit.has(s[i+2]):
			b = append(b, unhex(s[i+1])<<4|unhex(s[i+2]))
			i += 2
		case s[i] == '%' && i+5 < len(s) && s[i+1]|0x20 == 'u' && hexDigit.holds(s[i+2:i+6]):
			r := rune(unhex(s[i+2]))<<12 | rune(unhex(s[i+3]))<<8 | rune(unhex(s[i+4]))<<4 | rune(unhex(s[i+5]))
			b = utf8.AppendRune(b, r)
			i += 5
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}

// canonicalPath is the most forgiving reading of a decoded path.
func canonicalPath(s string) string {
	s = norm.NFKC.String(decodeOverlong(s))
	var folded strings.Builder
	folded.Grow(len(s) + 1)
	for _, r := range s {
		switch {
		case r == '\\', r == '\u2044', r == '\u2215', r == '\u29f8':
			folded.WriteByte('/')
		case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Mn, r):
			// Some servers drop these.
		default:
			folded.WriteRune(unicode.ToLower(r))
		}
	}
	var segments []string
	for segment := range strings.SplitSeq(folded.String(), "/") {
		segment, _, _ = strings.Cut(segment, ";")
		segment = strings.TrimSpace(segment)
		switch trimmed := strings.TrimRight(segment, ". "); {
		case segment == "..":
			segments = segments[:max(0, len(segments)-1)]
		case trimmed != "":
			segments = append(segments, trimmed)
		}
	}
	return "/" + strings.Join(segments, "/")
}

// decodeOverlong turns two- and three-byte encodings of ASCII, which valid UTF-8
// does not have but lenient decoders accept, into the character.
func decodeOverlong(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	continuation := func(i int) bool { return i < len(s) && s[i]&0xc0 == 0x80 }
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i]&0xfe == 0xc0 && continuation(i+1):
			b = append(b, s[i]&1<<6|s[i+1]&0x3f)
			i++
		case s[i] == 0xe0 && continuation(i+1) && s[i+1]&0xfe == 0x80 && continuation(i+2):
			b = append(b, s[i+1]&1<<6|s[i+2]&0x3f)
			i += 2
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}
