package identity

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// metadataOf is the document of an IdP whose userinfo endpoint is on another host.
func metadataOf(idp, userInfoHost string, with ...any) string {
	document := map[string]any{
		"issuer": idp, "authorization_endpoint": idp + "/o/auth", "token_endpoint": idp + "/o/token",
		"userinfo_endpoint": userInfoHost + "/v1/userinfo", "end_session_endpoint": idp + "/o/logout?ui=1",
		"jwks_uri": idp + "/keys", "response_modes_supported": []string{"query", "form_post"},
	}
	for i := 0; i < len(with); i += 2 {
		if document[with[i].(string)] = with[i+1]; with[i+1] == nil {
			delete(document, with[i].(string))
		}
	}
	raw, _ := json.Marshal(document)
	return string(raw)
}

// publishes has a recorder serve a document, and everything else as before. It
// returns how often the document was asked for.
func (rec *recorder) publishes(document string) *atomic.Int32 {
	asked := new(atomic.Int32)
	rec.respondWith(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.HasSuffix(r.URL.Path, "/.well-known/openid-configuration"):
			asked.Add(1)
			_, _ = io.WriteString(w, document)
		case strings.HasSuffix(r.URL.Path, "userinfo"):
			_, _ = io.WriteString(w, `{"sub":"u1"}`)
		case strings.HasSuffix(r.URL.Path, "token"):
			_, _ = io.WriteString(w, recordedToken)
		default:
			http.NotFound(w, r)
		}
	})
	return asked
}

// onlyFor are the requests that are not for metadata.
func onlyFor(requests []recorded, suffix string) (some []recorded) {
	for _, r := range requests {
		if strings.HasSuffix(r.path, suffix) {
			some = append(some, r)
		}
	}
	return some
}

// discovering is a gateway with discover in front of an IdP of two hosts.
func discovering(t *testing.T, options string, with ...any) (g *gateway, userInfo *recorder) {
	rec, userInfo := newRecorder(t, nil), newRecorder(t, nil)
	rec.publishes(metadataOf(rec.URL, userInfo.URL, with...))
	return inFrontOf(t, rec, "discover\n"+options), userInfo
}

func TestTheIdPsOwnWordSaysWhereItsEndpointsAre(t *testing.T) {
	g, userInfo := discovering(t, "")

	a := g.get("/authorize?" + authorizeQuery(verifier1))
	require.Equal(t, http.StatusFound, a.StatusCode, a.body)
	require.True(t, strings.HasPrefix(a.Header.Get("Location"), g.idp.URL+"/o/auth?audience="), a.Header.Get("Location"))

	a = g.post("/oauth/token", tokenBody(verifier1, "code-1"))
	require.Equal(t, http.StatusOK, a.StatusCode, a.body)
	require.Len(t, onlyFor(g.idp.reached(), "/o/token"), 1)

	a = g.get("/userinfo", "Authorization", "Bearer at-1")
	require.Equal(t, http.StatusOK, a.StatusCode, a.body)
	reached, _ := userInfo.form(t)
	require.Equal(t, "/v1/userinfo", reached.path)
	require.Equal(t, strings.TrimPrefix(userInfo.URL, "http://"), reached.host, "Host is that of the endpoint")
	require.Empty(t, reached.header.Get("X-Forwarded-Host"))

	a = g.get("/v2/logout?client_id=app&id_token_hint=e30&state=x&returnTo=https%3A%2F%2Fapp.example%2F")
	require.Equal(t, g.idp.URL+"/o/logout?ui=1&client_id=app&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2F&id_token_hint=e30&state=x", a.Header.Get("Location"))

	for _, path := range []string{"/o/token", "/O/Token/", "/o//auth", "/o/logout.json"} {
		require.Equal(t, http.StatusNotFound, g.get(path).StatusCode, "no other handler serves the IdP's own %s", path)
	}
	require.Equal(t, http.StatusTeapot, g.get("/v1/userinfo").StatusCode, "a path on another host is nobody's business here")
}

