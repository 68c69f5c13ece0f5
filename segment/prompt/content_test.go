package prompt_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
	"github.com/identity-gateway/caddy-identity-gateway/segment/prompt"
)

const question = `{"messages":[{"role":"user","content":"Why is it slow?\n\n` + "```" + `sql\nSELECT name\n  FROM users\n\n WHERE id = 1;\n` + "```" + `\n\nThis one is not:\n\n` + "```" + `python\nprint(1)\n` + "```" + `"}]}`

func TestLinesAndLanguagesAreCounted(t *testing.T) {
	content, err := prompt.Read(t.Context(), []byte(question), prompt.Fields{})
	require.NoError(t, err)
	require.Equal(t, 4, content.CodeLines)
	require.Equal(t, 2, content.TextLines)
	require.InDelta(t, 4.0/6, content.CodeShare(), 1e-9)
	require.Equal(t, []segment.Language{segment.LanguageOf("sql"), segment.LanguageOf("python")}, content.Languages, "that with most lines first")

	unlabelled, err := prompt.Count(t.Context(), []string{"```sparql\nASK { ?s a ?o }\n```"})
	require.NoError(t, err)
	require.Empty(t, unlabelled.Languages)
	require.Equal(t, 1, unlabelled.CodeLines, "code is code in any language")
}

func TestContains(t *testing.T) {
	sql, golang := segment.LanguageOf("sql"), segment.LanguageOf("go")
	both := prompt.Content{Languages: []segment.Language{sql}, CodeLines: 1, TextLines: 1}
	code := prompt.Content{CodeLines: 1}
	for name, c := range map[string]struct {
		content   prompt.Content
		kind      segment.Kind
		languages []segment.Language
		want      bool
	}{
		"code":                           {both, segment.Code, nil, true},
		"text":                           {both, segment.Text, nil, true},
		"code in a language":             {both, segment.Code, []segment.Language{golang, sql}, true},
		"code in another one":            {both, segment.Code, []segment.Language{golang}, false},
		"code, and no text":              {code, segment.Text, nil, false},
		"code in an unknown language":    {code, segment.Code, []segment.Language{sql}, false},
		"code, where there is only text": {prompt.Content{TextLines: 1}, segment.Code, nil, false},
		"text, where there is nothing":   {prompt.Content{}, segment.Text, nil, false},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, c.content.Contains(c.kind, c.languages...)) })
	}
}

// Else each of them would be as much work as a message. The first are read as they are.
func TestManySmallTextsAreReadTogether(t *testing.T) {
	texts := slices.Repeat([]string{"for i in range(3): print(i)"}, 20_000)
	texts = append(texts, "Good morning everybody, shall we meet for lunch at noon?", strings.Repeat("Why is it slow?\n", 100))
	content, err := prompt.Count(t.Context(), texts)
	require.NoError(t, err)
	require.Equal(t, 20_000, content.CodeLines)
	require.Equal(t, 101, content.TextLines)
	require.Equal(t, []segment.Language{segment.LanguageOf("python")}, content.Languages)
	fences := []string{"```", "SELECT name FROM users WHERE id = 1;"}
	content, err = prompt.Count(t.Context(), slices.Repeat(fences, 50))
	require.NoError(t, err)
	require.Equal(t, 50, content.CodeLines)
}

func TestReadingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := prompt.Read(ctx, []byte(question), prompt.Fields{})
	require.ErrorIs(t, err, context.Canceled)
}

func ExampleRead() {
	body := `{"model": "any", "messages": [{"role": "user", "content": "Why?\n\nSELECT name FROM users WHERE id = 1;\n"}]}`

	content, err := prompt.Read(context.Background(), []byte(body), prompt.Fields{})
	fmt.Println(content.Languages[0], content.CodeLines, content.CodeShare(), err)
	// Output:
	// sql 1 0.5 <nil>
}
