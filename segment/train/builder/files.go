package builder

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-enry/go-enry/v2"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
)

// checkout clones a repository below the cache, unless it is there, and checks its commit out. It returns the folder.
func (b *build) checkout(ctx context.Context, r Repository) (string, error) {
	dir := filepath.Join(b.Cache, strings.ReplaceAll(r.Name, "/", "__"))
	if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
		// Files come when they are checked out.
		if _, err := git(ctx, "", "clone", "--quiet", "--filter=blob:none", "--no-checkout", "--", b.From+r.Name, dir); err != nil {
			return "", err
		}
	}
	_, err := git(ctx, dir, "checkout", "--quiet", "--force", "--detach", r.Commit)
	return dir, err
}

// git runs Git without the settings of this machine's user, so that the same manifest gives the same records everywhere. It
// asks nobody for a password, follows no symbolic link of a repository, and leaves large files where they are.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "git", append([]string{"-c", "core.symlinks=false", "-c", "core.autocrlf=false"}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_LFS_SKIP_SMUDGE=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return string(out), nil
}

// largest is the size of a file from which it is not read.
const largest = 512 << 10

// source is a file of a repository.
type source struct{ path, text string }

// sources are the text files of a repository, in the order of their paths. It leaves out what others wrote (vendored), what
// programs wrote, and files that name a license that binds who passes them on.
func sources(ctx context.Context, dir string) ([]source, error) {
	names, err := git(ctx, dir, "ls-files", "-z")
	if err != nil {
		return nil, err
	}
	var all []source
	for name := range strings.SplitSeq(names, "\x00") {
		file := filepath.Join(dir, filepath.FromSlash(name))
		info, err := os.Lstat(file)
		if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > largest || enry.IsVendor(name) {
			continue // such as a submodule
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("builder: %w", err)
		}
		if utf8.Valid(content) && !enry.IsBinary(content) && !enry.IsGenerated(name, content) && !bound.Match(content[:min(len(content), 4<<10)]) {
			all = append(all, source{name, strings.ReplaceAll(string(content), "\r\n", "\n")})
		}
	}
	return all, nil
}

// language is the label of a file by its name, and by its content where several languages have the same extension; "" if
// there is none.
func language(s source) string {
	base := filepath.Base(s.path)
	switch {
	case base == "Caddyfile" || strings.HasPrefix(base, "Caddyfile."):
		return "caddyfile"
	case strings.HasSuffix(base, ".log"):
		return "log"
	case strings.HasSuffix(base, ".jsx"):
		return "jsx"
	}
	if labels := classification.LinguistNames()[enry.GetLanguage(s.path, []byte(s.text))]; len(labels) > 0 {
		return labels[0]
	}
	return ""
}

// perLanguage is how many windows a repository gives at most of one language.
const perLanguage = 200

// perWindow is the number of lines that a file needs for each window after the first.
const perWindow = 8

// windows cuts random windows of all four lengths out of the files of one language, without their common indentation. Of
// each length there are at most a quarter of perLanguage, from as many files as possible.
func windows(files []source, rng *rand.Rand) []string {
	files = slices.Clone(files)
	rng.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	var counts [len(classification.Lengths)]int
	var all []string
	for round := range perLanguage {
		for i, f := range files {
			length := (i + round) % len(counts)
			if counts[length] == perLanguage/len(counts) || strings.Count(f.text, "\n") < round*perWindow {
				continue
			}
			if w := cut(f.text, linesOf[length][0]+rng.IntN(linesOf[length][1]+1), rng); w != "" {
				counts[length]++
				all = append(all, w)
			}
		}
	}
	return all
}

// linesOf are, for each length class, the fewest lines of a window and how many more there may be.
var linesOf = [len(classification.Lengths)][2]int{{1, 0}, {2, 3}, {6, 14}, {21, 39}}

// cut returns a random window of n lines of a file; "" if none of a few tries has enough in it to tell a language. The
// comment that a file begins with is usually its license and left out.
func cut(text string, n int, rng *rand.Rand) string {
	lines := withoutHeader(strings.Split(strings.TrimRight(text, "\n"), "\n"))
	if len(lines) < n {
		return ""
	}
	for range 6 {
		i := rng.IntN(len(lines) - n + 1)
		part := lines[i : i+n]
		if blank(part[0]) || blank(part[n-1]) || !mostlyCode(part) {
			continue
		}
		if w := corpus.Dedent(strings.Join(part, "\n")); corpus.Informative(w) {
			return w
		}
	}
	return ""
}

// withoutHeader drops the comment that a file begins with.
func withoutHeader(lines []string) []string {
	for i, line := range lines {
		if !blank(line) && !comment.MatchString(line) {
			return lines[i:]
		}
	}
	return nil
}

// comment finds what looks like a line of a comment, in any language. "#" counts if a space follows: without one, it begins a
// directive, a heading or a selector.
var comment = regexp.MustCompile(`^\s*(//|/?\*|# |#!|#\s*$|--|;|%|<!--|\(\*|\{-|REM |rem |'|""")`)

// mostlyCode tells whether at least half of the lines that are not blank are no comments.
func mostlyCode(lines []string) bool {
	code, comments := 0, 0
	for _, l := range lines {
		switch {
		case blank(l):
		case comment.MatchString(l):
			comments++
		default:
			code++
		}
	}
	return code >= max(comments, 1)
}

// bound finds the name of a license that binds who passes a file on.
var bound = regexp.MustCompile(`(?i)general public license|gnu gpl|creative commons attribution-noncommercial|all rights reserved\. proprietary`)
