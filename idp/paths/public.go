package paths

import (
	"fmt"
	"net/http"
	"strings"
)

// Public are the paths of a server that anybody may ask for, while the others
// are protected. A request is for one of them only if every server reads its path in
// the same way: one that could be taken for another path is protected.
type Public []pattern

// NewPublic reads entries such as /favicon.ico, /assets/* and /: a * stands
// for one segment, at the end for all that is below.
func NewPublic(entries []string) (Public, error) {
	var paths Public
	for _, entry := range entries {
		rest := strings.TrimPrefix(entry, "/")
		if entry == "/*" || !isUnambiguous(strings.ReplaceAll(entry, "*", "x")) {
			return nil, fmt.Errorf("%s is not a public path: it begins with a slash, and has letters, digits, dots, - and _ between slashes, with * for a whole segment, or at the end for all below", entry)
		}
		for segment := range strings.SplitSeq(rest, "/") {
			if segment != "*" && strings.Contains(segment, "*") {
				return nil, fmt.Errorf("%s is not a public path: * stands for a whole segment", entry)
			}
		}
		rest, below := strings.CutSuffix(rest, "/*")
		paths = append(paths, pattern{strings.Split(rest, "/"), below})
	}
	return paths, nil
}

// Has reports whether anybody may make a request. path is that of the request, as it
// stands in the request line (escaped, without the query); original is the path before
// the server rewrote it, which FastCGI handlers still see.
func (p Public) Has(path, original string, header http.Header) bool {
	if !isUnambiguous(path) || original != path && (!isUnambiguous(original) || !strings.HasSuffix(original, path)) {
		return false
	}
	for name := range header {
		if replacesPath(name) {
			return false
		}
	}
	path = "/" + strings.Trim(path, "/")
	for _, own := range p {
		if own.matches(path) {
			return true
		}
	}
	return false
}

// isUnambiguous reports whether all servers read a path alike: nothing to decode, to
// resolve, to cut off or to merge, and no script that gets the rest of it. It may
// have capitals, and a slash at the end.
func isUnambiguous(path string) bool {
	if path == "/" {
		return true
	}
	folded := strings.ToLower(strings.TrimSuffix(path, "/"))
	return IsPlain(folded) && afterScript(folded+"/") == ""
}
