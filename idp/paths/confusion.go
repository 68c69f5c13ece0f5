package paths

import (
	"math/bits"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
)

// maxDecodings bounds how often a path is percent-decoded. A path that is still
// encoded after that is rejected: no legitimate one is.
const maxDecodings = 8

// What bounds the work on a path that is not its own canonical form, in bytes. Common
// servers allow no longer request line than maxPath. Decoded, such a path has
// MaxDecoded bytes at most, the length of the longest keys of object storage: some
// characters stand for 18 others, each of which is looked at.
const (
	maxPath    = 8 << 10
	MaxDecoded = 1 << 10
)

// MaxScripts bounds how many segments of a path may name scripts. What follows each
// is looked at.
const MaxScripts = 8

// Verdict is what a path is.
type Verdict uint8

const (
	// Free: one that can't be confused with a protected one.
	Free Verdict = iota
	// Confused: not a protected path as it is written, but a later server could
	// normalize it to one.
	Confused
	// Denied: a path of [Protected.Deny], or one that a later server could normalize
	// to it.
	Denied
	// Login: a path of the IdP at which logins begin, or go on.
	Login
	// TooLong: reading the path as every server might would be work that its length
	// is not worth.
	TooLong
	// Verdicts is the number of verdicts.
	Verdicts
)

// Protected are the paths that no other handler may serve, each with its owner, a
// number; 0 is nobody.
type Protected struct {
	exact  []exactPath
	denied []deniedPath
}

type exactPath struct {
	path  string
	owner uint8
}

// Add protects a path, in canonical form, of an owner.
func (p *Protected) Add(path string, owner uint8) { p.exact = append(p.exact, exactPath{path, owner}) }

// WithoutOwners is what [Protected.Deny] has added.
func (p *Protected) WithoutOwners() Protected { return Protected{denied: p.denied} }

// Classify decides about a path that is none of the gateway's own, character by
// character. It is for another handler unless some server could read it as a
// protected one.
func (p *Protected) Classify(method, path string) (uint8, Verdict) {
	if IsPlain(path) {
		return p.find(method, path)
	}
	if len(path) > maxPath {
		return 0, TooLong
	}
	if lower := strings.ToLower(path); IsPlain(lower) {
		return p.find(method, lower)
	}
	return p.classifyOdd(method, path)
}

