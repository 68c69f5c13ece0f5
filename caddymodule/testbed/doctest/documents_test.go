package doctest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
)

const root = "../../.."

// TestMain is Caddy with the plugin if the program is called that, as commands of
// the documentation do.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "caddy" {
		caddycmd.Main()
		return
	}
	os.Exit(m.Run())
}

// documents are the project's Markdown files; their paths are relative to the root.
func documents(t *testing.T) []*Document {
	t.Helper()
	var all []*Document
	for _, path := range files(t, func(name string) bool { return filepath.Ext(name) == ".md" }) {
		source := must.Have(os.ReadFile(filepath.Join(root, path)))(t)
		all = append(all, Parse(path, source))
	}
	require.NotEmpty(t, all)
	return all
}

// files are the paths of the project's files with such names, relative to the root.
func files(t *testing.T, wanted func(name string) bool) []string {
	t.Helper()
	var paths []string
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && path != root && (name == "testdata" || name == "node_modules" || name == "tasks" || strings.HasPrefix(name, ".") && name != ".github") {
			return filepath.SkipDir
		}
		if entry.IsDir() || !wanted(name) {
			return nil
		}
		relative, err := filepath.Rel(root, path)
		paths = append(paths, filepath.ToSlash(relative))
		return err
	}))
	return paths
}

// eachBlock runs a subtest for each block of the languages.
func eachBlock(t *testing.T, check func(t *testing.T, b Block), languages ...string) {
	t.Helper()
	found := false
	for _, d := range documents(t) {
		for _, b := range d.Blocks {
			if slices.Contains(languages, b.Language) {
				found = true
				t.Run(b.String(), func(t *testing.T) { check(t, b) })
			}
		}
	}
	require.True(t, found, "no document has a block of these languages")
}

// notRun is the reason for which a block is not run.
func notRun(b Block) (reason string, ok bool) {
	reason, ok = strings.CutPrefix(b.Comment, "not run:")
	return strings.TrimSpace(reason), ok
}

func TestEveryBlockSaysWhatItIs(t *testing.T) {
	known := []string{"caddyfile", "conf", "console", "go", "mermaid", "sh", "text", "toml", "yaml"}
	for _, d := range documents(t) {
		for _, b := range d.Blocks {
			require.Contains(t, known, b.Language, "%s: each block needs a language that package doctest knows; `text` is for what is only read", b)
			reason, excused := notRun(b)
			require.True(t, !excused || len(reason) > 5, "%s: the comment must say why the block is not run", b)
			comment, _, _ := strings.Cut(b.Comment, ":")
			require.Contains(t, []string{"", "not run", "syntax"}, comment, "%s: the comment before a block is none that package doctest knows", b)
		}
	}
}

func TestEveryLinkLeadsSomewhere(t *testing.T) {
	anchors := map[string][]string{}
	all := documents(t)
	for _, d := range all {
		anchors[d.Path] = d.Anchors
	}
	for _, d := range all {
		for _, link := range d.Links {
			target, fragment, hasFragment := strings.Cut(link.Target, "#")
			if strings.Contains(target, "://") {
				require.True(t, strings.HasPrefix(target, "https://") || strings.HasPrefix(target, "http://localhost:"), "%s:%d: %s", d.Path, link.Line, link.Target)
				continue
			}
			path := d.Path
			if target != "" {
				path = filepath.ToSlash(filepath.Join(filepath.Dir(d.Path), target))
				_, err := os.Stat(filepath.Join(root, path))
				require.NoError(t, err, "%s:%d: the link %s", d.Path, link.Line, link.Target)
			}
			if hasFragment {
				require.Contains(t, anchors[path], fragment, "%s:%d: the link %s", d.Path, link.Line, link.Target)
			}
		}
	}
}

// The front page is to be read in a few minutes.
func TestTheReadmeIsShort(t *testing.T) {
	content := must.Have(os.ReadFile(filepath.Join(root, "README.md")))(t)
	require.LessOrEqual(t, strings.Count(string(content), "\n"), 170, "what is more than a user needs at first goes into a page beside what it documents")
}
