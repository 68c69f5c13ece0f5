package command_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/command"
)

// result is what a run of the command gave.
type result struct {
	out, errors string
	err         error
}

func run(t *testing.T, in string, args ...string) result {
	t.Helper()
	var out, errors bytes.Buffer
	cmd := &cobra.Command{Use: "segment " + command.Usage}
	command.Setup(cmd)
	cmd.SetIn(strings.NewReader(in))
	cmd.SetOut(&out)
	cmd.SetErr(&errors)
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(t.Context())
	return result{out.String(), errors.String(), err}
}

const message = "Look:\n\n~~~python\nfor i in range(3):\n    print(i)\n~~~\n\nNice, is it not?\n"

func TestFormats(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"Markdown unless on a terminal": {nil, "Look:\n\n```python\nfor i in range(3):\n    print(i)\n```\n\nNice, is it not?\n"},
		"Markdown":                      {[]string{"--markdown", "-"}, "Look:\n\n```python\nfor i in range(3):\n    print(i)\n```\n\nNice, is it not?\n"},
		"JSON": {[]string{"--json"}, `{"iterable":[{"generic":"TEXT","fragment":{"string":{"raw":"Look:\n\n"}}},` +
			`{"generic":"CODE","fragment":{"string":{"raw":"for i in range(3):\n    print(i)\n"}}},{"generic":"TEXT","fragment":{"string":{"raw":"\nNice, is it not?\n"}}}]}` + "\n"},
		"JSON with languages": {[]string{"--json", "--classify"}, `{"iterable":[{"generic":"TEXT","fragment":{"string":{"raw":"Look:\n\n"}}},` +
			`{"generic":"CODE","specific":"py","fragment":{"string":{"raw":"for i in range(3):\n    print(i)\n"},"metadata":{"ext":"py"}}},{"generic":"TEXT","fragment":{"string":{"raw":"\nNice, is it not?\n"}}}]}` + "\n"},
		"in colors": {[]string{"--ansi"}, "Look:\n\x1b[36m┌ code\x1b[0m\n\x1b[36m│\x1b[0m for i in range(3):\n\x1b[36m│\x1b[0m     print(i)\nNice, is it not?\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, message, tt.args...)
			require.NoError(t, r.err)
			require.Equal(t, tt.want, r.out)
			require.Empty(t, r.errors)
		})
	}
}

func TestAMessageDoesNothingToTheTerminal(t *testing.T) {
	r := run(t, "Please have a look at \x1b]0;this title\x07 and \u009b31m at the rest.\n", "--ansi")
	require.NoError(t, r.err)
	require.Equal(t, "Please have a look at ␛]0;this title␇ and �31m at the rest.\n", r.out)
}

func write(t *testing.T, folder, name, content string) string {
	t.Helper()
	file := filepath.Join(folder, name)
	require.NoError(t, os.WriteFile(file, []byte(content), 0o640))
	return file
}

func TestSeveralFilesAndOneThatIsMissing(t *testing.T) {
	folder := t.TempDir()
	a, b := write(t, folder, "a.txt", "Just a sentence."), write(t, folder, "b.txt", "")
	missing := filepath.Join(folder, "missing")
	r := run(t, "", "--json", a, missing, b)
	require.EqualError(t, r.err, "1 of 3 could not be processed")
	require.Contains(t, r.errors, "segment: open "+missing)
	require.Equal(t, `{"file":"`+a+`","iterable":[{"generic":"TEXT","fragment":{"string":{"raw":"Just a sentence."}}}]}`+"\n"+`{"file":"`+b+`","iterable":[]}`+"\n", r.out)
	require.Equal(t, "==> "+a+" <==\nJust a sentence.\n==> "+b+" <==\n", run(t, "", a, b).out)
}

const bare = "# Use\n\n```\nSELECT name, count(*) FROM users GROUP BY name;\n```\n\n> ~~~  \r\n> def f(x):\r\n>     return x + 1\r\n> ~~~\r\n"

var labelled = strings.NewReplacer("```\nSEL", "```sql\nSEL", "~~~  ", "~~~python  ").Replace(bare)

func TestLabelFencesChangesTheFile(t *testing.T) {
	folder := t.TempDir()
	file := write(t, folder, "a.md", bare)
	link := filepath.Join(folder, "link.md")
	require.NoError(t, os.Symlink(file, link))

	r := run(t, "", "--label-fences", "--check", link)
	require.EqualError(t, r.err, "1 of 1 would change")
	require.Equal(t, link+": 2 fences to label\n", strings.SplitAfter(r.errors, "\n")[0])
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, bare, string(content))

	r = run(t, "", "--label-fences", link)
	require.NoError(t, r.err)
	require.Equal(t, link+": 2 fences labelled\n", r.errors)
	content, err = os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, labelled, string(content))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.Equal(t, os.ModeSymlink, info.Mode().Type(), "the link stays")
	info, err = os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), info.Mode().Perm())

	r = run(t, "", "--label-fences", "--check", file)
	require.NoError(t, r.err, "a second time changes nothing")
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, entries, 2, "nothing is left behind")
}

func TestLabelFencesFromTheStandardInput(t *testing.T) {
	r := run(t, bare, "--label-fences")
	require.NoError(t, r.err)
	require.Equal(t, labelled, r.out)
	require.Empty(t, r.errors)
	require.Equal(t, bare, run(t, bare, "--label-fences", "--min-confidence", "1").out, "as sure as that is nobody")
}

func TestMistakesInTheArguments(t *testing.T) {
	for want, args := range map[string][]string{
		"none of the others can be":              {"--json", "--ansi"},
		"--check goes with --label-fences":       {"--check"},
		"--min-confidence must be from 0 to 1":   {"--min-confidence", "2"},
		"unknown flag: --colour":                 {"--colour"},
		"invalid argument \"x\" for \"--min-con": {"--min-confidence", "x"},
	} {
		require.ErrorContains(t, run(t, "", args...).err, want)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	cmd := &cobra.Command{Use: "segment"}
	command.Setup(cmd)
	cmd.SetIn(strings.NewReader("x"))
	cmd.SetOut(failing{})
	cmd.SetErr(io.Discard)
	cmd.SetArgs(nil)
	require.Error(t, cmd.Execute())
}
