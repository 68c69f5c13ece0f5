package identity

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"
)

const unseenClients = `
callback
public_url http://localhost
resource https://mcp.example/mcp {
	scope mcp.read
	default_scope mcp.read
	tokens idp
}
dynamic_clients {
	idp_client gateway {
		secret s3cret
	}
	registration 30d
	metadata_documents
	allow cursor https://app.example/cb
}
`

// register is an agent that finds the gateway by its metadata and registers, as SDKs do.
func register(t *testing.T, g *gateway, body string) (clientID string) {
	t.Helper()
	var metadata struct {
		Registration string `json:"registration_endpoint"`
		Documents    bool   `json:"client_id_metadata_document_supported"`
	}
	require.NoError(t, json.Unmarshal([]byte(g.get("/.well-known/oauth-authorization-server").body), &metadata))
	require.True(t, metadata.Documents)
	at, err := url.Parse(metadata.Registration)
	require.NoError(t, err)
	a := g.do(http.MethodPost, at.Path, body, "Content-Type", "application/json")
	require.Equal(t, http.StatusCreated, a.StatusCode, a.body)
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	var registered struct {
		ClientID string `json:"client_id"`
	}
	require.NoError(t, json.Unmarshal([]byte(a.body), &registered))
	return registered.ClientID
}

func TestAnAgentThatNobodyConfigured(t *testing.T) {
	g := newGateway(t, unseenClients)
	a := &oauth2.Config{
		ClientID: register(t, g, `{"client_name":"Agent","redirect_uris":["http://127.0.0.1:33418/callback"],"token_endpoint_auth_method":"none"}`),
		Endpoint: oauth2.Endpoint{AuthURL: "/authorize", TokenURL: g.URL + "/oauth/token", AuthStyle: oauth2.AuthStyleInParams}, RedirectURL: "http://127.0.0.1:50001/callback",
	}
	ada := newPerson(t, g)
	page := ada.load(a.AuthCodeURL("s", oauth2.S256ChallengeOption(verifier1), oauth2.SetAuthURLParam("resource", "https://mcp.example/mcp")))
	require.Equal(t, 200, page.StatusCode, page.body)
	require.Contains(t, page.body, "“<strong>Agent</strong>”")
	require.Contains(t, page.body, "This name is not verified")
	allowed := ada.answer(page, "allow")
	require.Equal(t, http.StatusSeeOther, allowed.StatusCode, allowed.body)
	upstream := allowed.location(t).Query()
	require.Equal(t, "gateway", upstream.Get("client_id"))
	back := ada.load(callbackFor(upstream.Get("state"), "code-1")).location(t)
	require.Equal(t, "127.0.0.1:50001", back.Host)
	token, err := a.Exchange(context.Background(), back.Query().Get("code"), oauth2.VerifierOption(verifier1))
	require.NoError(t, err)
	require.Equal(t, "at-1", token.AccessToken)
}

// What nobody serves is not there: a client that looks for it must not take an empty 200
// for an answer.
func TestWhatNobodyServesIs404(t *testing.T) {
	front := func(options string, next caddyhttp.HandlerFunc) *gateway {
		rec := newRecorder(t, nil)
		g := loaded(t, "identity_gateway "+rec.URL+" {\n"+options+"\n}", t.TempDir())
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := g.ServeHTTP(w, caddyhttp.PrepareRequest(r, caddy.NewReplacer(), w, new(caddyhttp.Server)), next); err != nil {
				w.WriteHeader(http.StatusBadGateway)
			}
		}))
		t.Cleanup(server.Close)
		return &gateway{server, rec, t, g}
	}
	nobody := front("", func(http.ResponseWriter, *http.Request) error { return nil }) // as Caddy's last handler
	a := nobody.get("/.well-known/oauth-protected-resource/mcp")
	require.Equal(t, http.StatusNotFound, a.StatusCode)
	require.Equal(t, "application/json", a.Header.Get("Content-Type"))
	require.Equal(t, "*", a.Header.Get("Access-Control-Allow-Origin"))
	require.Equal(t, "invalid_request", a.code())
	require.Equal(t, 200, nobody.get("/other").StatusCode, "what else nobody serves is Caddy's to answer")
	app := front(unseenClients, func(w http.ResponseWriter, r *http.Request) error {
		if r.URL.Path == "/token" {
			_, _ = io.WriteString(w, "the app's")
			return nil
		}
		return errors.New("the app failed")
	})
	require.Equal(t, "the app's", app.get("/token").body)
	require.Equal(t, http.StatusBadGateway, app.get("/register").StatusCode)
}

func TestPlaceholdersOfDynamicClients(t *testing.T) {
	t.Setenv("CLIENT_SECRET", "s3cret")
	t.Setenv("APP", "https://app.example/cb")
	g, cleanup, err := provision(t, "identity_gateway https://idp.example {\n"+strings.NewReplacer("s3cret", "{env.CLIENT_SECRET}", "https://app.example/cb", "{env.APP}").Replace(unseenClients)+"\n}", t.TempDir())
	require.NoError(t, err)
	cleanup()
	config, err := g.PolicyConfig()
	require.NoError(t, err)
	require.Equal(t, "s3cret", config.DynamicClients.IdPClient.Secret)
	require.Equal(t, []string{"cursor", "https://app.example/cb"}, config.DynamicClients.Allow)
	_, _, err = provision(t, "identity_gateway https://idp.example {\n"+strings.Replace(unseenClients, "cursor", "{env.NOTHING}", 1)+"\n}", t.TempDir())
	require.ErrorContains(t, err, "allow")
}
