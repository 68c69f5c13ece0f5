package segment_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// languagesOf returns the labels of the code in text, in order.
func languagesOf(t testing.TB, text string) (labels []string) {
	for _, s := range segment.Default().SegmentClassified(text) {
		if s.Kind == segment.Code {
			labels = append(labels, s.Language.String())
		} else {
			require.Zero(t, s.Classification, "text has no language")
		}
	}
	return labels
}

// People paste commands alone, which are also in recipes of makefiles, in Dockerfiles and in steps of workflows.
func TestCommandsAreShell(t *testing.T) {
	for _, command := range []string{
		"apt-get update", "sudo apt-get update && sudo apt-get install -y curl", "gcc -o main main.c", "rm -rf node_modules", "go run main.go",
		"ps aux | grep node", "kubectl apply -f deployment.yaml", "chmod +x run.sh", "curl -fsSL https://get.docker.com | sh",
		"pip install -r requirements.txt", "export PATH=$PATH:/usr/local/bin", "git push origin main",
	} {
		require.Equal(t, "shell", segment.Default().Classify(command).Language.String(), command)
	}
}

func TestClassifyGivesProbabilities(t *testing.T) {
	for _, code := range []string{"", "x", "int main(void) { return 0; }", strings.Repeat("SELECT 1;\n", 1000), "\xff\x00"} {
		c := segment.Default().Classify(code)
		sum, last := c.Confidence, c.Confidence
		require.NotZero(t, c.Language)
		for _, g := range c.Alternatives {
			require.NotZero(t, g.Language)
			require.LessOrEqual(t, g.Confidence, last, "%q: alternatives are in order", code)
			last = g.Confidence
			sum += g.Confidence
		}
		require.Greater(t, c.Confidence, 0.0)
		require.LessOrEqual(t, sum, 1.0001, "%q", code)
	}
}

func TestPlaceholdersSayNothing(t *testing.T) {
	for _, code := range []string{"foo = 1\nbar = 2", "foo = bar", "foo.bar = baz", "foo: bar", "foo {\n  bar baz\n}"} {
		require.Less(t, segment.Default().Classify(code).Confidence, 0.65, "%q could be much", code)
	}
}

// Statements that templates, pages and rare languages have too, alone and below words that name the language.
func TestSingleStatements(t *testing.T) {
	const element = `document.getElementById("app").innerHTML = "";`
	for text, want := range map[string]string{
		element: "javascript", "this JavaScript fails:\n\n" + element: "javascript",
		`puts "Hello"`: "ruby", "My Rails app has\n\nputs \"Hello\"": "ruby",
		"type Props = React.ComponentProps<typeof Button>;": "typescript",
		"export default function App() {}":                  "javascript",
	} {
		require.Equal(t, []string{want}, languagesOf(t, text), text)
	}
}

// What many languages write alike is taken for a common one, never for a rare one.
func TestWhatManyLanguagesWriteAlike(t *testing.T) {
	for code, want := range map[string]string{
		"foo(bar)": "python", "foo(a, b)": "python", "len(x)": "python", "sorted(users)": "python",
		"let x = 5;": "javascript", "process(data);": "javascript", "i++": "javascript",
		"echo hello": "shell", `echo "hello";`: "php", `puts "hello"`: "ruby", "User.find(1)": "ruby",
		"x := 5": "go", "let x = 5": "swift", "<div>hello</div>": "html",
	} {
		require.Equal(t, want, segment.Default().Classify(code).Language.String(), code)
	}
}

func TestTagsAndNeighboursAreEvidence(t *testing.T) {
	const ambiguous = "x = [1, 2, 3]\n"
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"the tag decides what could be anything", "```ruby\n" + ambiguous + "```\n", []string{"ruby"}},
		{"so does the class of HTML", "<pre><code class=\"language-julia\">" + ambiguous + "</code></pre>\n", []string{"julia"}},
		{"a tag is no command", "```ruby\n{\"name\": \"a\", \"list\": [1, 2, {\"b\": null}], \"c\": {\"d\": true}}\n```\n", []string{"json"}},
		{"an unknown tag says nothing", "```nonsense\npackage main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println()\n}\n```\n", []string{"go"}},
		{"that of a language without a label says it is none of the others", "```sparql\nASK { ?s a ?o }\n```\nand\n```js\nf();\n```\n", []string{"unknown", "javascript"}},
		{"other code of the message", "```\n" + ambiguous + "```\nand\n```julia\nfunction f(x::Int)\n    return x\nend\n```\n", []string{"julia", "julia"}},
		{"other code is no command", "```\nSELECT id FROM t WHERE a = 1 ORDER BY id;\n```\nand\n```julia\nfunction f(x::Int)\n    return x\nend\n```\n", []string{"sql", "julia"}},
	} {
		require.Equal(t, test.want, languagesOf(t, test.text), test.name)
	}
}

