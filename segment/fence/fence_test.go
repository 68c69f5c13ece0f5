package fence_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/identity-gateway/caddy-identity-gateway/segment/fence"
)

func TestAppend(t *testing.T) {
	for _, c := range []struct{ name, code, info, want string }{
		{"no backticks", "x := 1", "go", "```go\nx := 1\n```\n"},
		{"no info string", "x", "", "```\nx\n```\n"},
		{"no code", "", "go", "```go\n```\n"},
		{"a final line ending is not doubled", "x\n", "", "```\nx\n```\n"},
		{"inline code", "a `b` c", "md", "```md\na `b` c\n```\n"},
		{"a fence", "```\nx\n```", "md", "````md\n```\nx\n```\n````\n"},
		{"a longer fence", "`````", "", "``````\n`````\n``````\n"},
		{"tildes", "~~~~", "", "```\n~~~~\n```\n"},
	} {
		require.Equal(t, "- "+c.want, string(fence.Append([]byte("- "), c.code, c.info)), c.name)
	}
}

// FuzzAppend has goldmark read the block back.
func FuzzAppend(f *testing.F) {
	for _, code := range []string{"", "x", "```", "a\n````\n~~~", "`` ` ``", "\t```go\n"} {
		f.Add(code)
	}
	f.Fuzz(func(t *testing.T, code string) {
		source := fence.Append(nil, code, "go")
		document := goldmark.DefaultParser().Parse(text.NewReader(source))
		require.Equal(t, 1, document.ChildCount(), "%q", source)
		require.IsType(t, &ast.FencedCodeBlock{}, document.FirstChild())
	})
}
