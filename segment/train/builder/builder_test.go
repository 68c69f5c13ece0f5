package builder

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

const mit = `MIT License

Copyright (c) 2024 Somebody

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR
IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`

const gpl = "This program is free software: you can redistribute it and/or modify it under the terms of the GNU General Public License\n" +
	"as published by the Free Software Foundation, either version 3 of the License, or (at your option) any later version.\n"

const readme = "# Counter\n\nA small server that counts the visits of a page and\nkeeps the number in a file.\n\n```go\nfunc main() {\n\thttp.ListenAndServe(\":8080\", count())\n}\n```\n\n" +
	"Start it from the command line, then look at the page:\n\n```sh\n$ go run .\nlistening on :8080\n```\n\n" +
	"## Why\n\nWe wanted something that a beginner can read in an\nafternoon, and that nobody has to configure.\n\nIt does no more than that.\n"

// repository makes a Git repository of a commit, and returns that.
func repository(t *testing.T, root, name string, files map[string]string) string {
	dir := filepath.Join(root, name)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	run := func(args ...string) string {
		c := exec.Command("git", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
			"GIT_AUTHOR_DATE=2024-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2024-01-01T00:00:00Z", "GIT_CONFIG_GLOBAL="+os.DevNull)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s: %s", args, out)
		return strings.TrimSpace(string(out))
	}
	run("init", "--quiet")
	for path, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644))
	}
	run("add", "--all")
	run("commit", "--quiet", "--message", "first")
	return run("rev-parse", "HEAD")
}

// program is a Go file of many functions.
func program(name string) string {
	var b strings.Builder
	b.WriteString("// Copyright of somebody.\n// All of it.\n\npackage " + name + "\n")
	for i := range 30 {
		fmt.Fprintf(&b, "\nfunc %s%d(a, b int) (sum int, err error) {\n\tif a > %d {\n\t\treturn 0, errors.New(\"%s is too large\")\n\t}\n\treturn a + b*%d, nil\n}\n", name, i, i*7, name, i)
	}
	return b.String()
}

func requireGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
}

func TestBuild(t *testing.T) {
	requireGit(t)
	root, out := t.TempDir(), t.TempDir()
	app := repository(t, root, "o/app",
		map[string]string{"LICENSE": mit, "README.md": readme, "count.go": program("count"), "vendor/x/x.go": program("vendored"), "page.css": gpl + ".a { color: red; }\n", "logo.png": "\x89PNG\x00\x01"})
	dev := repository(t, root, "o/dev", map[string]string{"LICENSE": mit, "sum.py": strings.Repeat("def add(first, second):\n    return first + second * 2\n\n", 20)})
	twin := repository(t, root, "o/twin", map[string]string{"LICENSE": mit, "sum.py": strings.Repeat("def add(first, second):\n    return first + second * 2\n\n", 20)})
	bound := repository(t, root, "o/bound", map[string]string{"COPYING": gpl, "count.go": program("bound")})
	third := repository(t, root, "o/third", map[string]string{"LICENSE": mit, "tally.go": program("tally")})
	manifest := strings.Join([]string{
		"# all of them", "o/third\t" + third + "\ttrain3", "o/app\t" + app + "\ttrain", "o/dev\t" + dev[:12] + "\tdev", "o/twin\t" + twin + "\ttrain2", "o/bound\t" + bound + "\ttrain",
		"o/missing\t" + app + "\ttrain", "o/archive\t" + app + "\tmessages",
	}, "\n")
	var log strings.Builder
	o := Options{Manifest: manifest, From: root + "/", Cache: t.TempDir(), Out: out, Log: &log}
	require.NoError(t, Build(context.Background(), o))
	require.Contains(t, log.String(), "o/bound: left out: no license in its root that allows it")
	require.Contains(t, log.String(), "o/missing: left out: git clone")
	require.Contains(t, log.String(), "o/archive: left out: an archive of messages")

	t.Setenv("CORPUS", out)
	c, err := corpus.Open()
	require.NoError(t, err)
	training := corpus.Training{Corpus: c}
	_, names, err := training.Origin()
	require.NoError(t, err)
	require.Equal(t, []string{"MIT"}, names)

	snippets, err := c.Snippets("snippets.train")
	require.NoError(t, err)
	labels, origins := map[string]int{}, map[string]int{}
	for _, s := range snippets {
		require.Equal(t, "o/app", s.Source)
		require.NotContains(t, s.Text, "vendored")
		require.NotContains(t, s.Text, "Copyright", "the header of a file is left out")
		labels[s.Lang]++
		origins[s.Origin]++
	}
	require.Zero(t, labels["css"], "the file names a license that binds")
	require.Greater(t, labels["go"], 20)
	require.Equal(t, 1, labels["console"], "a session under the tag sh")
	require.Equal(t, 2, origins["fence"])

	documents, err := c.Documents("documents.train") // refuses records whose lines and labels differ in number
	require.NoError(t, err)
	kinds := map[string]corpus.Document{}
	for _, d := range documents {
		kinds[d.Kind] = d
		if d.Kind != "pure-code" { // those hold windows of the README's source
			require.NotContains(t, d.Text, "```")
		}
	}
	require.Contains(t, kinds, "pure-code")

	all, err := training.Snippets()
	require.NoError(t, err)
	require.True(t, slices.ContainsFunc(all, func(s corpus.Snippet) bool { return s.Source == "o/third" }))

	held, err := c.Snippets("snippets.dev")
	require.NoError(t, err)
	require.NotEmpty(t, held)
	again, err := c.Snippets("snippets.train2")
	require.NoError(t, err)
	for _, s := range again {
		require.NotContains(t, s.Text, "\n", "what is in dev is not in train, but for lines too short to compare")
	}

	require.ErrorContains(t, Build(context.Background(), o), "holds a corpus already")
	o.Out, o.Log = t.TempDir(), io.Discard
	require.NoError(t, Build(context.Background(), o))
	for _, name := range []string{"snippets.train.jsonl.gz", "documents.train.jsonl.gz", "README.md"} {
		first, err := os.ReadFile(filepath.Join(out, name))
		require.NoError(t, err)
		second, err := os.ReadFile(filepath.Join(o.Out, name))
		require.NoError(t, err)
		require.Equal(t, first, second, "%s: the same manifest gives the same records", name)
	}
}

