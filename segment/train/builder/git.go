package builder

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// checkout clones a repository below the cache, unless it is there, and checks its commit out. It returns the folder.
func (b *build) checkout(ctx context.Context, r Repository) (string, error) {
	dir := filepath.Join(b.Cache, strings.ReplaceAll(r.Name, "/", "__"))
	if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
		// Files come when they are checked out, the history's when it is read.
		if _, err := git(ctx, "", "clone", "--quiet", "--filter=blob:none", "--no-checkout", "--", b.From+r.Name, dir); err != nil {
			return "", err
		}
	}
	_, err := git(ctx, dir, "checkout", "--quiet", "--force", "--detach", r.Commit)
	return dir, err
}

// git runs Git without the settings of this machine's user, so that the same manifest gives the same records everywhere. It
// asks nobody for a password, follows no symbolic link of a repository, and leaves large files where they are.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, "git", append([]string{"-c", "core.symlinks=false", "-c", "core.autocrlf=false"}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_LFS_SKIP_SMUDGE=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}

// What is read of a history.
const (
	longestPatch  = 80 // lines
	shortestWords = 40 // bytes of a message
)

var (
	trailer   = regexp.MustCompile(`(?m)^([A-Z][A-Za-z-]*-[Bb]y|Change-Id|Fixes|Closes|Refs?|Bug|PR-URL|Reviewed-on|Cc|CC|Link): .*$`)
	endOfLine = regexp.MustCompile(`(?m)[ \t]+$`)
	// codeLine finds a line of a message that may be code.
	codeLine = regexp.MustCompile(`(?m)^(\s{4,}|\t|\$ |> |[+-]{3} |@@ )|[;{}]\s*$|^\s*[\w.]+\(.*\)\s*$`)
)

// commit is a commit of a history.
type commit struct{ message, patch string }

// history returns the last 300 commits before a commit that are no merges, newest first.
func history(ctx context.Context, dir, hash string) ([]commit, error) {
	out, err := git(ctx, dir, "log", "--no-merges", "--no-color", "--no-ext-diff", "--no-textconv", "--patch",
		"--max-count=300", "--format=%x00%B%x00", hash)
	if err != nil {
		return nil, err
	}
	var all []commit
	cells := strings.Split(string(out), "\x00")
	for i := 1; i+1 < len(cells); i += 2 {
		message := trailer.ReplaceAllString(strings.ReplaceAll(cells[i], "\r", ""), "")
		patch := endOfLine.ReplaceAllString(strings.Trim(cells[i+1], "\n"), "") // mail programs make the marks of empty context lines empty lines
		all = append(all, commit{strings.TrimSpace(message), patch})
	}
	return all, nil
}

// records are the records of a commit: its message, its patch, and both together.
func (c commit) records(r Repository) (documents []corpus.Document, snippets []corpus.Snippet) {
	var d document
	d.text(c.message)
	wordy := len(c.message) >= shortestWords && !codeLine.MatchString(c.message)
	if wordy {
		documents = append(documents, d.record("commit-message", r.Name))
	}
	if n := strings.Count(c.patch, "\n") + 1; n < 4 || n > longestPatch || strings.Contains(c.patch, "Binary files ") || strings.ContainsRune(c.patch, '\r') {
		return documents, nil
	}
	if wordy {
		d.gap()
		d.code(c.patch, "diff")
		both := d.record("prose+diff", r.Name)
		both.Composed = "git"
		documents = append(documents, both)
	}
	return documents, []corpus.Snippet{{Text: c.patch, Lang: "diff", Source: r.Name, Origin: "git"}}
}
