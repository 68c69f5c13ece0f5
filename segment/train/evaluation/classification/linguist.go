package classification

import (
	_ "embed"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

//go:embed linguist.json
var linguistFile []byte

// LinguistNames are the names that GitHub Linguist, and go-enry after it, have for languages, with the labels that each
// stands for, the usual one first.
var LinguistNames = corpus.Embedded[map[string][]string](linguistFile)
