package builder

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// Manifest lists the repositories that the corpus of this project was cut from: a line for each with its name, a commit and
// a split, separated by tabs. Those of the split "messages" are archives of posts, each in a format of its own, and are left
// out by [Build].
//
//go:embed manifest.tsv
var Manifest string

// messages is the split of archives of messages.
const messages corpus.Split = "messages"

// Repository is a repository at a commit, and the part of the corpus that its records belong to.
type Repository struct {
	Name   string // what is appended to Options.From, such as "caddyserver/caddy"
	Commit string // its hash, or the beginning of it
	Split  corpus.Split
}

// ParseManifest reads a manifest. Empty lines, and lines that begin with "#", are skipped.
func ParseManifest(text string) ([]Repository, error) {
	var all []Repository
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 3 {
			return nil, fmt.Errorf("manifest: %q has %d cells, not repository, commit and split", line, len(cells))
		}
		all = append(all, Repository{cells[0], cells[1], corpus.Split(cells[2])})
	}
	return all, nil
}
