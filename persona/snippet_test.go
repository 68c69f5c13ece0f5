package persona

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSnippetShowsWhatIsOutsideItsCheckRegions(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      Snippet
	}{
		{"everything, if there is no directive", "a\nb\n", Snippet{Code: "a\nb"}},
		{"not what is between check and end", "// snippet:check\nimport x\n// snippet:end\na\n", Snippet{Code: "a"}},
		{"not what follows a check without an end", "a\n# snippet:check\nb\n", Snippet{Code: "a"}},
		{"several regions", "-- snippet:check\n1\n-- snippet:end\na\n-- snippet:check\n2\n-- snippet:end\nb", Snippet{Code: "a\nb"}},
		{"no directive inside a region either", "a\n; snippet:check\n; snippet:prints 3\n", Snippet{Code: "a", Prints: []string{"3"}, Output: []string{"3"}}},
		{"without blank ends and with at most two blank lines in a row", "\n\na\n\n% snippet:check\n% snippet:end\n\n\nb\n\n", Snippet{Code: "a\n\n\nb"}},
		{"without the common indentation", "class X {\n// snippet:check\n}\n// snippet:end", Snippet{Code: "class X {"}},
		{"blank lines do not count as indentation", "// snippet:check\n{\n// snippet:end\n\t\ta\n\n\t\t\tb\n", Snippet{Code: "a\n\n\tb"}},
		{"mixed indentation is removed as far as it is the same", "  a\n \tb", Snippet{Code: " a\n\tb"}},
		{"without trailing white space and byte order mark", "\ufeffa  \t\nb\r", Snippet{Code: "a\nb"}},
		{
			"comments of every kind", "<!-- snippet:title T -->\n/* snippet:prints 1 */\n(* snippet:prints 2 *)\n{- snippet:prints 3 -}\n#= snippet:prints 4 =#\n%{ snippet:prints 5 %}\na",
			Snippet{Code: "a", Title: "T", Prints: []string{"1", "2", "3", "4", "5"}, Output: []string{"1", "2", "3", "4", "5"}},
		},
		{"a closer of another comment belongs to the text", "// snippet:prints */\na", Snippet{Code: "a", Prints: []string{"*/"}, Output: []string{"*/"}}},
		{"leading space of an output line counts, trailing does not", "# snippet:prints   x  \n# snippet:prints\na", Snippet{Code: "a", Prints: []string{"  x", ""}, Output: []string{"  x", ""}}},
		{"documentation", "# snippet:doc https://example.com/a The page\na", Snippet{Code: "a", Doc: Link{"The page", "https://example.com/a"}}},
		{
			"what it needs, and what its check measures", "# snippet:needs Go 1.22\na\n# snippet:check\n# snippet:measures equal time\n",
			Snippet{Code: "a", Needs: "Go 1.22", measures: []string{"equal time"}},
		},
		{
			"its own description and why, over several lines", "# snippet:description One.\n# snippet:description Two.\n# snippet:why So.\na\n",
			Snippet{Code: "a", Description: "One. Two.", Reason: "So."},
		},
		{"words before it make it no directive", `print("snippet:check")` + "\nx = snippet:end", Snippet{Code: `print("snippet:check")` + "\nx = snippet:end"}},
	} {
		got, err := parseSnippet(c.src, false)
		require.Nil(t, err, c.name)
		got.setup, got.HasHidden, got.outputComments = "", false, nil // see lint_test.go and below
		require.Equal(t, c.want, got.Snippet, c.name)
	}
	got, err := parseSnippet("       >>source format free\n       stop run.\n", true)
	require.Nil(t, err)
	require.Equal(t, "       >>source format free\n       stop run.", got.Code, "where columns matter, the indentation stays")
}

