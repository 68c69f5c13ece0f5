package caddymodule_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each test that a page names is there.
func TestTheTestsThatPagesNameExist(t *testing.T) {
	missing := make(map[string]bool)
	for _, page := range [...]string{"FAPI.md", "THREATS.md"} {
		document, err := os.ReadFile(page)
		require.NoError(t, err)
		names := regexp.MustCompile(`\b(Test|Fuzz)[A-Z]\w+`).FindAllString(string(document), -1)
		require.Greater(t, len(names), 20)
		for _, name := range names {
			missing[name] = true
		}
	}
	for _, folder := range []string{".", "../idp"} {
		require.NoError(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.Name() == "node_modules" {
				return fs.SkipDir
			}
			if !strings.HasSuffix(path, "_test.go") {
				return nil
			}
			source, err := os.ReadFile(path)
			for _, found := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllSubmatch(source, -1) {
				delete(missing, string(found[1]))
			}
			return err
		}))
	}
	require.Empty(t, missing, "a page names tests that are not there")
}
