package contract

import (
	_ "embed"
	"strings"
	"sync"
)

// ClassificationSpecific is the contract's name for a language or file type,
// such as "py", "rs" or "hljs-makefile". The set is closed: typed clients reject
// any value that [ClassificationSpecific.Valid] does.
type ClassificationSpecific string

// Unknown is the value for code of an unknown language, and for languages that
// the contract has no value for.
const Unknown ClassificationSpecific = "UNKNOWN"

//go:embed classification_specific.txt
var specificList string

var specificSet = sync.OnceValue(func() map[ClassificationSpecific]struct{} {
	set := make(map[ClassificationSpecific]struct{}, 512)
	for value := range strings.Lines(specificList) {
		set[ClassificationSpecific(strings.TrimSpace(value))] = struct{}{}
	}
	delete(set, "")
	return set
})

// Valid reports whether c is in the contract's closed enumeration.
func (c ClassificationSpecific) Valid() bool {
	_, ok := specificSet()[c]
	return ok
}

// CountSpecific is the size of the enumeration.
func CountSpecific() int { return len(specificSet()) }