// IsPlain reports whether a path is its own canonical form. Nearly all are.
func IsPlain(path string) bool {
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

// find looks for a canonical path among the protected ones: as it is, without the
// suffix of a format (/oauth/token.json), and as what a front controller is asked
// for (/index.php/oauth/token).
func (p *Protected) find(method, path string) (uint8, Verdict) {
	verdict := Free
	for scripts := 0; path != ""; scripts++ {
		if scripts > MaxScripts {
			return 0, TooLong
		}
		stem := withoutSuffix(path)
		for i := range p.exact {
			if own := p.exact[i].path; own == path || own == stem {
				return p.exact[i].owner, Confused
			}
		}
		for i := range p.denied {
			if denied := &p.denied[i]; denied.matches(path) || denied.matches(stem) {
				if !denied.takes(method) {
					return 0, Denied
				}
				verdict = Login
			}
		}
		path = afterScript(path)
	}
	return 0, verdict
}

// findAmong is find for a path with dot segments. Servers differ in what these
// remove, but what remains are some of the segments in their order.
func (p *Protected) findAmong(segments []string) (uint8, Verdict) {
	for _, own := range p.exact {
		if newPattern(own.path).matchesSome(segments) {
			return own.owner, Confused
		}
	}
	for i := range p.denied {
		if p.denied[i].matchesSome(segments) { // nor is a browser sent so to a login
			return 0, Denied
		}
	}
	return 0, Free
}

// withoutSuffix is a canonical path without what follows the first dot in its last
// segment. A dot that begins the segment stays.
func withoutSuffix(path string) string {
	last := strings.LastIndexByte(path, '/') + 1
	if last == len(path) {
		return path
	}
	if i := strings.IndexByte(path[last+1:], '.'); i >= 0 {
		return path[:last+1+i]
	}
	return path
}

// afterScript is what follows the first segment that names a script, "" if there
// is none: CGI's PATH_INFO (RFC 3875 section 4.1.5).
func afterScript(path string) string {
	for {
		dot := strings.IndexByte(path, '.')
		if dot < 0 {
			return ""
		}
		end := strings.IndexByte(path[dot:], '/')
		if end < 0 {
			return ""
		}
		segment, rest := path[dot:dot+end], path[dot+end:]
		if isScript(segment[strings.LastIndexByte(segment, '.')+1:]) {
			return rest
		}
		path = rest
	}
}

// isScript reports the suffixes of files that web servers run with a PATH_INFO.
func isScript(suffix string) bool {
	switch strings.TrimRight(suffix, "0123456789") { // php5
	case "php", "phtml", "cgi", "fcgi", "pl", "py", "wsgi", "rb", "lua", "asp", "aspx", "ashx", "asmx", "svc",
		"jsp", "jspx", "do", "action", "cfm", "dll", "exe":
		return true
	}
	return false
}

// classifyOdd tries every normalization that some server does: case folding,
// decoding (also twice), merging of slashes, backslashes, dot segments,
// parameters and sessions in the path, cutting at a NUL or a space, Unicode
// compatibility forms.
func (p *Protected) classifyOdd(method, path string) (uint8, Verdict) {
	decoded, ok := decodeFully(path)
	if !ok {
		return 0, Confused
	}
	if len(decoded) > MaxDecoded {
		return 0, TooLong
	}
	candidates := []string{decoded}
	if i := strings.IndexAny(decoded, "\x00?#;\r\n\t "); i >= 0 {
		candidates = append(candidates, decoded[:i])
	}
	weakest := Free
	for _, candidate := range candidates {
		segments, dotted := canonicalSegments(candidate)
		var owner uint8
		var verdict Verdict
		if dotted {
			owner, verdict = p.findAmong(segments)
		} else {
			owner, verdict = p.find(method, "/"+strings.Join(segments, "/"))
		}
		switch verdict {
		case Free:
		case Login:
			weakest = Login
		default:
			return owner, verdict
		}
	}
	return 0, weakest
}

// ClassifyHeader decides about the headers by which some servers replace the path
// (Symfony, Zend, IIS), in any spelling of their names ([FoldField]). Of several such
// fields nobody knows which one a server takes.
func (p *Protected) ClassifyHeader(header http.Header) (uint8, Verdict) {
	var found []string
	for name, values := range header {
		if replacesPath(name) {
			if found = append(found, values...); len(found) > 1 {
				return 0, TooLong
			}
		}
	}
	for _, value := range found {
		for _, target := range [...]string{value, withoutOrigin(value)} {
			path, _, _ := strings.Cut(target, "?")
			if owner, verdict := p.Classify("", path); verdict != Free { // no method is one of a login
				return owner, verdict
			}
		}
	}
	return 0, Free
}

// withoutOrigin cuts off what some servers take for scheme and host, which need be
// neither: Laminas drops ^[^/:]+://[^/]+, also if there is a question mark in it, and
// others take //authorize/x for the path /x at the host authorize.
func withoutOrigin(target string) string {
	before, rest, found := strings.Cut(target, "//")
	if !found || strings.Contains(before, "/") || before != "" && !strings.HasSuffix(before, ":") {
		return target
	}
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		return rest[slash:]
	}
	return ""
}

// replacesPath reports whether some servers replace the path by a field.
func replacesPath(name string) bool {
	if len(name) != len("X-Original-Url") && len(name) != len("X-Rewrite-Url") || name[0] != 'X' {
		return false
	}
	switch FoldField(name) {
	case "x-original-url", "x-rewrite-url":
		return true
	}
	return false
}

// FoldField is a field's name as servers see it that make variables of names (CGI, RFC
// 3875 section 4.1.18): X_User and x-user are one, and lighttpd takes any character that
// is no letter or digit for the same, as in X!User.
func FoldField(name string) string { return strings.Map(foldRune, name) }

// IsField reports whether a field's name is one that is folded already, as [FoldField] does it.
func IsField(name, folded string) bool {
	for _, r := range name {
		if folded == "" || foldRune(r) != rune(folded[0]) {
			return false
		}
		folded = folded[1:]
	}
	return folded == ""
}

func foldRune(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
		return r
	}
	return '-'
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
		case s[i] == '%' && i+2 < len(s) && syntax.HexDigit.Has(s[i+1]) && syntax.HexDigit.Has(s[i+2]):
			b = append(b, syntax.Unhex(s[i+1])<<4|syntax.Unhex(s[i+2]))
			i += 2
		case s[i] == '%' && i+5 < len(s) && s[i+1]|0x20 == 'u' && syntax.HexDigit.Holds(s[i+2:i+6]):
			r := rune(syntax.Unhex(s[i+2]))<<12 | rune(syntax.Unhex(s[i+3]))<<8 | rune(syntax.Unhex(s[i+4]))<<4 | rune(syntax.Unhex(s[i+5]))
			b = utf8.AppendRune(b, r)
			i += 5
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}

