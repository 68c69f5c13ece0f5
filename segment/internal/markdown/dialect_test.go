package markdown

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestScannerFindsDialects(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string // info string, "|", content
		markup     []string // of the blocks, with it
	}{
		{"Slack", "See\n```x = 1\ny = 2```\nWhy?", []string{"|x = 1\ny = 2"}, []string{"```x = 1\ny = 2```\n"}},
		{"Slack, with a line break first", "```\nx = 1```\nWhy?", []string{"|x = 1"}, nil},
		{"Slack, twice", "```x = 1\ny = 2```\nand\n```z = f(3)\nz = 4```", []string{"|x = 1\ny = 2", "|z = f(3)\nz = 4"}, nil},
		{"Slack, with a line break last", "```const a = 1;\nuse(a);\n```\nWhy?", []string{"|const a = 1;\nuse(a);\n"}, []string{"```const a = 1;\nuse(a);\n```\n"}},
		{"Slack, a command first", "```npm install a\nnpm test\n```\nWhy?", []string{"|npm install a\nnpm test\n"}, []string{"```npm install a\nnpm test\n```\n"}},
		{"Slack, an error first", "```Error: x is not\n  at a.js\n```\n", []string{"|Error: x is not\n  at a.js\n"}, nil},
		{"Slack, with words behind its end", "```npm install a\nnpm test\n``` fails, why?", []string{"|npm install a\nnpm test\n"}, []string{"```npm install a\nnpm test\n```"}},
		{"a tag, with words behind the end", "```js\nx()\n``` so\nWhy?", []string{"js|x()\n"}, nil},
		{"begun in a sentence, with words behind the end", "It runs ```x\ny\n``` and ends.\nWhy?", []string{"|x\ny\n"}, nil},
		{"a fence with words that one closes", "```\nx\n``` a\ny\n```\n", []string{"|x\n``` a\ny\n"}, nil},
		{"a tag behind a fence without an end", "```\nx\n``` python\ny\n", []string{"|x\n``` python\ny\n"}, nil},
		{"a tag and an option", "```python linenums\nx\n```\n", []string{"python linenums|x\n"}, nil},
		{"an info string of several words", "```jldoctest; setup = :(using A)\nb()\n```\n", []string{"jldoctest; setup = :(using A)|b()\n"}, nil},
		{"in one line", "See\n```x = 1```\nWhy?", []string{"|x = 1"}, []string{"```x = 1```\n"}},
		{"in a sentence, over two lines", "It prints ```TypeError: x\n    at a.js:3:5``` and ends.", []string{"|TypeError: x\n    at a.js:3:5"}, []string{"```TypeError: x\n    at a.js:3:5```"}},
		{"begun in a sentence", "Output: ```\nx\n\ny\n```\nWhy?", []string{"|x\n\ny\n"}, []string{"```\nx\n\ny\n```\n"}},
		{"a tag", "```py\nprint(1)```", []string{"py|print(1)"}, nil},
		{"carriage returns", "See\r\n```x = 1\r\ny = 2```\r\nWhy?", []string{"|x = 1\r\ny = 2"}, []string{"```x = 1\r\ny = 2```\r\n"}},
		{"byte order mark", "\ufeff```x = 1\ny```", []string{"|x = 1\ny"}, []string{"\ufeff```x = 1\ny```"}},
		{"CommonMark first", "```\na```\nb\n```\n", []string{"|a```\nb\n"}, nil},
		{"CommonMark with an info string", "```js title=\"a.js\"\nx\n```\n", []string{"js title=\"a.js\"|x\n"}, nil},
		{"a comment with a fence, in a fence", "```ts\n/**\n * ```\n * x\n * ```\n */\n", []string{"ts|/**\n * ```\n * x\n * ```\n */\n"}, nil},
		{"a comment with a fence", "// Like this: ```\n// x()\n// ```\nfunc y() {}\n", nil, nil},
		{"inline code", "Use ```x``` and ```y``` there.\n", nil, nil},
		{"words about fences", "Put three backticks (```) before and ``` after it.\n\n```\nx\n```\n", []string{"|x\n"}, nil},
		{"four backticks", "````x = 1\ny```", []string{"x = 1|y```"}, nil},

		{"Markdown with a fence of its own", "Here:\n```markdown\n# A\n```sh\nmake\n```\nUsage:\n```\nBye.", []string{"markdown|# A\n```sh\nmake\n```\nUsage:\n"}, []string{"```markdown\n# A\n```sh\nmake\n```\nUsage:\n```\n"}},
		{"Markdown with two fences", "```md\n```sh\na\n```\n```js\nb\n```\n```\n", []string{"md|```sh\na\n```\n```js\nb\n```\n"}, nil},
		{"Markdown with a fence that nothing closes", "```markdown\n# A\n```sh\nmake\n```\nBye.", []string{"markdown|# A\n```sh\nmake\n"}, nil},
		{"Markdown without a fence", "```markdown\n# A\n```\nx\n```\ny\n```\n", []string{"markdown|# A\n", "|y\n"}, nil},
		{"a fence in a fence of something else", "```text\n```sh\nmake\n```\nBye.\n```\n", []string{"text|```sh\nmake\n", "|"}, nil},

		{"Markdown with a bare fence and one with a tag", "```markdown\n# A\n```\nx\n```\n# B\n```json\n{}\n```\n```\n", []string{"markdown|# A\n```\nx\n```\n# B\n```json\n{}\n```\n"}, nil},
		{"the same, and a block behind it", "```md\n```\nx\n```\n```json\n{}\n```\n```\nSo:\n```sh\nmake\n```\n", []string{"md|```\nx\n```\n```json\n{}\n```\n", "sh|make\n"}, nil},
		{"a bare fence around two with tags", "```\n# A\n```bash\nx\n```\n# B\n```bash\ny\n```\n```\nEnd.", []string{"|# A\n```bash\nx\n```\n# B\n```bash\ny\n```\n"}, []string{"```\n# A\n```bash\nx\n```\n# B\n```bash\ny\n```\n```\n"}},
		{"a fence in a bare one that nothing closes", "```\n```bash\nx\n```\nEnd.", []string{"|```bash\nx\n"}, nil},
		{"two bare fences and one with a tag", "```\nx\n```\n```bash\ny\n```\n", []string{"|x\n", "bash|y\n"}, nil},
		{"a quote", "```quote\nIs it up?\n```\nNo.", []string{"|", "|"}, []string{"```quote\n", "```\n"}},
		{"a quote with a fence", "```` quote\nSee\n```js\nx\n```\n````\nNo.\n```\ny\n```\n", []string{"|", "js|x\n", "|", "|y\n"}, nil},

		{"one backtick, three lines", "Run\n`make\nmake test\nmake install`\nWhy?", []string{"|make\nmake test\nmake install"}, []string{"`make\nmake test\nmake install`\n"}},
		{"one backtick, two lines", "`foo\nbar`\n", nil, nil},
		{"one backtick in a line", "`make` and\n`x`\n", nil, nil},
		{"one backtick at the end of a string", "const q = gql`\n  query {}\n`\nconst r = gql`\n", nil, nil},
		{"one backtick that a word follows", "`make\nx\nit` so\n", nil, nil},

		{"Jira", "{code:java}\nx();\n{code}\nand\n{noformat}\n# y\n{noformat}\n", []string{"java|x();\n", "|# y\n"}, []string{"{code:java}\nx();\n{code}\n", "{noformat}\n# y\n{noformat}\n"}},
		{"Jira with a title", "See\n{code:sql|title=a.sql}SELECT 1;{code} now", []string{"sql|SELECT 1;"}, []string{"{code:sql|title=a.sql}SELECT 1;{code}"}},
		{"no end", "{code:java}\nx();\n", nil, nil},
		{"another word", "{codec}\nx\n{code}\n", nil, nil},
		{"a forum", "Hi,\n[code]\nint a = 1;\n[/code]\nWhy?", []string{"|int a = 1;\n"}, []string{"[code]\nint a = 1;\n[/code]\n"}},
		{"a forum with a language", "[CODE=python]print(1)\nprint(2)[/CODE]", []string{"python|print(1)\nprint(2)"}, nil},
		{"a link", "[code](https://example.com) and [/code]\n", nil, nil},
		{"a fence in tags", "{code}\n```\nx\n{code}\n", []string{"|```\nx\n"}, nil},
		{"nothing in them", "{code}\n\n{code}\n", []string{"|\n"}, nil},
	} {
		s := Scanner{Dialects: true, IsTag: func(word string) bool { return word == "python" || word == "js" }}
		doc, err := s.Scan(context.Background(), test.text)
		require.NoError(t, err, test.name)
		var got, markup []string
		for _, b := range doc.Blocks {
			got = append(got, test.text[b.InfoStart:b.InfoEnd]+"|"+test.text[b.Start:b.End])
			markup = append(markup, test.text[b.OuterStart:b.OuterEnd])
		}
		require.Equal(t, test.want, got, test.name)
		if test.markup != nil {
			require.Equal(t, test.markup, markup, test.name)
		}
	}
}
