package redact

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// Text returns s with [Replacement] in place of every secret. The names of parameters
// stay, and so does everything else, byte by byte.
func Text(s string) string {
	if !mayHold(s) {
		return s
	}
	if redacted, ok := inBase64(s); ok {
		return redacted
	}
	inText := strings.ContainsAny(s, " \t\r\n") || strings.ContainsAny(s[:1], `{["'<`)
	if !inText {
		if redacted, ok := ownURL(s); ok {
			return redacted
		}
	}
	return redact(s, inText)
}

// mayHold is false for nearly all strings without secrets: words, numbers,
// addresses.
func mayHold(s string) bool {
	return len(s) >= shortestAlone || strings.ContainsAny(s, "=:% ")
}

// shortestAlone is the length of the shortest secrets that are recognized without a name.
const shortestAlone = 20

// redact scans s once. In text, as opposed to a URL, white space and quotation marks
// end a value.
func redact(s string, inText bool) string {
	t := scanner{text: s, inText: inText}
	t.scan()
	if t.done == 0 {
		return s
	}
	t.out.WriteString(s[t.done:])
	return t.out.String()
}

// scanner looks for names that are followed by a value.
type scanner struct {
	text   string
	inText bool
	out    strings.Builder
	done   int // bytes of text that are in out

	name []byte // decoded
	// gap is the last character that has followed it and may stand before a separator.
	gap byte
	// input: the tag of a secret's hidden input has begun.
	input bool
}

// replace replaces what stands between two offsets.
func (t *scanner) replace(from, to int) {
	if from >= to {
		return
	}
	t.out.WriteString(t.text[t.done:from])
	t.out.WriteString(Replacement)
	t.done = to
}

func (t *scanner) reset() { t.name, t.gap = t.name[:0], 0 }

func (t *scanner) scan() {
	for i := 0; i < len(t.text); {
		c, depth, size := unit(t.text, i)
		next := i + size
		switch {
		case isNameChar(c):
			if end := t.endOfSecret(i); end > 0 {
				t.replace(i, end)
				next = end
				break
			}
			t.name = append(t.name, c)
		case len(t.name) == 0:
			if c == '>' {
				t.input = false
			}
		case c == '=':
			next = t.afterEquals(next, depth)
			t.reset()
		case c == ':':
			next = t.afterColon(next)
			t.reset()
		case c == '[':
			if end, ok := t.index(next); ok && IsParameter(string(t.name)) {
				next = end
			} else {
				t.reset() // user[code] names code
			}
		case mayFollowName(c):
			t.gap = c
		default:
			t.reset()
		}
		i = next
	}
}

// endOfSecret is where a secret ends that begins with the character of a name at i: the
// credentials after their scheme, or what is known without a name. It is 0 if none begins.
func (t *scanner) endOfSecret(i int) (end int) {
	if t.gap != 0 {
		if isSpace(t.gap) && schemes[strings.ToLower(string(t.name))] {
			end = credentials(t.text, i)
		}
		t.reset()
	}
	if len(t.name) == 0 {
		end = max(end, alone(t.text, i))
	}
	return end
}

// mayFollowName reports what may stand between a name and what separates it from its value.
func mayFollowName(c byte) bool { return strings.IndexByte("]\"'\\+", c) >= 0 || isSpace(c) }

// afterEquals redacts the value that follows an equals sign, if the name before it is
// that of a secret, and returns the offset from which to go on.
func (t *scanner) afterEquals(i, depth int) int {
	start := i
	if t.gap != 0 {
		start = t.skipSpace(i)
	}
	if t.inText && strings.HasPrefix(t.text[start:], ">") { // of a map in Ruby, PHP or Perl
		start = t.skipSpace(start + 1)
	}
	quote, content := t.openQuote(start)
	name := strings.ToLower(string(t.name))
	switch {
	case name == "name" && quote.char != 0: // <input name="code" value="...">
		end, next := t.closeQuote(content, quote)
		t.input = IsParameter(t.text[content:end])
		return next
	case name == "value" && t.input:
	case !IsParameter(name) && !IsHeader(name):
		return i
	}
	var end int
	switch {
	case quote.char != 0 && t.inText:
		start = content
		end, _ = t.closeQuote(content, quote)
	case IsHeader(name) && t.inText:
		end = t.endOfLine(start)
	default:
		end = t.endOfValue(start, depth)
	}
	t.replace(start, end)
	return max(end, i)
}

