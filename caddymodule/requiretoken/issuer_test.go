package requiretoken_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// nobody is an issuer that can't be asked for its metadata.
const nobody = "https://127.0.0.1:1"

func TestWhereTheIssuerIsAsked(t *testing.T) {
	for name, tt := range map[string]struct {
		block, token string // "": a signed one
		claims       []any
		want         string
	}{
		"at the address of its metadata": {"require_token {issuer}/.well-known/openid-configuration {\nclient app\n}", "", nil, "u1"},
		"for keys alone":                 {"require_token " + nobody + " https://api.example {\njwks_uri {issuer}/keys\n}", "", []any{"iss", nobody}, "u1"},
		"for introspection":              {"require_token " + nobody + " https://api.example {\njwks_uri {issuer}/keys\nintrospection api secret {issuer}/introspect\n}", "opaque-1", nil, "u2"},
	} {
		t.Run(name, func(t *testing.T) {
			i := newIssuer(t)
			g := site(t, i, tt.block+"\nhandle /teapot {\nerror 418\n}\nrespond {http.auth.user.id}")
			token := tt.token
			if token == "" {
				token = i.token(t, tt.claims...)
			}
			got := get(t, g.URL(), "Authorization", "Bearer "+token)
			require.Equal(t, 200, got.StatusCode, got.body)
			require.Equal(t, tt.want, got.body)
			require.Equal(t, 418, get(t, g.URL()+"/teapot", "Authorization", "Bearer "+token).StatusCode, "an error of the next handler")
		})
	}
}
