package redact

import (
	"path"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/paths"
)

// ownURL redacts the URL of one of the gateway's own endpoints, also as another server
// could read its path. Of its query and fragment it keeps the values that are
// known to be harmless, and the names of the others. It is false for other URLs.
func ownURL(s string) (string, bool) {
	end := strings.IndexAny(s, "?#")
	if end < 0 || !isOwnPath(s[:end]) {
		return "", false
	}
	var out strings.Builder
	out.WriteString(redact(s[:end], false))
	for rest := s[end:]; rest != ""; {
		separator := rest[0]
		end := strings.IndexAny(rest[1:], "?#&;") + 1
		if end == 0 {
			end = len(rest)
		}
		out.WriteByte(separator)
		name, value, hasValue := strings.Cut(rest[1:end], "=")
		switch decoded := decode(name); {
		case isShown(decoded):
			out.WriteString(name)
			if hasValue {
				out.WriteString("=" + redact(value, false))
			}
		case hasValue:
			out.WriteString(redact(name, false) + "=")
			if value != "" {
				out.WriteString(Replacement)
			}
		case name != "":
			out.WriteString(Replacement)
		}
		rest = rest[end:]
	}
	return out.String(), true
}

// ownPaths are the ends of the paths at which the gateway is a party to a login.
var ownPaths = [...]string{paths.Callback, paths.Authorize, paths.Token, paths.UserInfo, paths.Logout, paths.Revoke, paths.Consent}

// isOwnPath is generous: a path in front of the gateway's own, other case, escapes,
// slashes and dot segments make no difference.
func isOwnPath(escaped string) bool {
	clean := path.Clean(strings.ToLower(decode(escaped)))
	return slices.ContainsFunc(ownPaths[:], func(own string) bool { return strings.HasSuffix(clean, own) })
}

// decode decodes what is percent-encoded, any number of times.
func decode(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	decoded := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		c, _, size := unit(s, i)
		decoded = append(decoded, c)
		i += size
	}
	return string(decoded)
}
