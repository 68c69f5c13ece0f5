// Package linguist maps the names that GitHub Linguist, and go-enry after it, have for languages to the labels of package
// segment.
package linguist

import (
	_ "embed"
	"encoding/json"
	"sync"
)

//go:embed names.json
var file []byte

// Names are the names with the labels that each stands for, the usual one first.
var Names = sync.OnceValue(func() map[string][]string {
	var names map[string][]string
	if err := json.Unmarshal(file, &names); err != nil {
		panic(err) // the file is part of the program
	}
	return names
})
