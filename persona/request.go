package persona

import "fmt"

// Request holds the languages and roles that a person named, as they wrote them. Both lists may be empty.
type Request struct {
	Languages []string
	Personas  []string
}

// Bounds of a request.
const (
	maxNames     = 64  // names in each list
	maxNameBytes = 256 // UTF-8 bytes of each name
)

// RequestError says which part of a request is out of bounds.
type RequestError struct {
	Field string // "languages" or "personas"
	Index int    // of the name; -1 if the list itself is too long
	Count int    // of names, or bytes of the name
}

func (e *RequestError) Error() string {
	if e.Index < 0 {
		return fmt.Sprintf("%s: %d names given, at most %d are accepted", e.Field, e.Count, maxNames)
	}
	return fmt.Sprintf("%s[%d]: the name has %d bytes, at most %d are accepted", e.Field, e.Index, e.Count, maxNameBytes)
}

// check returns a *RequestError if the request is out of bounds.
func (r Request) check() error {
	if err := checkNames("languages", r.Languages); err != nil {
		return err
	}
	return checkNames("personas", r.Personas)
}

func checkNames(field string, names []string) error {
	if len(names) > maxNames {
		return &RequestError{Field: field, Index: -1, Count: len(names)}
	}
	for i, name := range names {
		if len(name) > maxNameBytes {
			return &RequestError{Field: field, Index: i, Count: len(name)}
		}
	}
	return nil
}
