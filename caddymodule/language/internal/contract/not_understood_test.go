package contract

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

func TestNotUnderstoodIsAStructuredField(t *testing.T) {
	for name, want := range map[string]string{
		"Klingon":           `"Klingon";field=languages`,
		`a "b" \ c`:         `"a \"b\" \\ c";field=languages`,
		"détective":         `%"d%c3%a9tective";field=languages`,
		"\r\nSet-Cookie: x": `%"%0d%0aSet-Cookie: x";field=languages`,
		"100 % 🚀":           `%"100 %25 %f0%9f%9a%80";field=languages`,
		"\xff":              `%"%ef%bf%bd";field=languages`,
	} {
		require.Equal(t, want, NotUnderstood([]persona.Unknown{{Field: "languages", Name: name}}), "%q", name)
	}
	require.Empty(t, NotUnderstood(nil))
	require.Equal(t, `"a";field=languages, "b";field=personas`,
		NotUnderstood([]persona.Unknown{{Field: "languages", Name: "a"}, {Field: "personas", Name: "b"}}))

	many := make([]persona.Unknown, 100)
	for i := range many {
		many[i] = persona.Unknown{Field: "personas", Name: strings.Repeat("x", 80)}
	}
	require.LessOrEqual(t, len(NotUnderstood(many)), maxNotUnderstood)
	require.Equal(t, 10, strings.Count(NotUnderstood(many), "field=personas"))
}
