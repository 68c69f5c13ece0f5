package builder

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// Manifest lists the repositories that the corpus of this project was cut from. Those of the split "messages" are archives
// of posts, each in a format of its own, and are left out by [Build].
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

var (
	repositoryName = regexp.MustCompile(`^[A-Za-z0-9_][\w.-]*(/[A-Za-z0-9_.][\w.-]*)*$`)
	commitHash     = regexp.MustCompile(`^[0-9a-f]{7,64}$`)
)

// ParseManifest reads a manifest: a line for each repository with its name, a commit and a split (train, train2, train3,
// dev or messages), separated by tabs. Empty lines, and lines that begin with "#", are skipped.
func ParseManifest(text string) ([]Repository, error) {
	var all []Repository
	split := map[string]corpus.Split{}
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 3 {
			return nil, fmt.Errorf("manifest: line %d has %d cells, not repository, commit and split", i+1, len(cells))
		}
		r := Repository{cells[0], cells[1], corpus.Split(cells[2])}
		switch {
		case !repositoryName.MatchString(r.Name) || strings.Contains(r.Name, ".."):
			return nil, fmt.Errorf("manifest: line %d: %q is no name of a repository", i+1, r.Name)
		case !commitHash.MatchString(r.Commit):
			return nil, fmt.Errorf("manifest: line %d: %q is no hash of a commit: a branch or tag would move", i+1, r.Commit)
		case !slices.Contains([]corpus.Split{corpus.Train, corpus.Train2, corpus.Train3, corpus.Dev, messages}, r.Split):
			return nil, fmt.Errorf("manifest: line %d: the split %q is none of train, train2, train3, dev and messages", i+1, r.Split)
		case split[r.Name] != "" && split[r.Name] != r.Split:
			return nil, fmt.Errorf("manifest: line %d: %s is in %s and in %s, but splits share no repository", i+1, r.Name, split[r.Name], r.Split)
		}
		split[r.Name] = r.Split
		all = append(all, r)
	}
	return all, nil
}
