package builder

import (
	"regexp"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// What is read of a history.
const (
	commits       = 300
	longestPatch  = 80 // lines
	shortestWords = 40 // bytes of a message
)

var trailer = regexp.MustCompile(`(?m)^([A-Z][A-Za-z-]*-[Bb]y|Change-Id|Fixes|Closes|Refs?|Bug|PR-URL|Reviewed-on|Cc|CC|Link): .*$`)

var endOfLine = regexp.MustCompile(`(?m)[ \t]+$`)

// commitRecords makes records of a commit: its message, its patch, and both together.
func commitRecords(c commit, r Repository) (documents []corpus.Document, snippets []corpus.Snippet) {
	message := strings.TrimSpace(trailer.ReplaceAllString(strings.ReplaceAll(c.message, "\r", ""), ""))
	wordy := len(message) >= shortestWords && !codeLine.MatchString(message)
	if wordy {
		documents = append(documents, record(corpus.Document{Kind: "commit-message", Source: r.Name}, func(d *document) { d.text(message) }))
	}
	patch := endOfLine.ReplaceAllString(c.patch, "") // mail programs make the marks of empty context lines empty lines
	if n := strings.Count(patch, "\n") + 1; n < 4 || n > longestPatch || strings.Contains(patch, "Binary files ") || strings.ContainsRune(patch, '\r') {
		return documents, nil
	}
	snippets = append(snippets, corpus.Snippet{Text: patch, Lang: "diff", Source: r.Name, Origin: "git"})
	if wordy {
		documents = append(documents, record(corpus.Document{Kind: "prose+diff", Source: r.Name, Composed: "git"}, func(d *document) {
			d.text(message)
			d.gap()
			d.code(patch, "diff")
		}))
	}
	return documents, snippets
}

// codeLine finds a line of a message that may be code.
var codeLine = regexp.MustCompile(`(?m)^(\s{4,}|\t|\$ |> |[+-]{3} |@@ )|[;{}]\s*$|^\s*[\w.]+\(.*\)\s*$`)
