package doctest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGoProgramsRun(t *testing.T) {
	eachBlock(t, func(t *testing.T, b Block) {
		if reason, ok := notRun(b); ok {
			t.Skip(reason)
		}
		file := filepath.Join(t.TempDir(), "main.go")
		require.NoError(t, os.WriteFile(file, []byte(program(b.Code)), 0o600))
		cmd := exec.Command("go", "run", file)
		cmd.Dir = root
		var stderr strings.Builder
		cmd.Stderr = &stderr
		output, err := cmd.Output()
		require.NoError(t, err, "%s", stderr.String())
		if want := wantedOutput(b.Code); want != "" {
			require.Equal(t, want, strings.TrimSpace(string(output)))
		}
	}, "go")
}

const modulePath = "github.com/identity-gateway/caddy-identity-gateway/"

var packageClause = regexp.MustCompile(`(?m)^package `)

// program is the code, with a main and imports around it if it has none.
func program(code string) string {
	if packageClause.MatchString(code) {
		return code
	}
	return "package main\n\nimport (\n\"fmt\"\n\n\"" + modulePath + "segment\"\n)\n\nfunc main() {\n" + code + "}\n"
}

// wantedOutput is what stands in the comment "Output:" at the end of the code.
func wantedOutput(code string) string {
	_, comment, found := strings.Cut(code, "// Output:")
	if !found {
		return ""
	}
	var lines []string
	for line := range strings.Lines(comment) {
		lines = append(lines, strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "//")))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
