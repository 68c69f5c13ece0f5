package idp

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed deny_paths.json
var denyListsJSON []byte

// denyList are the paths of an IdP by which a user or a client gets around the
// authorization code flow with PKCE.
type denyList struct {
	// Sources are the IdP's documents.
	Sources []string `json:"sources"`
	// Paths are patterns as in [Config.DenyPaths], with what they are for.
	Paths map[string]string `json:"paths"`
}

var denyLists = sync.OnceValue(func() map[string]denyList {
	var lists map[string]denyList
	if err := json.Unmarshal(denyListsJSON, &lists); err != nil {
		panic("deny_paths.json: " + err.Error())
	}
	return lists
})

// DenyLists are the names of the lists for [Config.DenyPaths], sorted.
func DenyLists() []string { return slices.Sorted(maps.Keys(denyLists())) }

// CheckDenyPath checks an entry of [Config.DenyPaths].
func CheckDenyPath(entry string) error {
	if !strings.HasPrefix(entry, "/") {
		if _, ok := denyLists()[entry]; !ok {
			return fmt.Errorf("deny_paths: %s is neither a path, which begins with /, nor the list of an IdP: %s", entry, strings.Join(DenyLists(), ", "))
		}
		return nil
	}
	for segment := range strings.SplitSeq(strings.TrimPrefix(entry, "/"), "/") {
		if segment == "" || segment != "*" && (strings.Contains(segment, "*") || canonicalPath(segment) != "/"+strings.ToLower(segment)) {
			return fmt.Errorf("deny_paths: %s must be letters, digits, - and _ between slashes, with * for a whole segment, or at the end for all below", entry)
		}
	}
	for _, endpoint := range Endpoints {
		if newPathPattern(entry).matches(endpoint.Path()) {
			return fmt.Errorf("deny_paths: %s would deny the %s endpoint, %s", entry, endpoint, endpoint.Path())
		}
	}
	return nil
}

// compileDenyPaths reads [Config.DenyPaths]. The paths of a list also hold below
// prefix, the path of the IdP's address.
func compileDenyPaths(entries []string, prefix string) ([]pathPattern, error) {
	var patterns []pathPattern
	for _, entry := range entries {
		if err := CheckDenyPath(entry); err != nil {
			return nil, err
		}
		if strings.HasPrefix(entry, "/") {
			patterns = append(patterns, newPathPattern(entry))
			continue
		}
		for _, path := range slices.Sorted(maps.Keys(denyLists()[entry].Paths)) {
			patterns = append(patterns, newPathPattern(path))
			if prefix != "" {
				patterns = append(patterns, newPathPattern(prefix+path))
			}
		}
	}
	return patterns, nil
}

// pathPattern is a path whose segments may be *, which stands for any one, or at
// the end for one or more.
type pathPattern struct {
	segments []string
	// below: the pattern ended with *.
	below bool
}

func newPathPattern(path string) pathPattern {
	path, below := strings.CutSuffix(path, "/*")
	if path == "" {
		return pathPattern{nil, below}
	}
	return pathPattern{strings.Split(strings.ToLower(strings.TrimPrefix(path, "/")), "/"), below}
}

// matches reports whether the pattern stands for a canonical path.
func (p pathPattern) matches(path string) bool {
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
func (p pathPattern) matchesSome(segments []string) bool {
	next := 0
	for i, segment := range segments {
		if next == len(p.segments) {
			return true
		}
		want := p.segments[next]
		last := next == len(p.segments)-1 && !p.below
		if want == "*" || want == segment || last && want == withoutSuffix("/" + segment)[1:] {
			next++
		}
		if next == len(p.segments) {
			return !p.below || i < len(segments)-1
		}
	}
	return false
}
