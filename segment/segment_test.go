package segment_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// requirePartition checks what is promised of the segments of every text.
func requirePartition(t testing.TB, text string, segments []segment.Segment) {
	t.Helper()
	const whiteSpace = " \t\n\v\f\r"
	pos := 0
	for i, s := range segments {
		require.LessOrEqual(t, pos, s.Start, "segment %d starts before the one in front of it ends: %q", i, text)
		require.Less(t, s.Start, s.End, "segment %d is empty: %q", i, text)
		require.LessOrEqual(t, s.End, len(text), "segment %d ends behind the text: %q", i, text)
		if strings.Trim(text, whiteSpace) != "" {
			require.NotEmpty(t, strings.Trim(text[s.Start:s.End], whiteSpace), "segment %d is white space: %q", i, text)
		}
		if i > 0 && s.Kind == segment.Text {
			require.Equal(t, segment.Code, segments[i-1].Kind, "segments %d and %d are both text: %q", i-1, i, text)
		}
		if i > 0 && s.Kind == segment.Code && segments[i-1].Kind == segment.Code {
			marked := s.Markup == segment.Fenced || s.Markup == segment.HTML ||
				segments[i-1].Markup == segment.Fenced || segments[i-1].Markup == segment.HTML
			require.True(t, marked, "nothing separates the code segments %d and %d: %q", i-1, i, text)
		}
		requireMarkup(t, text, text[pos:s.Start], len(segments))
		pos = s.End
	}
	requireMarkup(t, text, text[pos:], len(segments))
}

// requireMarkup checks that what stands between two segments can be markup.
func requireMarkup(t testing.TB, text, gap string, segments int) {
	t.Helper()
	if gap == "" || segments > 0 && strings.Trim(gap, " \t\n\v\f\r>") == "" {
		return
	}
	marks := strings.Contains(gap, "`") || strings.ContainsAny(gap, "]}") || strings.Contains(gap, "~~~") || strings.Contains(gap, "<") && strings.Contains(gap, ">")
	require.True(t, marks, "%q is in no segment and is no markup: %q", gap, text)
}

// show renders segments for comparison: TEXT or CODE, the info string, the
// content.
func show(text string) (lines []string) {
	for _, s := range segment.Default().Segment(text) {
		line := s.Kind.String()
		if s.Info != "" {
			line += " " + s.Info
		}
		lines = append(lines, line+" | "+s.Content(text))
	}
	return lines
}

