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

// commitRecords makes records of a commit: its message, its patch, and both together.
func commitRecords(c commit, r Repository) (documents []corpus.Document, snippets []corpus.Snippet) {
	message := strings.TrimSpace(trailer.ReplaceAllString(strings.ReplaceAll(c.message, "\r", ""), ""))
	wordy := len(message) >= shortestWords && !looksLikeCode(message)
	if wordy {
		d := corpus.Document{Kind: "commit-message", Source: r.Name}
		var lines document
		lines.text(message)
		lines.finish(&d)
		documents = append(documents, d)
	}
	patch := withoutMarks(c.patch)
	if n := strings.Count(patch, "\n") + 1; n < 4 || n > longestPatch || strings.Contains(patch, "Binary files ") || strings.ContainsRune(patch, '\r') {
		return documents, nil
	}
	snippets = append(snippets, corpus.Snippet{Text: patch, Lang: "diff", Source: r.Name, Origin: "git"})
	if wordy {
		d := corpus.Document{Kind: "prose+diff", Source: r.Name, Composed: "git"}
		var lines document
		lines.text(message)
		lines.gap()
		lines.code(patch, "diff")
		lines.finish(&d)
		documents = append(documents, d)
	}
	return documents, snippets
}

// withoutMarks makes the marks of empty context lines empty lines, as mail programs do.
func withoutMarks(patch string) string {
	lines := strings.Split(patch, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t")
	}
	return strings.Join(lines, "\n")
}

var codeLine = regexp.MustCompile(`(?m)^(\s{4,}|\t|\$ |> |[+-]{3} |@@ )|[;{}]\s*$|^\s*[\w.]+\(.*\)\s*$`)

// looksLikeCode tells whether a message has a line that may be code.
func looksLikeCode(message string) bool { return codeLine.MatchString(message) }
