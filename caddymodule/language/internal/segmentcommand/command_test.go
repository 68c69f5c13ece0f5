package segmentcommand_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/segmentcommand"
)

// result is what a run of the command gave.
type result struct {
	out, errors string
	err         error
}

func run(t *testing.T, in string, args ...string) result {
	t.Helper()
	var out bytes.Buffer
	r := runWith(t.Context(), strings.NewReader(in), &out, args...)
	r.out = out.String()
	return r
}

func runWith(ctx context.Context, in io.Reader, out io.Writer, args ...string) result {
	var errors bytes.Buffer
	cmd := &cobra.Command{Use: "segment " + segmentcommand.Usage, SilenceErrors: true}
	segmentcommand.Setup(cmd, "segment")
	cmd.SetIn(in)
	cmd.SetOut(out)
	cmd.SetErr(&errors)
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(ctx)
	return result{errors: errors.String(), err: err}
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
		"in colors":                 {[]string{"--ansi"}, "Look:\n\x1b[36m┌ code\x1b[0m\n\x1b[36m│\x1b[0m for i in range(3):\n\x1b[36m│\x1b[0m     print(i)\nNice, is it not?\n"},
		"in colors, with languages": {[]string{"--ansi", "--classify", "--min-confidence", "0.01"}, "Look:\n\x1b[?m┌ Python \x1b[2m? %\x1b[0m\n\x1b[?m│\x1b[0m for i in range(3):\n\x1b[?m│\x1b[0m     print(i)\nNice, is it not?\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, message, tt.args...)
			if strings.Contains(tt.want, "?m") { // the color, and how sure
				r.out = regexp.MustCompile(`\[3\dm`).ReplaceAllString(regexp.MustCompile(`\d+ %`).ReplaceAllString(r.out, "? %"), "[?m")
			}
			require.NoError(t, r.err)
			require.Equal(t, tt.want, r.out)
			require.Empty(t, r.errors)
		})
	}
}

func TestAMessageDoesNothingToTheTerminal(t *testing.T) {
	r := run(t, "Please have a look at \x1b]0;this title\x07 and \u009b31m\tat the\x7f rest.\n", "--ansi")
	require.NoError(t, r.err)
	require.Equal(t, "Please have a look at ␛]0;this title␇ and �31m\tat the␡ rest.\n", r.out)

	// Neither does the name of a file.
	folder := t.TempDir()
	file, other := write(t, folder, "\x1b[2J.md", bare), write(t, folder, "b.md", "Just a sentence.")
	missing := filepath.Join(folder, "\x1b[3J")
	r = run(t, "", "--ansi", file, missing, other)
	require.Error(t, r.err)
	require.Contains(t, r.out, "\x1b[1m==> "+filepath.Join(folder, "␛[2J.md")+" <==\x1b[0m\n")
	require.Contains(t, r.out, "\x1b[1m==> "+other+" <==\x1b[0m\nJust a sentence.\n")
	require.Contains(t, r.errors, "segment: open "+filepath.Join(folder, "␛[3J"))
	r = run(t, "", "--label-fences", file, missing)
	require.Error(t, r.err)
	require.NotContains(t, r.errors, "\x1b")
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
	require.Equal(t, link+": 2 fences to label\n", r.errors)
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

func TestLabelFencesLeavesOtherFilesAlone(t *testing.T) {
	folder := t.TempDir()
	named, one := write(t, folder, "named.md", "```go\nfunc main() {}\n```\n"), write(t, folder, strings.Repeat("n", 252)+".md", "```\nSELECT name FROM users GROUP BY name;\n```\n")
	before, err := os.Stat(named)
	require.NoError(t, err)
	r := run(t, "", "--label-fences", named, one)
	require.NoError(t, r.err)
	require.Equal(t, one+": 1 fence labelled\n", r.errors, "names may be as long as the system allows")
	after, err := os.Stat(named)
	require.NoError(t, err)
	require.True(t, os.SameFile(before, after), "a file without bare fences is not written")
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

func TestInputThatCannotBeRead(t *testing.T) {
	for _, args := range [][]string{nil, {"--json"}, {"--label-fences"}} {
		r := runWith(t.Context(), iotest.ErrReader(io.ErrUnexpectedEOF), io.Discard, args...)
		require.EqualError(t, r.err, "1 of 1 could not be processed")
		require.Contains(t, r.errors, "segment: standard input: unexpected EOF\n")
	}
}

// Ctrl-C ends the whole run, not one file of it.
func TestARunThatIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{nil, {"--classify"}, {"--label-fences"}} {
		folder := t.TempDir()
		a, b := write(t, folder, "a.md", bare), write(t, folder, "b.md", bare)
		var out bytes.Buffer
		r := runWith(ctx, nil, &out, append(args, a, b)...)
		require.Error(t, r.err)
		require.Equal(t, "segment: context canceled\n", r.errors)
		require.Empty(t, out.String())
		for _, file := range []string{a, b} {
			content, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, bare, string(content))
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	require.Error(t, runWith(t.Context(), strings.NewReader("x"), failing{}).err)
}
