package persona

import (
	"fmt"
	"slices"
)

// Request holds the languages and roles that a person named, as they wrote them. All of it may be empty.
type Request struct {
	Languages []string
	Personas  []string
	Exclude   []string // ids of snippets that are not chosen; an unknown one is told
	Choice    uint32   // another number chooses otherwise among what fits equally well
}

// Bounds of a request.
const (
	maxNames     = 64  // names in each list
	maxNameBytes = 256 // UTF-8 bytes of each name
	maxExcluded  = 256 // ids
)

// RequestError says which part of a request is out of bounds.
type RequestError struct {
	Field string // "languages", "personas" or "exclude"
	Index int    // of the name; -1 if the list itself is too long
	Count int    // of names, or bytes of the name
}

func (e *RequestError) Error() string {
	if e.Index < 0 {
		most := maxNames
		if e.Field == "exclude" {
			most = maxExcluded
		}
		return fmt.Sprintf("%s: %d names given, at most %d are accepted", e.Field, e.Count, most)
	}
	return fmt.Sprintf("%s[%d]: the name has %d bytes, at most %d are accepted", e.Field, e.Index, e.Count, maxNameBytes)
}

// check returns a *RequestError if the request is out of bounds.
func (r Request) check() error {
	for _, list := range []struct {
		field string
		names []string
		most  int
	}{{"languages", r.Languages, maxNames}, {"personas", r.Personas, maxNames}, {"exclude", r.Exclude, maxExcluded}} {
		if len(list.names) > list.most {
			return &RequestError{Field: list.field, Index: -1, Count: len(list.names)}
		}
		if i := slices.IndexFunc(list.names, func(name string) bool { return len(name) > maxNameBytes }); i >= 0 {
			return &RequestError{Field: list.field, Index: i, Count: len(list.names[i])}
		}
	}
	return nil
}