func TestUsageIsShownWithTheCodeAndCanBeLeftOut(t *testing.T) {
	for _, c := range []struct {
		name, src       string
		code, withUsage string
		output          []string
		hidden          bool
	}{
		{"below the code, under a comment", "a\n# snippet:usage\nb\n# snippet:prints 3", "a", "a\n\n# Usage:\nb\n\n# Prints:\n# 3", []string{"3"}, false},
		{"a paragraph of its own, however the file is set", "a\n\n\n# snippet:usage\n\n\nb", "a", "a\n\n\n# Usage:\nb", nil, false},
		{"above it too, where no comment says so", "// snippet:usage\nm\n// snippet:end\na\n// snippet:usage\nb", "a", "m\na\n\n// Usage:\nb", nil, false},
		{"a comment above the first of several parts", "a\n% snippet:usage\nb\n% snippet:check\nh\n% snippet:usage\nc", "a", "a\n\n% Usage:\nb\nc", nil, true},
		{"around it, with the indentation", "{- snippet:usage -}\nm {\n{- snippet:end -}\n  a\n  {- snippet:usage -}\n  b\n}", "a", "m {\n  a\n\n  {- Usage: -}\n  b\n}", nil, false},
		{"what only the check prints is not told", "a\n# snippet:usage\n# snippet:prints 1\nb\n# snippet:check\n# snippet:prints 2\nc", "a", "a\n\n# Usage:\nb\n\n# Prints:\n# 1", []string{"1"}, true},
		{"code that runs without more", "a\n(* snippet:prints x *)\n(* snippet:prints *)", "a", "a\n\n(* Prints: *)\n(* x *)\n(*  *)", []string{"x", ""}, false},
		{"nothing is told of code that needs hidden lines", "a\n# snippet:prints 1\n# snippet:check\nb", "a", "a", nil, true},
		{"an empty one is none", "a\n# snippet:usage\n\n# snippet:check\nb", "a", "a", nil, true},
	} {
		got, err := parseSnippet(c.src, false)
		require.Nil(t, err, c.name)
		require.Equal(t, c.code, got.Code, c.name)
		require.Equal(t, c.withUsage, got.WithUsage(), c.name)
		require.Equal(t, c.output, got.Output, c.name)
		require.Equal(t, c.hidden, got.HasHidden, c.name)
	}
}

func TestSnippetMistakesAreToldWithTheirLine(t *testing.T) {
	for src, want := range map[string]snippetError{
		"a\n# snippet:end\n":                            {2, "snippet:end without a snippet:check or snippet:usage before it"},
		"a\n\n# snippet:chekc\n":                        {3, "snippet:chekc: expected check, usage, end, prints, about, doc, title, description, why, needs, into or measures"},
		"# snippet:doc http://example.com Page\na":      {1, `snippet:doc: "http://example.com": expected an absolute https address, then the page's name`},
		"# snippet:doc https://example.com\na":          {1, "snippet:doc: the page's name is missing after its address"},
		"#snippet:doc https://a.b A\n#snippet:doc b\na": {2, "snippet:doc: there is one already"},
		"# snippet:title\na":                            {1, "snippet:title: a text is missing"},
		"# snippet:description\na":                      {1, "snippet:description: a text is missing"},
		"# snippet:why\na":                              {1, "snippet:why: a sentence is missing"},
		"# snippet:into\na":                             {1, "snippet:into: a sentence is missing: snippet:into Save it as report_test.go: go test"},
		"# snippet:needs\na":                            {1, "snippet:needs: what it needs at least is missing: snippet:needs Go 1.22"},
		"# snippet:check\n# snippet:measures\na":        {2, "snippet:measures: the claim that is measured is missing"},
		"# snippet:check\na":                            {1, "nothing of the file is shown: end the check region with snippet:end"},
		"":                                              {1, "nothing of the file is shown: end the check region with snippet:end"},
	} {
		_, err := parseSnippet(src, false)
		require.NotNil(t, err, "%q", src)
		require.Equal(t, want, *err, "%q", src)
	}
}