func TestNothingLeftIsAnError(t *testing.T) {
	requireGit(t)
	err := Build(context.Background(), Options{Manifest: "o/missing\t0123456789ab\ttrain\n", From: t.TempDir() + "/", Cache: t.TempDir(), Out: t.TempDir(), Log: io.Discard})
	require.ErrorContains(t, err, "no repository of the manifest could be used")
}

func TestTheManifestNamesRepositoriesAtCommits(t *testing.T) {
	all, err := repositories(Manifest)
	require.NoError(t, err)
	require.Len(t, all, 882)
	splits := map[string]string{}
	for _, r := range all {
		require.Regexp(t, `^[A-Za-z0-9_][\w.-]*/[A-Za-z0-9_.][\w.-]*$`, r.Name)
		require.Regexp(t, "^[0-9a-f]{7,64}$", r.Commit, "a branch or tag would move")
		require.Contains(t, []string{"train", "train2", "train3", "dev", "messages"}, r.Split)
		if split, twice := splits[r.Name]; twice {
			require.Equal(t, split, r.Split, "splits share no repository")
		}
		splits[r.Name] = r.Split
	}
	_, err = repositories("# one\n\no/r abcdef0\n")
	require.ErrorContains(t, err, `"o/r abcdef0" has 1 cells`)
}

func TestMarkdownBecomesADocument(t *testing.T) {
	parts := pieces("---\ntitle: x\n---\n" + readme)
	require.Len(t, parts, 2)
	documents, tagged := markdownRecords(parts[0], source{path: "README.md"}, Repository{Name: "o/r"})
	require.Len(t, documents, 1)
	d := documents[0]
	lines := strings.Split(d.Text, "\n")
	require.Len(t, d.Labels, len(lines))
	require.Len(t, d.Langs, len(lines))
	require.Equal(t, []corpus.Snippet{
		{Text: "func main() {\n\thttp.ListenAndServe(\":8080\", count())\n}", Lang: "go", Source: "o/r", Origin: "fence"},
		{Text: "$ go run .\nlistening on :8080", Lang: "console", Source: "o/r", Origin: "fence"},
	}, tagged)
	require.Equal(t, "readme", d.Kind)
	for i, l := range lines {
		want, language := corpus.Text, ""
		switch {
		case l == "":
			want = corpus.Blank
		case strings.HasPrefix(l, "func main"), strings.HasPrefix(l, "\thttp"), l == "}":
			want, language = corpus.Code, "go"
		case strings.HasPrefix(l, "$ go"), strings.HasPrefix(l, "listening"):
			want, language = corpus.Code, "console"
		}
		require.Equal(t, want, d.Labels[i], "%q", l)
		require.Equal(t, language, d.Langs[i], "%q", l)
	}
	documents, tagged = markdownRecords(parts[1], source{path: "README.md"}, Repository{Name: "o/r"})
	require.Equal(t, "pure-text", documents[0].Kind)
	require.Equal(t, parts[1], documents[0].Text)
	require.Empty(t, tagged)
}

func TestACommentInCodeIsNoHeading(t *testing.T) {
	require.Len(t, pieces("# One\n\n```sh\n# first\nmake\n```\n\n# Two\n\nWords.\n"), 2)
}

func TestMarkdownThatLeavesDoubtsIsLeftOut(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"marked HTML", "Words.\n\n<pre>\ncode\n</pre>\n"},
		{"other HTML", "Words.\n\n<div>\nmore\n</div>\n"},
		{"HTML before code", "<br>\n\n```go\nx := 1\n```\n"},
		{"an open fence", "Words.\n\n```go\nx := 1\n"},
		{"an empty fence", "Words.\n\n```go\n```\n"},
		{"indented prose", "Words.\n\n    more words, further in\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			documents, tagged := markdownRecords(c.text, source{path: "a.md"}, Repository{})
			require.Empty(t, documents)
			require.Empty(t, tagged)
		})
	}
}

func TestCodeInAList(t *testing.T) {
	documents, tagged := markdownRecords("1. First:\n\n   ```js\n   f(<App />)\n   ```\n2. Second", source{path: "a.md"}, Repository{})
	require.Equal(t, "1. First:\n\n   f(<App />)\n2. Second", documents[0].Text)
	require.Equal(t, "T-CT", strings.Join(documents[0].Labels, ""))
	require.Equal(t, "f(<App />)", tagged[0].Text)
	require.Equal(t, "jsx", tagged[0].Lang, "elements make it JSX")
}

func TestOverlap(t *testing.T) {
	o := overlap{}
	o.add("func add(a, b int) int {\n\treturn a + b\n}")
	require.True(t, o.has("func add(a, b int) int { return a + b }"), "equal but for white space")
	require.True(t, o.has("func add(a, b int) int {\n\treturn a + b // the sum\n}"), "most runs of tokens are the same")
	require.False(t, o.has("func sub(x, y float64) float64 {\n\treturn x - y\n}"))
	require.False(t, o.has("return a"))
}
