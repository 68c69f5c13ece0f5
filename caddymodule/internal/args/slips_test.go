package args

import (
	"testing"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/stretchr/testify/require"
)

func TestValuesThatAreNone(t *testing.T) {
	for value, says := range map[string]string{
		"env.CLIENT_ID":        "write {env.CLIENT_ID}",
		"$CLIENT_ID":           "write {env.CLIENT_ID}",
		"${CLIENT_ID}":         "write {env.CLIENT_ID}",
		"{env.CLIENT_SECRET":   "{env.CLIENT_SECRET has no closing brace; write {env.CLIENT_SECRET}",
		"{file./run/secret":    "write {file./run/secret}",
		"<your-client-secret>": "stands for a value",
		"'secret'":             "begins and ends with quotation marks",
		`"secret"`:             "begins and ends with quotation marks",
		"https://idp.example":  "", "{env.CLIENT_ID}": "", "{env.A}-{env.B}": "", "{http.auth.user.id}": "", "a$b": "", "it's": "", "'": "", "<": "", "a<b>": "", "env": "", "$ecret": "", "env.example.com": "", "environment": "", "{": "", "$": "",
	} {
		err := checkSlip(value)
		if says == "" {
			require.NoError(t, err, value)
			continue
		}
		require.ErrorContains(t, err, says, value)
	}
	tokens, err := caddyfile.Tokenize([]byte("gateway {\n\tclient {env.ID} {\n\t\tsecret {env.SECRET\n\t}\n}"), "Caddyfile")
	require.NoError(t, err)
	token, err := Segment(tokens).checkSlips()
	require.Error(t, err)
	require.Equal(t, 3, token.Line)
}
