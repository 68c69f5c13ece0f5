package persona

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLintHoldsASnippetToWhatItShowsAndClaims(t *testing.T) {
	const (
		languages = "[[language]]\nid = \"sql\"\nname = \"SQL\"\next = \"sql\"\nfile = \"sql\"\n[[language]]\nid = \"go\"\nname = \"Go\"\next = \"go\"\nfile = \"go\"\n"
		doc       = " snippet:doc https://example.com Page\n"
		body      = "1\n2\n3\n4\n"
	)
	secret := strings.NewReplacer("tags = [", "tags = [\"security\", ", "From here to there.", "From here to there. By sea.").Replace(oneTask)
	require.NotEqual(t, oneTask, secret)
	for _, c := range []struct{ name, file, src, want string }{
		{"a table and its rows may be hidden", "sql.sql", "--" + doc + "-- snippet:check\n-- a note\nCREATE TABLE t (\n  a int\n);\nINSERT INTO t\nSELECT 1;\n\\o /dev/null\nSELECT setseed(0.5) \\g /dev/null\n-- snippet:end\nSELECT a\nFROM t\nWHERE a = 1\nORDER BY a\nLIMIT 1;\n", ""},
		{"what changes the meaning may not", "sql.sql", "--" + doc + "-- snippet:check\nBEGIN;\nCREATE TABLE t (a int);\n-- snippet:end\nSET LOCAL a = 1;\n" + body, `hides "BEGIN" before what is shown`},
		{"after what is shown everything may", "sql.sql", "--" + doc + body + "5;\n-- snippet:check\nROLLBACK;\n", ""},
		{"a claim of security needs a measurement", "go.go", "//" + doc + "// snippet:prints 1\n// compares in constant time\n" + body, `claims "constant time": measure it`},
		{"and is content with one", "go.go", "//" + doc + "// snippet:prints 1\n// compares in constant time\n" + body + "// snippet:check\n// snippet:measures the time\n", ""},
		{"a new feature needs its version", "go.go", "//" + doc + "for i := range 10 {\n" + body, "uses what came with Go 1.22: add snippet:needs Go 1.22"},
		{"a usage is short", "go.go", "//" + doc + body + "5\n// snippet:usage\n" + strings.Repeat("5\n\n", 15), "its usage has 15 lines: 14 are read at a glance"},
		{"and may have 14 lines", "go.go", "//" + doc + body + "5\n// snippet:usage\n" + strings.Repeat("5\n\n", 14) + strings.Repeat("// snippet:prints 5\n", 6), ""},
		{"so is what it prints", "go.go", "//" + doc + body + "5\n// snippet:usage\n5\n" + strings.Repeat("// snippet:prints 5\n", 7), "its usage prints 7 lines: 6 are read at a glance"},
		{"code has no line that reads as the mark of its usage", "go.go", "//" + doc + "// Usage:\n" + body, "shows a line \"// Usage:\""},
		{"and is content with it", "go.go", "//" + doc + "// snippet:needs Go 1.22\nfor i := range 10 {\n" + body, ""},
	} {
		problems := Lint(nil, files("languages.toml", languages, "personas.toml", "[[persona]]\nid = \"captain\"\nname = \"Captain\"\n", "tasks/plot-a-course/task.toml", secret, "tasks/plot-a-course/"+c.file, c.src))
		if c.want == "" {
			require.Empty(t, problems, c.name)
			continue
		}
		require.Len(t, problems, 1, c.name)
		require.True(t, problems[0].Advice, c.name)
		require.Contains(t, problems[0].Message, c.want, c.name)
	}
}

func TestLintHoldsTheExplanationToTheCode(t *testing.T) {
	const (
		languages = "[[language]]\nid = \"html\"\nname = \"HTML\"\next = \"html\"\nfile = \"html\"\n"
		doc       = "<!-- snippet:doc https://example.com Page -->\n"
		body      = "<p>\n1\n2\n3\n</p>\n"
	)
	for _, c := range []struct{ name, description, src, want string }{
		{"what it names is there", "The `P` holds it. So it is.", body, ""},
		{"one of two is not", "The `p` does without `div`. So it is.", body, ""},
		{"most of it is not", "The `ul`, `li` and `p`. So it is.", body, "does not have most of the names that the description explains: ul, li"},
		{"the snippet's own explanation holds in its place", "The `ul`, `li` and `p`. So it is.", "<!-- snippet:description The `p` holds it. So it is. -->\n" + body, ""},
		{"its own is as long as a task's", "The `p` holds it. So it is.", "<!-- snippet:description The `p` holds it. -->\n" + body, "the description has 1 sentence: 2 to 4 explain the code"},
		{"a page says how it is encoded", "A page. It is.", "<head>\n<meta charset=\"utf-8\">\n</head>\n" + body, ""},
		{"a page does not", "A page. It is.", "<head>\n</head>\n" + body, "is a page that does not say how it is encoded"},
	} {
		task := strings.Replace(oneTask, "From here to there.", c.description, 1)
		require.NotEqual(t, oneTask, task)
		problems := Lint(nil, files("languages.toml", languages, "personas.toml", "[[persona]]\nid = \"captain\"\nname = \"Captain\"\n", "tasks/plot-a-course/task.toml", task, "tasks/plot-a-course/html.html", doc+c.src))
		if c.want == "" {
			require.Empty(t, problems, c.name)
			continue
		}
		require.Len(t, problems, 1, c.name)
		require.Contains(t, problems[0].Message, c.want, c.name)
	}
}
