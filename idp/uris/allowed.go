package uris

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
)

// Allowed are redirect URIs, besides loopback, of clients that register.
type Allowed struct {
	exact   []string
	schemes []string // each with its colon
	// below are beginnings, after which letters, digits, - and _ may follow.
	below []string
}

// ParseAllowed reads a configuration.
func ParseAllowed(entries []string) (Allowed, error) {
	var a Allowed
	for _, entry := range entries {
		if !strings.Contains(entry, ":") {
			named, ok := published()[entry]
			if !ok {
				return a, fmt.Errorf("allow %s is not a known client; use %s, a redirect URI, or a scheme with its colon",
					entry, strings.Join(Published(), ", "))
			}
			for _, redirect := range named.RedirectURIs {
				if before, ok := strings.CutSuffix(redirect.URI, "*"); ok {
					a.below = append(a.below, before)
				} else {
					a.exact = append(a.exact, redirect.URI)
				}
			}
			continue
		}
		if err := a.add(entry); err != nil {
			return a, fmt.Errorf("allow %s %w", entry, err)
		}
	}
	return a, nil
}

func (a *Allowed) add(entry string) error {
	scheme, rest, _ := strings.Cut(entry, ":")
	if !isScheme(scheme) {
		return errors.New("has no scheme in lower case; write a redirect URI, or a scheme with its colon (vscode:)")
	}
	isWeb := scheme == "https" || scheme == "http"
	switch {
	case isDangerousScheme(scheme):
		return errDangerousScheme
	case rest == "" || rest == "//":
		if isWeb {
			return errors.New("is every address of the web; write each redirect URI")
		}
		a.schemes = append(a.schemes, scheme+":")
		return nil
	case strings.Contains(entry, "*"):
		return a.addPattern(entry)
	}
	parse := Parse
	if isWeb {
		parse = ParseWeb
	}
	_, err := parse(entry)
	if err == nil {
		a.exact = append(a.exact, entry)
	}
	return err
}

// addPattern adds https://host/path/*, for clients whose redirect URIs end in a name that is made
// for each.
func (a *Allowed) addPattern(entry string) error {
	before, ok := strings.CutSuffix(entry, "*")
	if _, err := ParseWeb(before); !ok || err != nil || !strings.HasPrefix(before, "https://") || !strings.HasSuffix(before, "/") || strings.ContainsAny(before, "*?") {
		return errors.New("has a *, and addresses are compared exactly (RFC 9700 section 2.1); write each in full, or https://host/path/* for one segment of letters, digits, - and _ at the end of a path")
	}
	a.below = append(a.below, before)
	return nil
}

func isScheme(s string) bool {
	return s != "" && s[0] >= 'a' && s[0] <= 'z' && syntax.SchemeChar.Holds(s)
}

var errDangerousScheme = errors.New("has a scheme that browsers run or open themselves; no code may go there")

// isDangerousScheme reports the schemes that a browser runs in the page before, or opens
// by itself.
func isDangerousScheme(scheme string) bool {
	switch scheme {
	case "javascript", "data", "vbscript", "blob", "file", "filesystem", "about", "view-source", "ftp", "ws", "wss", "mailto", "tel", "sms", "intent":
		return true
	}
	return false
}

// Has reports whether a redirect URI is allowed. It has no fragment and no user
// information.
func (a *Allowed) Has(uri string) bool {
	if slices.Contains(a.exact, uri) {
		return true
	}
	for _, before := range a.below {
		if rest, ok := strings.CutPrefix(uri, before); ok && rest != "" && syntax.Base64URL.Holds(rest) {
			return true
		}
	}
	if _, err := Parse(uri); err != nil {
		return false
	}
	return slices.ContainsFunc(a.schemes, func(scheme string) bool { return strings.HasPrefix(uri, scheme) })
}

// MayRegister reports a redirect URI that a client may register: one of a program on the
// user's computer, or one that is allowed.
func (a *Allowed) MayRegister(uri string) bool {
	return CheckRedirect(uri) == nil && IsLoopbackRedirect(uri) || a.Has(uri)
}