func TestTheAddressOfTheMetadataStandsForItsIssuer(t *testing.T) {
	for _, suffix := range []string{"/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"} {
		rec := newRecorder(t, nil)
		rec.publishes(metadataOf(rec.URL, rec.URL))
		handler := loaded(t, "identity_gateway "+rec.URL+suffix, t.TempDir())
		a := front(t, handler, rec).get("/authorize?" + authorizeQuery(verifier1))
		require.True(t, strings.HasPrefix(a.Header.Get("Location"), rec.URL+"/o/auth?"), "%d %s", a.StatusCode, a.Header.Get("Location"))
	}
}

func TestUntilTheIdPIsKnown(t *testing.T) {
	rec := newRecorder(t, nil)
	document := metadataOf(rec.URL, rec.URL)
	rec.respondWith(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, ".well-known") {
			http.Error(w, "maintenance", http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, recordedToken)
	})
	g, whole := inFrontOf(t, rec, "discover\nendpoint token /o/token"), inFrontOf(t, rec, "discover\ndeny_path keycloak")
	a := g.get("/authorize?" + authorizeQuery(verifier1))
	require.Equal(t, http.StatusServiceUnavailable, a.StatusCode)
	require.Equal(t, "temporarily_unavailable", a.code())
	require.Equal(t, "5", a.Header.Get("Retry-After"))
	require.Equal(t, http.StatusOK, g.post("/oauth/token", tokenBody(verifier1, "code-1")).StatusCode, "the Caddyfile says where it is")
	require.Equal(t, http.StatusTeapot, g.get("/elsewhere").StatusCode)
	require.Equal(t, http.StatusServiceUnavailable, whole.get("/o/token").StatusCode,
		"where a host is handed to the IdP, nothing passes before it is known what must not")

	rec.publishes(document)
	require.Eventually(t, func() bool {
		return g.get("/authorize?"+authorizeQuery(verifier1)).StatusCode == http.StatusFound
	}, 20*time.Second, 100*time.Millisecond)
	require.Equal(t, http.StatusNotFound, whole.get("/o/token").StatusCode)
	require.Equal(t, http.StatusTeapot, whole.get("/elsewhere").StatusCode)
}

func TestALoginSurvivesANewDocumentAndARestartWithTheIdPDown(t *testing.T) {
	rec, folder := newRecorder(t, nil), t.TempDir()
	rec.publishes(metadataOf(rec.URL, rec.URL))
	directive := "identity_gateway " + rec.URL + " {\ndiscover\ncallback\npublic_url http://localhost\n" + registeredClient + "\n}"
	start := func() (*gateway, func()) {
		handler, cleanup, err := provision(t, directive, folder)
		require.NoError(t, err)
		t.Cleanup(cleanup)
		return front(t, handler, rec), cleanup
	}
	g, stop := start()
	state, code := g.begin(verifier1).Get("state"), g.logIn(verifier2, "code-2")
	stop()

	rec.publishes(metadataOf(rec.URL, rec.URL, "token_endpoint", rec.URL+"/moved/token", "authorization_endpoint", rec.URL+"/moved/authorize"))
	g, stop = start()
	require.Eventually(t, func() bool {
		return strings.Contains(g.get("/authorize?"+authorizeQuery(verifier1)).Header.Get("Location"), "/moved/authorize?")
	}, 20*time.Second, 10*time.Millisecond, "until the document is there, the one from before counts")
	require.Equal(t, http.StatusOK, g.post("/oauth/token", tokenBody(verifier2, code)).StatusCode)
	require.Len(t, onlyFor(rec.reached(), "/moved/token"), 1)
	stop()

	rec.respondWith(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, ".well-known") {
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, recordedToken)
	})
	g, _ = start()
	require.Equal(t, http.StatusOK, g.post("/oauth/token", tokenBody(verifier1, g.callBack(state, "code-1"))).StatusCode)
	require.Len(t, onlyFor(rec.reached(), "/moved/token"), 1, "what the IdP said before its outage")
}

