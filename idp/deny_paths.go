package idp

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

//go:embed deny_paths.json
var denyListsJSON []byte

// denyList are the paths of an IdP by which a user or a client gets around the
// authorization code flow with PKCE.
type denyList struct {
	// Sources are the IdP's documents.
	Sources []string `json:"sources"`
	// Paths are patterns as in [Config.DenyPaths], with what they are for.
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
		panic("deny_paths.json: " + err.Error())
	}
	return lists
})

// namedDenyLists are the names of the lists for [Config.DenyPaths], sorted.
func namedDenyLists() []string { return slices.Sorted(maps.Keys(denyLists())) }

// CheckDenyPath checks an entry of [Config.DenyPaths].
func CheckDenyPath(entry string) error {
	if !strings.HasPrefix(entry, "/") {
		if _, ok := denyLists()[entry]; !ok {
			return fmt.Errorf("deny_paths: %s is neither a path, which begins with /, nor the list of an IdP: %s", entry, strings.Join(namedDenyLists(), ", "))
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
func compileDenyPaths(entries []string, prefix string) (denied []pathPattern, logins []loginPattern, err error) {
	prefixes := []string{""}
	if prefix != "" {
		prefixes = append(prefixes, prefix)
	}
	for _, entry := range entries {
		if err := CheckDenyPath(entry); err != nil {
			return nil, nil, err
		}
		if strings.HasPrefix(entry, "/") {
			denied = append(denied, newPathPattern(entry))
			continue
		}
		list := denyLists()[entry]
		for _, prefix := range prefixes {
			for _, path := range slices.Sorted(maps.Keys(list.Paths)) {
				denied = append(denied, newPathPattern(prefix+path))
			}
			for _, path := range slices.Sorted(maps.Keys(list.Logins)) {
				logins = append(logins, loginPattern{pathPattern{segmentsOf(prefix + path), false}, list.Logins[path].Methods})
			}
		}
	}
	return denied, logins, nil
}

// loginPattern is a path at which logins begin or go on, with the methods by which they
// go on.
type loginPattern struct {
	pathPattern
	methods []string
}

// takes reports a method with which browsers go on with a login.
func (p loginPattern) takes(method string) bool {
	return slices.Contains(p.methods, method) || method == http.MethodHead && slices.Contains(p.methods, http.MethodGet)
}

// checkLogin checks a request of which [Policy.route] says that it is a [loginLookalike]. The
// IdP takes the parameters of the authorization endpoint there, so that a login could
// begin without having passed the gateway (RFC 9700 section 2.1.1). What has none of
// them goes on with a login. What has some must be what the gateway itself sends to the
// IdP: a request for the callback, which finds out whose login it is, or else one that
// /authorize accepts. s is needed for the callback.
func (p *Policy) checkLogin(rawQuery string, s sealer) error {
	q, err := parseParams(rawQuery, "query")
	if err != nil {
		return beside(AsError(err).Description)
	}
	if !slices.ContainsFunc([]string{"response_type", "redirect_uri", "request", "request_uri"}, q.flag) {
		return nil
	}
	if err := q.rejectRepeated(); err != nil {
		return beside(AsError(err).Description)
	}
	if p.callback != nil {
		if q.get("redirect_uri") != s.Callback || q.flag("request") || q.flag("request_uri") {
			return beside("redirect_uri is not the gateway's callback")
		}
		return nil
	}
	for _, query := range p.asClientsSend(&q) {
		if _, err = p.parseAuthorize(query); err == nil {
			return nil
		}
	}
	return beside(AsError(err).Description)
}

// asClientsSend are the queries with which clients could have begun a login that the
// IdP got as q: it knows several of them by one id.
func (p *Policy) asClientsSend(q *params) []string {
	ids := []string{q.get("client_id")}
	for _, id := range slices.Sorted(maps.Keys(p.clients)) {
		if c := p.clients[id]; c.credentials != nil && c.idpID(id) == ids[0] && id != ids[0] {
			ids = append(ids, id)
		}
	}
	queries := make([]string, len(ids))
	for i, id := range ids {
		var query []byte
		for _, param := range q.list {
			if param.name == "client_id" {
				param.value = id
			}
			query = appendParam(query, param.name, param.value)
		}
		for _, name := range q.flags {
			query = appendParam(query, name, "")
		}
		queries[i] = string(query)
	}
	return queries
}

// beside rejects a login that did not begin at /authorize.
func beside(why string) error {
	return reject(InvalidRequest, "RFC 9700 section 2.1.1", "logins begin at "+Authorize.Path()+", and not at this path of the identity provider (deny_paths): "+why)
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
	return pathPattern{segmentsOf(path), below}
}

func segmentsOf(path string) []string {
	return strings.Split(strings.ToLower(strings.TrimPrefix(path, "/")), "/")
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
		if want == "*" || want == segment || last && strings.HasPrefix(segment, want) && want == withoutSuffix("/" + segment)[1:] {
			next++
		}
		if next == len(p.segments) {
			return !p.below || i < len(segments)-1
		}
	}
	return false
}
