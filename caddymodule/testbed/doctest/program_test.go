package doctest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
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

// imports are the packages that the documentation's fragments may use by name.
var imports = map[string]string{
	"context": "context", "fmt": "fmt", "log": "log", "http": "net/http", "os": "os", "strings": "strings", "time": "time",
	"rand": "crypto/rand", "replay": modulePath + "idp/replay", "seal": modulePath + "idp/seal",
	"idp": modulePath + "idp", "persona": modulePath + "persona", "segment": modulePath + "segment",
}

var packageClause = regexp.MustCompile(`(?m)^package `)

// program is the code, with a main and imports around it if it has none.
func program(code string) string {
	if packageClause.MatchString(code) {
		return code
	}
	var names []string
	for name := range imports {
		if regexp.MustCompile(`\b` + name + `\.[A-Z]`).MatchString(code) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var out strings.Builder
	out.WriteString("package main\n\n")
	for _, name := range names {
		out.WriteString("import \"" + imports[name] + "\"\n")
	}
	out.WriteString("\nfunc main() {\n" + code + "}\n")
	return out.String()
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

func TestTOMLAndYAMLAreRead(t *testing.T) {
	eachBlock(t, func(t *testing.T, b Block) {
		read := yaml.Unmarshal
		if b.Language == "toml" {
			read = toml.Unmarshal
		}
		var value map[string]any
		require.NoError(t, read([]byte(b.Code), &value))
	}, "toml", "yaml")
}

// A sequence diagram is the one kind that the documentation has. GitHub shows a
// syntax error in place of a diagram that is none.
func TestDiagramsAreSequenceDiagrams(t *testing.T) {
	statement := regexp.MustCompile(`^(participant \w+ as .+|\w+--?>>\w+: [^;#]+|Note (over|left of|right of) \w+(,\w+)?: [^;#]+|rect rgb\(.*\)|loop .+|alt .+|else .*|opt .+|end)$`)
	eachBlock(t, func(t *testing.T, b Block) {
		first, rest, _ := strings.Cut(b.Code, "\n")
		require.Equal(t, "sequenceDiagram", first)
		for line := range strings.Lines(rest) {
			require.Regexp(t, statement, strings.TrimSpace(line))
		}
	}, "mermaid")
}
