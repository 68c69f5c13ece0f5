package requiretoken_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPublicPathsPassWithoutAToken(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, `
		rewrite /old/* /favicon.ico
		uri strip_prefix /v1
		require_token {issuer} https://api.example {
			public / /favicon.ico /assets/*
			header X-User sub
		}
		reverse_proxy {app}`)
	for path, want := range map[string]int{
		"/":                                  200,
		"/?a=1":                              200,
		"/favicon.ico":                       200,
		"/assets/app.js":                     200,
		"/v1/assets/app.js":                  200, // what the app sees is a part of what was sent
		"/orders":                            401,
		"/assets":                            401,
		"/favicon.ico2":                      401,
		"/old/orders":                        401, // rewritten to a public path, but another one for what reads the original
		"/assets/../orders":                  401,
		"/assets/%61pp.js":                   401,
		"/assets/%2e%2e/orders":              401,
		"/assets//x":                         401,
		"/assets/x;a=b":                      401,
		"/assets/x.php/y":                    401,
		`/assets/..\orders`:                  401,
		"/assets/app.js?access_token=in-url": 200, // nobody asks for a token
	} {
		t.Run(path, func(t *testing.T) {
			r, err := http.NewRequest(http.MethodGet, g.URL(), nil)
			require.NoError(t, err)
			file, query, _ := strings.Cut(path, "?")
			r.URL.Opaque, r.URL.RawQuery = file, query // as it stands
			response, err := http.DefaultTransport.RoundTrip(r)
			require.NoError(t, err)
			response.Body.Close()
			require.Equal(t, want, response.StatusCode)
		})
	}

	t.Run("nobody is logged in there", func(t *testing.T) {
		saw := get(t, g.URL()+"/favicon.ico", "X-User", "admin", "X!User", "admin", "Upgrade", "h2c", "Connection", "Upgrade").seen(t)
		for name, values := range saw.Header {
			require.NotContains(t, values, "admin", name)
		}
		require.Empty(t, saw.Header["Upgrade"])
	})
	t.Run("not with a field that names another path", func(t *testing.T) {
		require.Equal(t, 401, get(t, g.URL()+"/favicon.ico", "X-Original-Url", "/orders").StatusCode)
		require.Equal(t, 401, get(t, g.URL()+"/favicon.ico", "X!Original~Url", "/orders").StatusCode)
	})
}

func TestThePlaceholdersOfAPublicPathAreEmpty(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, `
		require_token {issuer} https://api.example {
			public /
		}
		respond "user <{http.auth.user.id}{http.auth.user.email}>"`)
	require.Equal(t, "user <>", get(t, g.URL()+"/").body)
	require.Equal(t, "user <>", get(t, g.URL()+"/", "Authorization", "Bearer "+i.token(t)).body, "a token is not read")
}
