package paths

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

//go:embed denied.json
var denyListsJSON []byte

// denyList are the paths of an IdP by which a user or a client gets around the
// authorization code flow with PKCE.
type denyList struct {
	// Sources are the IdP's documents.
	Sources []string `json:"sources"`
	// Paths are patterns as in [Protected.Deny], with what they are for.
	Paths map[string]string `json:"paths"`
	// Logins are the paths that take the parameters of the authorization endpoint,
	// and that logins which began there need, too. A * stands for one segment, also at
	// the end.
	Logins map[string]loginPath `json:"logins"`
}

// loginPath is what browsers use a path of [denyList.Logins] for.
type loginPath struct {
	For     string   `json:"for"`
	Methods []string `json:"methods"`
}

var denyLists = sync.OnceValue(func() map[string]denyList {
	var lists map[string]denyList
	if err := json.Unmarshal(denyListsJSON, &lists); err != nil {
		panic("denied.json: " + err.Error())
	}
	return lists
})

// namedDenyLists are the names of the lists for [Protected.Deny], sorted.
func namedDenyLists() []string { return slices.Sorted(maps.Keys(denyLists())) }

// Deny denies paths: a * stands for one segment, at the end for all that is below; an
// entry without a slash is the name of a list of an IdP. The paths of a list also hold below
// prefix, the path of the IdP's address.
func (p *Protected) Deny(entries []string, prefix string) error {
	prefixes := []string{""}
	if prefix != "" {
		prefixes = append(prefixes, prefix)
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry, "/") {
			denied, err := parsePattern(entry)
			if err != nil {
				return err
			}
			p.denied = append(p.denied, denied)
			continue
		}
		list, ok := denyLists()[entry]
		if !ok {
			return fmt.Errorf("deny_path: %s is neither a path, which begins with /, nor the list of an IdP: %s", entry, strings.Join(namedDenyLists(), ", "))
		}
		for _, prefix := range prefixes {
			for _, path := range slices.Sorted(maps.Keys(list.Paths)) {
				p.denied = append(p.denied, newPattern(prefix+path))
			}
			for _, path := range slices.Sorted(maps.Keys(list.Logins)) {
				p.logins = append(p.logins, loginPattern{pattern{segmentsOf(prefix + path), false}, list.Logins[path].Methods})
			}
		}
	}
	return nil
}

// parsePattern reads a path of [Protected.Deny].
func parsePattern(entry string) (pattern, error) {
	for segment := range strings.SplitSeq(strings.TrimPrefix(entry, "/"), "/") {
		if segment == "" || segment != "*" && (strings.Contains(segment, "*") || Canonical(segment) != "/"+strings.ToLower(segment)) {
			return pattern{}, fmt.Errorf("deny_path: %s must be letters, digits, - and _ between slashes, with * for a whole segment, or at the end for all below", entry)
		}
	}
	return newPattern(entry), nil
}

// DeniesSome reports whether there are denied paths.
func (p *Protected) DeniesSome() bool { return len(p.denied) > 0 }

// DeniedBy is the entry of [Protected.Deny] that denies a canonical path, "" if none does.
func (p *Protected) DeniedBy(path string) string {
	for _, denied := range p.denied {
		if denied.matches(path) {
			return denied.String()
		}
	}
	return ""
}

// loginPattern is a path at which logins begin or go on, with the methods by which they
// go on.
type loginPattern struct {
	pattern
	methods []string
}

// takes reports whether browsers go on with a login by a method.
func (p loginPattern) takes(method string) bool {
	return slices.Contains(p.methods, method) || method == http.MethodHead && slices.Contains(p.methods, http.MethodGet)
}