func TestSegmentMarkup(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", nil},
		{"white space only", " \n\t\n", []string{"TEXT |  \n\t\n"}},
		{"prose", "Nice to meet you.", []string{"TEXT | Nice to meet you."}},
		{"fence", "Try\n```go\nx := 1\n```\nplease", []string{"TEXT | Try\n", "CODE go | x := 1\n", "TEXT | please"}},
		{"blank lines belong to the text", "Try\n\n```\nx\n```\n\nplease", []string{"TEXT | Try\n\n", "CODE | x\n", "TEXT | \nplease"}},
		{"blank lines between code are markup", "```\na\n```\n\n```\nb\n```\n", []string{"CODE | a\n", "CODE | b\n"}},
		{"unclosed fence", "Try\n~~~\nx\n", []string{"TEXT | Try\n", "CODE | x\n"}},
		{"empty fence", "Try\n```\n```\nplease", []string{"TEXT | Try\n```\n```\nplease"}},
		{"nothing but a form feed in a fence", "Try\n```\n\f\n```\nplease", []string{"TEXT | Try\n```\n\f\n```\nplease"}},
		{"HTML in a quote", "> You can see it here:\n>\n> <pre>\n> x = 1\n> </pre>\n", []string{"TEXT | > You can see it here:\n>\n", "CODE | x = 1\n"}},
		{"fence in a quote", "> Try\n> ```sh\n> ls\n> ```\n", []string{"TEXT | > Try\n", "CODE sh | ls\n"}},
		{"fence in a list", "1. Try\n   ```sh\n   ls\n     -l\n   ```\n", []string{"TEXT | 1. Try\n", "CODE sh | ls\n  -l\n"}},
		{"carriage returns", "Try\r\n```c\r\nx;\r\n```\r\n", []string{"TEXT | Try\r\n", "CODE c | x;\r\n"}},
		{"byte order mark", "\ufeff```c\nx;\n```\nplease", []string{"CODE c | x;\n", "TEXT | please"}},
		{"HTML", "Try\n\n<pre><code class=\"language-c\">if (a &lt; b)\n  x;</code></pre>\nplease", []string{"TEXT | Try\n\n", "CODE language-c | if (a < b)\n  x;", "TEXT | \nplease"}},
		{"HTML inside of a paragraph's tags", "<p>Try <pre>\nx;\n</pre> please</p>", []string{"TEXT | <p>Try ", "CODE | x;\n", "TEXT |  please</p>"}},
		{"a post in HTML", "<p>Try</p>\n\n<ul>\n<li>a <code>x</code></li>\n</ul>\n\n<pre><code>x = 1\n</code></pre>\n\n<p>and <code>y</code>.</p>\n", []string{"TEXT | <p>Try</p>\n\n<ul>\n<li>a <code>x</code></li>\n</ul>\n\n", "CODE | x = 1\n", "TEXT | \n\n<p>and <code>y</code>.</p>\n"}},
		{"the source of a page", "<!DOCTYPE html>\n<html>\n<body>\n<p class=\"intro\">See</p>\n<pre>x = 1</pre>\n</body>\n</html>\n", []string{"CODE | <!DOCTYPE html>\n<html>\n<body>\n<p class=\"intro\">See</p>\n<pre>x = 1</pre>\n</body>\n</html>\n"}},
		{"fences in a patch", "--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,3 @@\n ```sh\n-make\n+make all\n ```\n", []string{"CODE | --- a/README.md\n+++ b/README.md\n@@ -1,3 +1,3 @@\n ```sh\n-make\n+make all\n ```\n"}},
		{"bare code in a message with fences", "It says\n```\nerror: 1\n```\nfor this:\n\nint main(void)\n{\n    return f(1);\n}\n\nThank you.", []string{"TEXT | It says\n", "CODE | error: 1\n", "TEXT | for this:\n\n", "CODE | int main(void)\n{\n    return f(1);\n}\n", "TEXT | \nThank you."}},
		{"a bare line of code in a message with fences", "This is all it prints:\n\n```\nTypeError: x is undefined\n```\n\nand this is where:\n\nconst total = items.map((i) => i.price * x.rate).reduce(add, 0);\n\nDo you see what is wrong there?", []string{"TEXT | This is all it prints:\n\n", "CODE | TypeError: x is undefined\n", "TEXT | \nand this is where:\n\n", "CODE | const total = items.map((i) => i.price * x.rate).reduce(add, 0);\n", "TEXT | \nDo you see what is wrong there?"}},
		{"lines of text in a message with fences", "ok\n```\nmake\n```\nVersion: 1.2.3\n\n- linux\n- x86_64\n\nThanks!", []string{"TEXT | ok\n", "CODE | make\n", "TEXT | Version: 1.2.3\n\n- linux\n- x86_64\n\nThanks!"}},
		{"a word before code", "hi\n\nimport os\n\nprint(os.getcwd())\n", []string{"TEXT | hi\n\n", "CODE | import os\n\nprint(os.getcwd())\n"}},
		{"a word before a loop", "hi\n\nfor x in range(3):\n    print(x)", []string{"TEXT | hi\n\n", "CODE | for x in range(3):\n    print(x)"}},
		{"Markdown in a message with fences", "```\nx\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<p align=\"center\">\n  <img src=\"a.png\">\n</p>\n", []string{"CODE | x\n", "TEXT | \n| a | b |\n|---|---|\n| 1 | 2 |\n\n<p align=\"center\">\n  <img src=\"a.png\">\n</p>\n"}},
		{"a code block of Slack", "I get ```KeyError: 'x'\n  at a.py:3``` and then\n```x = f(1)\ny = 2```\nWhy?", []string{"TEXT | I get ", "CODE | KeyError: 'x'\n  at a.py:3", "TEXT |  and then\n", "CODE | x = f(1)\ny = 2", "TEXT | Why?"}},
		{"a ticket in Jira", "It fails:\n\n{code:java}\nuser.save();\n{code}\n\nSee\n{noformat}\nERROR\n{noformat}\n", []string{"TEXT | It fails:\n\n", "CODE java | user.save();\n", "TEXT | \nSee\n", "CODE | ERROR\n"}},
		{"a forum post", "Hi,\n[code=python]print(1)\nprint(2)[/code] fails.", []string{"TEXT | Hi,\n", "CODE python | print(1)\nprint(2)", "TEXT |  fails."}},
		{"inline code", "You can also write `x := 1` or ```y``` there, both work for me.", []string{"TEXT | You can also write `x := 1` or ```y``` there, both work for me."}},
		{"indented code in Markdown", "# Use\n\nTry\n\n    x := 1\n\n    y := 2\n\nplease", []string{"TEXT | # Use\n\nTry\n\n", "CODE | x := 1\n\ny := 2\n", "TEXT | \nplease"}},
	} {
		require.Equal(t, test.want, show(test.text), test.name)
		requirePartition(t, test.text, segment.Default().Segment(test.text))
	}
}

