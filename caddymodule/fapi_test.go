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

// Each test that FAPI.md names is there.
func TestTheTestsOfFAPIExist(t *testing.T) {
	document, err := os.ReadFile("FAPI.md")
	require.NoError(t, err)
	missing := make(map[string]bool)
	for _, name := range regexp.MustCompile(`\bTest\w+`).FindAllString(string(document), -1) {
		missing[name] = true
	}
	require.Greater(t, len(missing), 20)
	for _, folder := range []string{".", "../idp"} {
		require.NoError(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.Name() == "node_modules" {
				return fs.SkipDir
			}
			if !strings.HasSuffix(path, "_test.go") {
				return nil
			}
			source, err := os.ReadFile(path)
			for _, found := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(source, -1) {
				delete(missing, string(found[1]))
			}
			return err
		}))
	}
	require.Empty(t, missing, "FAPI.md names tests that are not there")
}