// afterColon does the same after a colon: JSON, header fields, what Go prints of maps, and
// the scheme of a URL with a password.
func (t *scanner) afterColon(i int) int {
	if from, to := t.password(i); from < to {
		t.replace(from, to)
		return to
	}
	name := string(t.name)
	isHeader := IsHeader(name)
	if !isHeader && !IsParameter(name) {
		return i
	}
	start := t.skipSpace(i)
	if start >= len(t.text) {
		return i
	}
	if next, ok := t.quoted(start); ok {
		return next
	}
	if c, _, size := unit(t.text, start); c == '[' {
		return t.list(start + size)
	}
	var end int
	switch {
	case isHeader:
		end = t.endOfLine(start)
	case start > i: // a sentence, such as "state: connected"
		const secret = 16
		if end = t.endOfWord(start); end-start < secret {
			return i
		}
	case strings.HasPrefix(t.text[start:], "//"): // the scheme of a URL
		return i
	default:
		if end = t.endOfWord(start); isLiteral(t.text[start:end]) {
			return i
		}
	}
	t.replace(start, end)
	return end
}

// password is where the password stands in a URL whose authority begins at i with two
// slashes (RFC 3986 section 3.2.1). It is empty if there is none.
func (t *scanner) password(i int) (from, to int) {
	var outer int // how often the slashes are percent-encoded
	for range len("//") {
		if i == len(t.text) {
			return
		}
		c, depth, size := unit(t.text, i)
		if c != '/' {
			return
		}
		outer, i = depth, i+size
	}
	for i < len(t.text) {
		c, depth, size := unit(t.text, i)
		switch {
		case depth > outer: // part of a name or the password
		case isSpace(c) || strings.IndexByte(`/?#"'<>\`, c) >= 0:
			return from, to
		case c == ':' && from == 0:
			from = i + size
		case c == '@':
			to = i
		}
		i += size
	}
	return from, to
}

// quoted redacts what a quotation holds that begins at i, and returns where it ends.
func (t *scanner) quoted(i int) (int, bool) {
	quote, content := t.openQuote(i)
	if quote.char == 0 {
		return 0, false
	}
	end, next := t.closeQuote(content, quote)
	t.replace(content, end)
	return next, true
}

// list redacts the elements of a list up to its end.
func (t *scanner) list(i int) int {
	for i < len(t.text) {
		if next, ok := t.quoted(i); ok {
			i = next
			continue
		}
		c, _, size := unit(t.text, i)
		switch {
		case c == ']':
			return i + size
		case c == ',' || isSpace(c):
			i += size
		default:
			end := t.until(i, func(c byte) bool { return c == ']' || c == '"' })
			t.replace(i, end)
			i = end
		}
	}
	return i
}

// index skips the index of a name, such as code[0], if an equals sign follows.
func (t *scanner) index(i int) (int, bool) {
	closed := false
	for i < len(t.text) {
		c, _, size := unit(t.text, i)
		switch {
		case closed:
			return i, c == '='
		case c == ']':
			closed = true
		case !isNameChar(c):
			return 0, false
		}
		i += size
	}
	return 0, false
}

// quotation is an opening quotation mark: the character, how often it is
// percent-encoded, and the backslashes before it.
type quotation struct {
	char               byte
	depth, backslashes int
}

// openQuote reads an opening quotation mark, and returns where its content begins. The
// zero value is none.
func (t *scanner) openQuote(i int) (quotation, int) {
	backslashes := 0
	for i < len(t.text) {
		c, depth, size := unit(t.text, i)
		i += size
		switch c {
		case '\\':
			backslashes++
		case '"', '\'':
			return quotation{c, depth, backslashes}, i
		default:
			return quotation{}, 0
		}
	}
	return quotation{}, 0
}

// closeQuote is where the content of a quotation ends, and what follows it begins.
func (t *scanner) closeQuote(i int, open quotation) (end, next int) {
	backslashes, run := 0, i // the backslashes before i, and where they begin
	for i < len(t.text) {
		c, depth, size := unit(t.text, i)
		i += size
		switch {
		case c == '\\':
			backslashes++
		case c == open.char && depth <= open.depth && backslashes <= open.backslashes:
			return run, i
		default:
			backslashes, run = 0, i
		}
	}
	return i, i
}

// endOfValue is where a parameter's value ends that follows an equals sign which is
// percent-encoded depth times.
func (t *scanner) endOfValue(i, depth int) int {
	for i < len(t.text) {
		c, d, size := unit(t.text, i)
		switch c {
		case '&', '#':
			if d <= depth {
				return i
			}
		case ' ', '\t', '\r', '\n', '"', '<', '>':
			if t.inText && d == 0 {
				return i
			}
		case '\\':
			if t.inText && strings.HasPrefix(t.text[i:], `\"`) {
				return i
			}
		}
		i += size
	}
	return len(t.text)
}

// endOfWord is where a bare value ends, in what Go prints or in YAML.
func (t *scanner) endOfWord(i int) int {
	return t.until(i, func(c byte) bool { return isSpace(c) || strings.IndexByte(`,}]&"`, c) >= 0 })
}

func (t *scanner) endOfLine(i int) int {
	if end := strings.IndexAny(t.text[i:], "\r\n"); end >= 0 {
		return i + end
	}
	return len(t.text)
}

