package persona

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed classification_specific.txt
var specificList string

var specificSet = sync.OnceValue(func() map[string]bool {
	set := make(map[string]bool, 512)
	for _, value := range strings.Fields(specificList) {
		set[value] = true
	}
	return set
})

// isSpecific reports whether ext is in the contract's closed enumeration
// ClassificationSpecific: typed clients reject any other value.
func isSpecific(ext string) bool { return specificSet()[ext] }
