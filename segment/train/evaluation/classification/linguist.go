package classification

import (
	_ "embed"
	"encoding/json"
	"sync"
)

//go:embed linguist.json
var linguistFile []byte

// LinguistNames are the names that GitHub Linguist, and go-enry after it, have for languages, with the labels that each
// stands for, the usual one first.
var LinguistNames = sync.OnceValue(func() map[string][]string {
	var names map[string][]string
	if err := json.Unmarshal(linguistFile, &names); err != nil {
		panic(err) // the file is part of the program
	}
	return names
})
