package markdown

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAppendContentTakesOffWhatContainersAdd(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"quote", "> ```\n> a\n>b\n>\n>  c\n> ```\n", []string{"a\nb\n\n c\n"}},
		{"quotes in quotes", "> > ```\n>> a\n> > b\n", []string{"a\nb\n"}},
		{"list", "10. ```\n    a\n\n      b\n    ```\n", []string{"a\n\n  b\n"}},
		{"quote in a list in a quote", "> - > ```\n>   > a\n", []string{"a\n"}},
		{"indentation of the fence", "  ```\n  a\n    b\n c\n  ```\n", []string{"a\n  b\nc\n"}},
		{"a part of a tab", "1. ```\n\ta\n", []string{" a\n"}},
		{"indented", "    a\n\n      b\n\n\n", []string{"a\n\n  b\n"}},
		{"indented behind a list marker", "-     a\n      b\n", []string{"a\nb\n"}},
		{"HTML in a quote", "> <pre>\n> a\n>   b\n> </pre>\n", []string{"a\n  b\n"}},
		{"HTML behind a list marker", "- <pre>a\n  b</pre>\n", []string{"a\nb"}},
		{"carriage returns", "> ```\r> a\r\n> b\r", []string{"a\r\nb\r"}},
		{"byte order mark", "\ufeff    a\n    b\n", []string{"a\nb\n"}},
		{"fifty quotes", strings.Repeat(">", 50) + "```\n" + strings.Repeat(">", 50) + "a\n", []string{"a\n"}},
		{"more alternations than a Prefix holds", strings.Repeat("> - ", 5) + "```\n" + strings.Repeat(">   ", 5) + "a\n", []string{strings.Repeat(">   ", 5) + "a\n"}},
	} {
		require.Equal(t, test.want, contents(t, Scanner{}, test.text), test.name)
	}
}

// contents are those of the blocks that a scanner finds.
func contents(t *testing.T, s Scanner, text string) (all []string) {
	doc, err := s.Scan(context.Background(), text)
	require.NoError(t, err)
	for _, b := range doc.Blocks {
		all = append(all, string(b.Prefix.AppendContent(nil, text, b.Kind, b.Start, b.End)))
	}
	return all
}

func TestCommonPrefix(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "a\n  b\n", "a\n  b\n"},
		{"indentation", "    a\n\n      b\n", "a\n\n  b\n"},
		{"tabs and spaces", "\ta\n    b\n", "a\nb\n"},
		{"quotes", "> a\n>\n> > b\n", "a\n\n> b\n"},
		{"quotes and indentation", ">   a\n>     b\n", "a\n  b\n"},
		{"one line that is not quoted", "> a\nb\n", "> a\nb\n"},
		{"blank", " \n\n", " \n\n"},
	} {
		p := CommonPrefix(test.text, 0, len(test.text))
		require.Equal(t, test.want, string(p.AppendContent(nil, test.text, Fenced, 0, len(test.text))), test.name)
	}
}