// Canonical is the most forgiving reading of a decoded path without dot segments.
func Canonical(s string) string {
	segments, _ := canonicalSegments(s)
	return "/" + strings.Join(segments, "/")
}

// canonicalSegments are the segments of the most forgiving reading of a decoded
// path, without those that some server drops. dotted reports that there are dot
// segments, which are not resolved.
func canonicalSegments(s string) (segments []string, dotted bool) {
	for segment := range strings.SplitSeq(foldPath(s), "/") {
		segment = strings.TrimSpace(segment)
		if isSession(segment) {
			continue
		}
		segment = withoutParameters(segment)
		if strings.HasPrefix(segment, "..") && strings.Trim(segment, ". ") == "" {
			dotted = true
			continue
		}
		if segment = strings.TrimRight(segment, ". "); segment != "" {
			segments = append(segments, segment)
		}
	}
	return segments, dotted
}

// foldPath turns what lenient servers take for the same into one character: the
// compatibility forms of ASCII characters, letters without their marks, in lower case.
// Other characters are no endpoint's, in whatever case.
func foldPath(s string) string {
	s = decodeOverlong(s)
	folded := make([]byte, 0, len(s)+1)
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			folded = appendFolded(folded, rune(s[i]))
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if decomposition := norm.NFKD.PropertiesString(s[i:]).Decomposition(); decomposition == nil {
			folded = appendFolded(folded, r)
		} else {
			for len(decomposition) > 0 {
				part, size := utf8.DecodeRune(decomposition)
				folded = appendFolded(folded, part)
				decomposition = decomposition[size:]
			}
		}
		i += size
	}
	return string(folded)
}

// appendFolded appends a character that has no compatibility form.
func appendFolded(dst []byte, r rune) []byte {
	switch {
	case isSlash(r):
		return append(dst, '/')
	case r == '\u0131': // the i without a dot is an I in upper case
		return append(dst, 'i')
	case r >= 'A' && r <= 'Z':
		return append(dst, byte(r)+'a'-'A')
	case r >= ' ' && r < 0x7f && r != '%':
		return append(dst, byte(r))
	case r == '%' || r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Mn):
		return dst // some servers drop these
	}
	return utf8.AppendRune(dst, r)
}

// isSlash reports slashes other than /, and what stands in the backslash's place in other
// encodings.
func isSlash(r rune) bool {
	switch r {
	case '\\', '\u2044', '\u2215', '\u2216', '\u29f5', '\u29f8', '\u29f9', '\u00a5', '\u20a9':
		return true
	}
	return false
}

// isSession reports a segment such as (S(lit3py55t21z5v55vlm25s55)), in which
// ASP.NET keeps what otherwise is a cookie.
func isSession(segment string) bool {
	return len(segment) > 4 && segment[0] == '(' && segment[2] == '(' && strings.HasSuffix(segment, "))")
}

// withoutParameters cuts a segment where it stops being a name: at a parameter
// (RFC 3986 section 3.3: semicolon, equals sign, comma), or at other characters
// that lenient routers cut off. One that begins with such a character is no
// endpoint's, and stays.
func withoutParameters(segment string) string {
	for i, r := range segment {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_', r == '.':
		case i > 0, r == ';', r == ',':
			return segment[:i]
		default:
			return segment
		}
	}
	return segment
}

// decodeOverlong turns encodings of ASCII in two to six bytes, which valid UTF-8
// does not have but lenient decoders accept, into the character.
func decodeOverlong(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c, length := overlongASCII(s[i:])
		if length == 0 {
			c, length = s[i], 1
		}
		b = append(b, c)
		i += length - 1
	}
	return string(b)
}

// overlongASCII is the ASCII character with which s begins in more bytes than one,
// and their number, 0 if s doesn't.
func overlongASCII(s string) (c byte, length int) {
	length = bits.LeadingZeros8(^s[0])
	if length < 2 || length > 6 || len(s) < length {
		return 0, 0
	}
	code := uint64(s[0] & (0x7f >> length))
	for _, next := range []byte(s[1:length]) {
		if next&0xc0 != 0x80 {
			return 0, 0
		}
		code = code<<6 | uint64(next&0x3f)
	}
	if code >= utf8.RuneSelf {
		return 0, 0
	}
	return byte(code), length
}