func TestValidatingAConfigurationAsksNoIdP(t *testing.T) {
	rec := newRecorder(t, nil)
	asked := rec.publishes(metadataOf(rec.URL, rec.URL))
	_, cleanup, err := provision(t, "identity_gateway "+rec.URL+" {\ndiscover\n}", t.TempDir())
	require.NoError(t, err)
	cleanup()
	require.Zero(t, asked.Load())
}

func TestAnEndpointOnAnotherHost(t *testing.T) {
	other := newRecorder(t, nil)
	g := newGateway(t, "endpoint token "+other.URL+"/deep/token?tenant=1\nendpoint authorize "+other.URL+"/deep/auth?p=1")
	a := g.get("/authorize?" + authorizeQuery(verifier1))
	require.True(t, strings.HasPrefix(a.Header.Get("Location"), other.URL+"/deep/auth?p=1&audience="), a.Header.Get("Location"))
	require.Equal(t, http.StatusOK, g.post("/oauth/token", tokenBody(verifier1, "code-1")).StatusCode)
	require.Equal(t, http.StatusOK, g.get("/userinfo", "Authorization", "Bearer at-1").StatusCode)
	reached := other.reached()
	require.Len(t, reached, 1)
	require.Equal(t, "/deep/token", reached[0].path)
	require.Equal(t, "tenant=1", reached[0].query)
	require.Len(t, g.idp.reached(), 1)

	other.respondWith(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	require.Equal(t, http.StatusBadGateway, g.post("/oauth/token", tokenBody(verifier1, "code-2")).StatusCode)
	require.Len(t, other.reached(), 1, "a token request is sent once")
	other.Close()
	require.Equal(t, http.StatusBadGateway, g.post("/oauth/token", tokenBody(verifier1, "code-3")).StatusCode)
}

func TestAnIdPWithoutALogoutOrAUser(t *testing.T) {
	g, _ := discovering(t, "client app {\nredirect_uri https://app.example/cb\nreturn_to https://app.example/bye https://app.example/?a=b\n}",
		"end_session_endpoint", nil, "userinfo_endpoint", nil)
	open, _ := discovering(t, "", "end_session_endpoint", nil)
	const hint = "/v2/logout?state=x&client_id=app&id_token_hint=e30&returnTo="
	for _, tt := range []struct {
		response *response
		status   int
		location string
		says     string
	}{
		{g.get("/userinfo", "Authorization", "Bearer at-1"), 501, "", "no userinfo endpoint"},
		{g.get(hint + "https%3A%2F%2Fapp.example%2Fbye"), 302, "https://app.example/bye?state=x", ""},
		{g.get(hint + "https%3A%2F%2Fapp.example%2F%3Fa%3Db"), 302, "https://app.example/?a=b&state=x", ""},
		{g.get("/v2/logout?client_id=app&returnTo=https%3A%2F%2Fevil.example%2F"), 400, "", ""},
		{g.get("/v2/logout"), 200, "", "Logged out of the app"},
		{open.get("/v2/logout?returnTo=https%3A%2F%2Fapp.example%2F"), 400, "", "must be registered as return_to"}, // nobody else checks where it leads
	} {
		require.Equal(t, tt.status, tt.response.StatusCode, tt.response.body)
		require.Equal(t, tt.location, tt.response.Header.Get("Location"))
		require.Contains(t, tt.response.body, tt.says)
	}
}

func TestClientsFindTheGatewayByItsMetadata(t *testing.T) {
	g, _ := discovering(t, "public_url https://login.example\ncallback\n"+registeredClient)
	read := func(path string) map[string]any {
		a := g.get(path, "Origin", "https://anybody.example", "X-Forwarded-Host", "evil.example")
		require.Equal(t, http.StatusOK, a.StatusCode, a.body)
		require.Equal(t, "application/json", a.Header.Get("Content-Type"))
		require.Equal(t, "*", a.Header.Get("Access-Control-Allow-Origin"))
		var d map[string]any
		require.NoError(t, json.Unmarshal([]byte(a.body), &d))
		require.Equal(t, "https://login.example/oauth/token", d["token_endpoint"], "never what a request says")
		return d
	}
	require.Equal(t, "https://login.example", read("/.well-known/oauth-authorization-server")["issuer"])
	openID := read("/.well-known/openid-configuration")
	require.Equal(t, g.idp.URL, openID["issuer"])
	require.Equal(t, g.idp.URL+"/keys", openID["jwks_uri"])

	for method, status := range map[string]int{http.MethodOptions: 204, http.MethodPost: 405, http.MethodHead: 200} {
		require.Equal(t, status, g.do(method, "/.well-known/oauth-authorization-server", "", "Origin", "https://anybody.example").StatusCode, method)
	}
}

// Azure AD B2C has its metadata elsewhere than below its issuer; Keycloak in Compose has a name that
// browsers do not know. Without the address of the metadata neither is found.
func TestMetadataThatIsNotBelowTheIssuer(t *testing.T) {
	client := testidp.Client{ID: "app", RedirectURIs: []string{"https://app.example/cb"}}
	for name, tt := range map[string]struct {
		behavior testidp.Behavior
		issuer   func(s *testidp.Server) string
		browsers bool // know another name than the gateway
	}{
		"Azure AD B2C": {behavior: testidp.AzureB2C(client), issuer: (*testidp.Server).IssuerURL},
		"Keycloak in Compose": {behavior: testidp.Keycloak(client), browsers: true, issuer: func(s *testidp.Server) string {
			return strings.Replace(s.IssuerURL(), "127.0.0.1", "localhost", 1)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := testidp.Run(t, tt.behavior)
			authorize, logout := s.URL()+tt.behavior.Path(testidp.PathAuthorize), s.URL()+tt.behavior.Path(testidp.PathLogout)
			if tt.browsers {
				authorize, logout = strings.Replace(authorize, "127.0.0.1", "localhost", 1), strings.Replace(logout, "127.0.0.1", "localhost", 1)
				issuer, token := tt.issuer(s), strings.Replace(s.URL(), "127.0.0.1", "localhost", 1)+tt.behavior.Path(testidp.PathToken)
				s.Change(func(b *testidp.Behavior) {
					b.Issuer, b.Metadata = issuer, map[string]any{"authorization_endpoint": authorize, "end_session_endpoint": logout, "token_endpoint": token}
				})
			}
			known := func(discover string) *Gateway {
				handler := loaded(t, "identity_gateway "+tt.issuer(s)+" {\nparameters oauth\n"+discover+"\nclient app {\nredirect_uri https://app.example/cb\n}\n}", t.TempDir())
				_, err := handler.discovered.handle.Await(t.Context())
				if discover == "discover" && !tt.browsers {
					require.Error(t, err, "which is why")
					return nil
				}
				require.NoError(t, err)
				return handler
			}
			known("discover")
			policy := known("discover " + s.URL() + tt.behavior.Path(testidp.PathDiscovery)).gateway.Policy()
			require.Equal(t, authorize, policy.IdP().At(idp.Authorize).String(), "where browsers go")
			require.Equal(t, s.URL()+tt.behavior.Path(testidp.PathToken), policy.IdP().At(idp.Token).String(), "what the gateway asks")
			require.Equal(t, tt.issuer(s), policy.IdP().Issuer())
		})
	}
}

// However it is configured.
func TestAnAddressOfTheMetadataThatIsNone(t *testing.T) {
	for _, at := range []string{"yes", "//idp.example/metadata", "ftp://idp.example/metadata", "https://u@idp.example/metadata"} {
		_, _, err := provision(t, "identity_gateway https://idp.example {\ndiscover "+at+"\n}", t.TempDir())
		require.ErrorContains(t, err, "discover: the address of the metadata", at)
		require.ErrorContains(t, err, "write all of it", at)
	}
}
