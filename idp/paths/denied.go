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
			p.denied = append(p.denied, deniedPath{denied, nil})
			continue
		}
		list, ok := denyLists()[entry]
		if !ok {
			return fmt.Errorf("deny_path: %s is neither a path, which begins with /, nor the list of an IdP: %s", entry, strings.Join(namedDenyLists(), ", "))
		}
		for _, prefix := range prefixes {
			for _, path := range slices.Sorted(maps.Keys(list.Paths)) {
				p.denied = append(p.denied, deniedPath{newPattern(prefix + path), nil})
			}
			for _, path := range slices.Sorted(maps.Keys(list.Logins)) {
				p.denied = append(p.denied, deniedPath{pattern{segmentsOf(prefix + path), false}, list.Logins[path].Methods})
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
		if denied.methods == nil && denied.matches(path) {
			return denied.String()
		}
	}
	return ""
}

// deniedPath is a pattern of paths that are denied, but by the methods, nil for none, by which browsers go on
// with a login there.
type deniedPath struct {
	pattern
	methods []string
}

// takes reports whether browsers go on with a login by a method.
func (p *deniedPath) takes(method string) bool {
	return slices.Contains(p.methods, method) || method == http.MethodHead && slices.Contains(p.methods, http.MethodGet)
}

// pattern is a path whose segments may be *, which stands for any one, or at
// the end for one or more.
type pattern struct {
	segments []string
	// below: the pattern ended with *.
	below bool
}

func newPattern(path string) pattern {
	path, below := strings.CutSuffix(path, "/*")
	if path == "" {
		return pattern{nil, below}
	}
	return pattern{segmentsOf(path), below}
}

func segmentsOf(path string) []string {
	return strings.Split(strings.ToLower(strings.TrimPrefix(path, "/")), "/")
}

// String is the pattern as it was written, in lower case.
func (p pattern) String() string {
	text := "/" + strings.Join(p.segments, "/")
	if p.below {
		text = strings.TrimSuffix(text, "/") + "/*"
	}
	return text
}

// matches reports whether the pattern stands for a canonical path.
func (p pattern) matches(path string) bool {
	rest := strings.TrimPrefix(path, "/")
	for i, want := range p.segments {
		segment, after, more := strings.Cut(rest, "/")
		last := i == len(p.segments)-1
		if want != "*" && want != segment || more != (!last || p.below) {
			return false
		}
		rest = after
	}
	return true
}

// matchesSome reports whether the pattern stands for a path of some of the
// segments in their order.
func (p pattern) matchesSome(segments []string) bool {
	next := 0
	for i, segment := range segments {
		if next == len(p.segments) {
			return true
		}
		want := p.segments[next]
		last := next == len(p.segments)-1 && !p.below
		if want == "*" || want == segment || last && strings.HasPrefix(segment, want) && want == withoutSuffix("/" + segment)[1:] {
			next++
		}
		if next == len(p.segments) {
			return !p.below || i < len(segments)-1
		}
	}
	return false
}
