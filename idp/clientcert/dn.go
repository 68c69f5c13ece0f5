package clientcert

import (
	"cmp"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// dn is a distinguished name in the order of a certificate, which is that of the text turned
// round (RFC 4514 section 2.1). Each element has what stands on one level, sorted.
type dn [][]attribute

// attribute is a type, by its object identifier with dots, and a value.
type attribute struct{ oid, value string }

func (a attribute) compare(b attribute) int {
	return cmp.Or(strings.Compare(a.oid, b.oid), strings.Compare(a.value, b.value))
}

// attributeTypes are those of RFC 4514 section 3, and what tools write besides.
var attributeTypes = map[string]string{
	"CN": "2.5.4.3", "SERIALNUMBER": "2.5.4.5", "C": "2.5.4.6", "L": "2.5.4.7", "ST": "2.5.4.8", "STREET": "2.5.4.9",
	"O": "2.5.4.10", "OU": "2.5.4.11", "DC": "0.9.2342.19200300.100.1.25", "UID": "0.9.2342.19200300.100.1.1",
	"EMAILADDRESS": "1.2.840.113549.1.9.1",
}

var errDN = errors.New("the subject must be a distinguished name (RFC 4514), such as CN=app,O=Example\\, Inc.,C=DE, " +
	"as `openssl x509 -noout -subject -nameopt RFC2253` prints it")

// parseDN reads a distinguished name. Spaces may stand around its separators.
func parseDN(s string) (dn, error) {
	var name dn
	var level []attribute
	for rest := s; ; {
		kind, after, ok := strings.Cut(rest, "=")
		oid, known := attributeType(strings.Trim(kind, " "))
		if !ok || !known {
			return nil, errDN
		}
		value, separator, after, ok := cutValue(after)
		if !ok || value == "" {
			return nil, errDN
		}
		level = append(level, attribute{oid, value})
		if separator != '+' {
			slices.SortFunc(level, attribute.compare)
			name, level = append(name, level), nil
		}
		if separator == 0 {
			slices.Reverse(name)
			return name, nil
		}
		rest = after
	}
}

// attributeType is a type's object identifier.
func attributeType(name string) (oid string, ok bool) {
	if oid, ok = attributeTypes[strings.ToUpper(name)]; ok {
		return oid, true
	}
	arcs := strings.Split(strings.TrimPrefix(strings.ToUpper(name), "OID."), ".")
	for _, arc := range arcs {
		if n, err := strconv.ParseUint(arc, 10, 31); err != nil || strconv.FormatUint(n, 10) != arc {
			return "", false
		}
	}
	return strings.Join(arcs, "."), len(arcs) > 1
}

// cutValue reads a value up to the separator that follows, 0 for the end.
func cutValue(s string) (value string, separator byte, rest string, ok bool) {
	s = strings.TrimLeft(s, " ")
	if strings.HasPrefix(s, "#") { // BER, which no name that people write needs
		return "", 0, "", false
	}
	b, spaces := make([]byte, 0, len(s)), 0 // at the end, which do not count unless escaped
	for i := 0; i < len(s); i++ {
		spaces++
		switch c := s[i]; c {
		case ',', '+':
			separator, rest = c, s[i+1:]
			i = len(s)
			spaces--
		case ' ':
			b = append(b, c)
		case '\\':
			escaped, length := unescape(s[i+1:])
			if length == 0 {
				return "", 0, "", false
			}
			b, i, spaces = append(b, escaped), i+length, 0
		case '"', ';', '<', '>', 0:
			return "", 0, "", false
		default:
			b, spaces = append(b, c), 0
		}
	}
	b = b[:len(b)-spaces]
	return string(b), separator, rest, utf8.Valid(b)
}

// unescape is the character that follows a backslash, and its length in the text, 0 if that
// is none.
func unescape(s string) (byte, int) {
	if s != "" && strings.IndexByte(` "#+,;<=>\`, s[0]) >= 0 {
		return s[0], 1
	}
	if len(s) >= 2 {
		if b, err := hex.DecodeString(s[:2]); err == nil {
			return b[0], 2
		}
	}
	return 0, 0
}

// isSubject reports whether a certificate's subject, in DER, is this name: the same types and
// values in the same order. Values that are no text are nobody's.
func (d dn) isSubject(der []byte) bool {
	var sequence pkix.RDNSequence
	if rest, err := asn1.Unmarshal(der, &sequence); err != nil || len(rest) > 0 || len(sequence) != len(d) {
		return false
	}
	for i, set := range sequence {
		level := make([]attribute, 0, len(set))
		for _, a := range set {
			value, ok := a.Value.(string)
			if !ok {
				return false
			}
			level = append(level, attribute{a.Type.String(), value})
		}
		slices.SortFunc(level, attribute.compare)
		if !slices.Equal(level, d[i]) {
			return false
		}
	}
	return true
}