func (t *scanner) skipSpace(i int) int {
	return t.until(i, func(c byte) bool { return !isSpace(c) && c != '+' }) // a space in a form
}

// until is where the first character stands from i on for which is is true.
func (t *scanner) until(i int, is func(byte) bool) int {
	for i < len(t.text) {
		c, _, size := unit(t.text, i)
		if is(c) {
			break
		}
		i += size
	}
	return i
}

// isLiteral reports whether a value is none of a secret: a number of few digits, such as
// a status or a port, true, false, null.
func isLiteral(s string) bool {
	return slices.Contains([]string{"null", "true", "false", "<nil>"}, s) || len(s) <= 5 && strings.Trim(s, "0123456789") == ""
}

// unit reads one character of s, which may be percent-encoded any number of times:
// %3D, %253D, %25253D are an equals sign with the depths 1, 2, 3. So is the escape of JSON,
// \u003d, with the depth 1; Go's encoder writes & so.
func unit(s string, i int) (c byte, depth, size int) {
	if s[i] == '\\' {
		return escape(s, i)
	}
	if s[i] != '%' {
		return s[i], 0, 1
	}
	j := i + 1
	for depth = 1; strings.HasPrefix(s[j:], "25"); depth++ {
		j += 2
	}
	if j+2 <= len(s) {
		if decoded, err := strconv.ParseUint(s[j:j+2], 16, 8); err == nil {
			return byte(decoded), depth, j + 2 - i
		}
	}
	return '%', depth - 1, j - i
}

// escape is unit for what begins with a backslash.
func escape(s string, i int) (c byte, depth, size int) {
	const length = len(`\u003d`)
	if strings.HasPrefix(s[i:], `\u00`) && len(s) >= i+length {
		if decoded, err := strconv.ParseUint(s[i+4:i+length], 16, 8); err == nil {
			return byte(decoded), 1, length
		}
	}
	return '\\', 0, 1
}

// alone is the end of a secret that begins at i and is recognized without a name, or 0.
// What it reads of a text is read once: else a long one of short words would take hours.
func alone(s string, i int) int {
	word, end := wordAt(s, i, isNameChar)
	if seal.IsSealed(word[max(strings.LastIndex(word, seal.AccessTokenPrefix), 0):]) {
		return end
	}
	if !strings.HasPrefix(word, "eyJ") { // base64url of the beginning of an object: a JWT (RFC 7519)
		return 0
	}
	_, parts := wordAt(s, i, func(c byte) bool { return isNameChar(c) || c == '.' })
	parts = i + len(strings.TrimRight(s[i:parts], ".")) // of the sentence
	if parts > end && parts-i >= shortestAlone {
		return parts
	}
	return 0
}

// wordAt is the word of some characters that begins at i, decoded, and where it ends.
func wordAt(s string, i int, has func(c byte) bool) (word string, end int) {
	for end = i; end < len(s) && has(s[end]); end++ {
	}
	if end == len(s) || s[end] != '%' && s[end] != '\\' {
		return s[i:end], end
	}
	decoded := []byte(s[i:end])
	for end < len(s) {
		c, _, size := unit(s, end)
		if !has(c) {
			break
		}
		decoded = append(decoded, c)
		end += size
	}
	return string(decoded), end
}

// credentials is the end of the credentials after a scheme (RFC 9110 section 11.4), or 0 if
// a word of a sentence stands there.
func credentials(s string, i int) int {
	end := i
	for end < len(s) && (isNameChar(s[end]) || strings.IndexByte("./+=~", s[end]) >= 0) {
		end++
	}
	word := s[i:end]
	if len(word) >= 16 && strings.ContainsAny(word, "0123456789") {
		return end
	}
	if decoded, err := base64.StdEncoding.DecodeString(word); err == nil && strings.Contains(string(decoded), ":") {
		return end
	}
	return 0
}

// inBase64 redacts s in its encoding if that is base64 of some text.
func inBase64(s string) (redacted string, ok bool) {
	if strings.ContainsFunc(s, func(r rune) bool {
		return r >= utf8.RuneSelf || !isNameChar(byte(r)) && !strings.ContainsRune("/+=\r\n", r)
	}) {
		return "", false
	}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding, base64.URLEncoding, base64.RawStdEncoding} {
		decoded, err := encoding.DecodeString(s)
		if err != nil || !isPrintable(decoded) {
			continue
		}
		if redacted := Text(string(decoded)); redacted != string(decoded) {
			return encoding.EncodeToString([]byte(redacted)), true
		}
		return s, true
	}
	return "", false
}

func isPrintable(b []byte) bool {
	return utf8.Valid(b) && !bytes.ContainsFunc(b, func(r rune) bool { return !unicode.IsPrint(r) && !unicode.IsSpace(r) })
}

func isNameChar(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
