package identity

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
)

const pushesOf = `
parameters oauth
callback
endpoint par /oauth/par
client app {
	redirect_uri https://app.example/cb
	idp_client gateway {
		secret s3cret
	}
`

const requestURI = "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c"

// takesPushes is an IdP that takes pushed requests, and no others.
func takesPushes(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/oauth/par":
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		case r.URL.RawQuery == (url.Values{"client_id": {"gateway"}, "request_uri": {requestURI}}).Encode():
			_, _ = w.Write([]byte("log in here"))
		default:
			w.WriteHeader(http.StatusBadRequest)
		}
	}
}

const taken = `{"request_uri":"` + requestURI + `","expires_in":60}`

func TestRequestsArePushed(t *testing.T) {
	want := url.Values{"client_id": {"gateway"}, "request_uri": {requestURI}}
	target := "/authorize?" + authorizeQuery(verifier1, "acr_values", "strong", "scope", plainScope)
	pushing := func(options string) *gateway {
		g := newGateway(t, pushesOf+options)
		g.idp.respondWith(takesPushes(201, taken))
		return g
	}
	pushedTo := func(g *gateway) url.Values {
		reached := g.idp.reached()
		require.NotEmpty(t, reached)
		require.Equal(t, http.MethodPost, reached[0].method)
		require.Equal(t, "/oauth/par", reached[0].path)
		require.Equal(t, "Basic Z2F0ZXdheTpzM2NyZXQ=", reached[0].header.Get("Authorization"))
		require.Empty(t, reached[0].query)
		form, err := url.ParseQuery(reached[0].body)
		require.NoError(t, err)
		require.Equal(t, "strong", form.Get("acr_values"))
		return form
	}

	g := pushing("}")
	require.Equal(t, want, g.get(target).location(t).Query(), "a redirect")
	require.NotEmpty(t, g.callBack(pushedTo(g).Get("state"), "code-1"))

	a := g.get(target, "Accept", "application/json")
	require.Contains(t, a.body, "interaction_required")
	require.Contains(t, a.body, g.URL+"/authorize?", "a browser begins at the gateway")
	pushedTo(g)

	proxied := pushing("}\nfront_channel proxy")
	require.Equal(t, "log in here", proxied.get(target).body)
	pushedTo(proxied)

	asks := pushing("consent\n}")
	ada := newPerson(t, asks)
	page := ada.load(target)
	require.Empty(t, asks.idp.reached(), "nothing is pushed before she allows it")
	require.Equal(t, want, ada.answer(page, "allow").location(t).Query(), "after the consent page")
	pushedTo(asks)
}

// Its responses are held to the OpenAPI document, as those of every endpoint are.
func TestAClientPushesToTheGateway(t *testing.T) {
	g := newGateway(t, `
public_url http://localhost
callback
client app {
	redirect_uri https://app.example/cb
	par required
}
client other {
	redirect_uri https://other.example/cb
}
`)
	push := func(form string) *response { return g.post("/oauth/par", form) }
	query := authorizeQuery(verifier1)
	direct := g.get("/authorize?" + query)
	require.Contains(t, direct.Header.Get("Location"), "error=invalid_request")
	pushed := push(query)
	require.Equal(t, http.StatusCreated, pushed.StatusCode, pushed.body)
	var given struct {
		RequestURI string `json:"request_uri"`
	}
	require.NoError(t, json.Unmarshal([]byte(pushed.body), &given))
	begun := g.get("/authorize?" + url.Values{"client_id": {"app"}, "request_uri": {given.RequestURI}}.Encode())
	require.Equal(t, http.StatusFound, begun.StatusCode, begun.body)
	require.Equal(t, http.StatusBadRequest, push("client_id=app").StatusCode)
	require.Equal(t, http.StatusBadRequest, push(strings.Replace(query, "client_id=app", "client_id=other", 1)).StatusCode)
	require.Equal(t, http.StatusMethodNotAllowed, g.get("/oauth/par").StatusCode)
}

func TestAParameterThatIsLeftOutIsNamedOnce(t *testing.T) {
	g := newGateway(t, "parameters oauth\nclient app {\nscope read profile\nredirect_uri https://app.example/cb\n}")
	logs := g.logged(zap.WarnLevel)
	for range 2 {
		a := g.get("/authorize?" + authorizeQuery(verifier1, "audience", "", "aud", "https://big.example"))
		require.Equal(t, http.StatusFound, a.StatusCode, a.body)
		require.NotContains(t, a.Header.Get("Location"), "big.example")
	}
	require.Equal(t, 1, logs.Len())
	require.Equal(t, map[string]any{"client": "app", "parameter": "aud"}, logs.All()[0].ContextMap())
}