func TestTheWordsOfAMessageAreEvidence(t *testing.T) {
	const ambiguous = "\n\n```\nreturn x\n```\n"
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"the name of a language", "This is how I do it in Julia at the moment:" + ambiguous, []string{"julia"}},
		{"the extension of a file", "The last lines of bin/report.lua:" + ambiguous, []string{"lua"}},
		{"a library", "I load the file with pandas and get a KeyError:" + ambiguous, []string{"python"}},
		{"words are no command", "As I said in Python:\n\n```\npackage main\n\nfunc main() {\n\tfmt.Println(1)\n}\n```\n", []string{"go"}},
		{"each piece has its own", "The CSS:\n\n```\n.menu a { color: red; }\n```\n\nThe query:\n\n```\nSELECT id FROM menu;\n```\n\nThe Python that runs it:\n\n```\nrows = db.execute(query)\nfor row in rows:\n    print(row)\n```\n", []string{"css", "sql", "python"}},
	} {
		require.Equal(t, test.want, languagesOf(t, test.text), test.name)
	}
}

func TestATableWithTabs(t *testing.T) {
	table := "id\tname\tcity\n1\tAda\tLondon\n2\tLinus\tHelsinki\n"
	require.Equal(t, []string{"csv"}, languagesOf(t, table))
	require.Empty(t, languagesOf(t, "10:00\thello there\n10:01\tgood morning\n"), "two columns are no table")
	require.Equal(t, []string{"assembly"}, languagesOf(t, "\tmovq\t%rsp, %rbp\n\tsubq\t$16, %rsp\n\tmovl\t$0, -4(%rbp)\n"))
}

func TestManyPiecesOfCode(t *testing.T) {
	labels := languagesOf(t, strings.Repeat("```go\nx := f(1)\n```\n", 1000))
	require.Len(t, labels, 1000)
	for _, label := range labels {
		require.Equal(t, "go", label)
	}
}

func TestAtLeast(t *testing.T) {
	c := segment.Classification{Guess: segment.Guess{Language: 1, Confidence: 0.5}}
	require.Equal(t, segment.Language(1), c.AtLeast(0.5))
	require.Equal(t, segment.UnknownLanguage, c.AtLeast(0.51))
}

func TestCancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	text := "some words\n```\nx\n```\n"
	kept := []segment.Segment{{Kind: segment.Code, Start: 1, End: 2}}
	segments, err := segment.Default().AppendSegments(ctx, kept, text)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, kept, segments)
	classified, err := segment.Default().AppendClassified(ctx, nil, text)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, classified)
}

func TestAppendMarkdown(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"text", "\nHello there, how are you?\r\n", "Hello there, how are you?\n"},
		{"the fence is longer than those inside", "~~~md\n````\nx\n````\n~~~\n", "`````markdown\n````\nx\n````\n`````\n"},
		{"a tag without a label stays", "```SPARQL\nASK { ?s a ?o }\n```\n", "```SPARQL\nASK { ?s a ?o }\n```\n"},
		{"text and code are set apart", "Can you try this one, please?\n```go\nx := 1\n```\nThank you very much.", "Can you try this one, please?\n\n```go\nx := 1\n```\n\nThank you very much.\n"},
	} {
		segments, err := segment.Default().AppendClassified(context.Background(), nil, test.text)
		require.NoError(t, err, test.name)
		require.Equal(t, test.want, string(segment.AppendMarkdown(nil, test.text, segments, 0)), test.name)
	}
}

// However small the pieces of code of a message are, the work is bounded: behind the first ones, some are known by their tags
// and the rest of the message only.
func TestOfManySmallPiecesSomeAreRead(t *testing.T) {
	sure := 0
	for i, s := range segment.Default().SegmentClassified(strings.Repeat("```\nimport os, sys\n```\n", 1000)) {
		if s.Confidence > 0.3 {
			sure++
		} else {
			require.Greater(t, i, 64)
		}
	}
	require.Less(t, sure, 64+1000*24/96)
	for _, language := range languagesOf(t, strings.Repeat("```rust\nx\n```\n", 1000)) {
		require.Equal(t, "rust", language)
	}
}