func FuzzSegment(f *testing.F) {
	f.Add("Try\n\n```go\nx := 1\n```\n\n> - ~~~\n>   y\n\n<pre>z</pre>")
	f.Add("\ufeff\r\r\n\x00\xff\t- ```\r  a\r  ```")
	f.Add("a\n```\n\f\n```\n\v\n<pre>\f</pre>b")
	f.Add("a ```b\n c``` d\n```e```\n{code:f|g}\nh{code}\n[code]\n[/code]\n```i\nj```")
	f.Fuzz(func(t *testing.T, text string) {
		requirePartition(t, text, segment.Default().Segment(text))
	})
}

func FuzzClassified(f *testing.F) {
	f.Add("Try\n\n```go\nx := 1\n```\n\n> - ~~~ {.julia}\n>   y\n\n<pre class=c>z &lt; 1</pre>")
	f.Add("\ufeff\r\r\n\x00\xff\t- ```\r  a\r  ```\n\t1.\t    b")
	f.Fuzz(func(t *testing.T, text string) {
		classified, err := segment.Default().AppendClassified(context.Background(), nil, text)
		require.NoError(t, err)
		require.Len(t, classified, len(segment.Default().Segment(text)))
		for _, s := range classified {
			content := s.Content(text)
			require.Equal(t, content, string(s.AppendContent(nil, text)))
			if s.Markup != segment.HTML {
				require.LessOrEqual(t, len(content), 4*len(text[s.Start:s.End]), "tabs become four spaces at most")
			}
			require.Equal(t, s.Kind == segment.Code, s.Language != segment.UnknownLanguage)
		}
		markdown := segment.AppendMarkdown(nil, text, classified, 0.5)
		require.Equal(t, len(classified) == 0, len(markdown) == 0)
	})
}

func TestPlacesAsEditorsCount(t *testing.T) {
	for name, c := range map[string]struct {
		text       string
		start, end int
		first      int
		last       int
		utf16      [2]int
	}{
		"the first line":               {"ab\ncd", 0, 3, 1, 1, [2]int{0, 3}},
		"the second line":              {"ab\ncd", 3, 5, 2, 2, [2]int{3, 5}},
		"both":                         {"ab\ncd", 0, 5, 1, 2, [2]int{0, 5}},
		"CR LF":                        {"a\r\nb\r\nc", 3, 6, 2, 2, [2]int{3, 6}},
		"CR":                           {"a\rb\rc", 2, 4, 2, 2, [2]int{2, 4}},
		"from the middle of a line":    {"a <pre>b\nc</pre>", 7, 10, 1, 2, [2]int{7, 10}},
		"from the middle of CR LF":     {"a\r\nb", 2, 4, 1, 2, [2]int{2, 4}},
		"a blank line":                 {"a\n\nb", 2, 3, 2, 2, [2]int{2, 3}},
		"letters of two bytes":         {"äö\nü", 5, 7, 2, 2, [2]int{3, 4}},
		"characters of two code units": {"🐌\n🐌", 5, 9, 2, 2, [2]int{3, 5}},
		"bytes that are not UTF-8":     {"\xff\xfe\n\xff", 3, 4, 2, 2, [2]int{3, 4}},
	} {
		s := segment.Segment{Start: c.start, End: c.end}
		first, last := s.Lines(c.text)
		require.Equal(t, [2]int{c.first, c.last}, [2]int{first, last}, name)
		start, end := s.UTF16(c.text)
		require.Equal(t, c.utf16, [2]int{start, end}, name)
	}
}

// What stands outside of fences may be code all the same.
func TestBesideFencesPlainCodeIsCode(t *testing.T) {
	const fenced = "```go\nx := f()\n```\n\n"
	for below, want := range map[string]string{
		"TypeError: x is undefined\n\nAny idea?":         "go + stacktrace + text",
		"if err := f(); err != nil {\n\treturn err\n}\n": "go",
	} {
		require.Equal(t, want, read(fenced+below), below)
	}
}
