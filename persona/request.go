package persona

import "fmt"

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
	if err := checkNames("languages", r.Languages, maxNames); err != nil {
		return err
	}
	if err := checkNames("personas", r.Personas, maxNames); err != nil {
		return err
	}
	return checkNames("exclude", r.Exclude, maxExcluded)
}

func checkNames(field string, names []string, most int) error {
	if len(names) > most {
		return &RequestError{Field: field, Index: -1, Count: len(names)}
	}
	for i, name := range names {
		if len(name) > maxNameBytes {
			return &RequestError{Field: field, Index: i, Count: len(name)}
		}
	}
	return nil
}
