package identity

import (
	"html"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

const sharingClients = `
parameters oauth
client app {
	consent "Ada's App"
	redirect_uri https://app.example/cb
	idp_client gateway {
		secret s3cret
	}
}
client other {
	redirect_uri https://other.example/cb
	idp_client gateway {
		secret s3cret
	}
}
`

var transactionField = regexp.MustCompile(`name="transaction" value="([^"]+)"`)

// person is a browser at a gateway.
type person struct {
	*gateway
	client *http.Client
}

func newPerson(t *testing.T, g *gateway) *person {
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return &person{g, &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

func (p *person) send(r *http.Request) *response {
	p.t.Helper()
	r.Header.Set("Accept", "text/html")
	for _, cookie := range p.client.Jar.Cookies(r.URL) {
		r.AddCookie(cookie)
	}
	a := send(p.t, r)
	p.client.Jar.SetCookies(r.URL, a.Cookies())
	return a
}

func (p *person) load(path string) *response {
	p.t.Helper()
	r, err := http.NewRequest(http.MethodGet, p.URL+path, nil)
	require.NoError(p.t, err)
	return p.send(r)
}

// answer sends the form of a page that was read.
func (p *person) answer(page *response, decision string) *response {
	p.t.Helper()
	time.Sleep(2 * time.Second)
	return p.answerAtOnce(page, decision)
}

func (p *person) answerAtOnce(page *response, decision string) *response {
	p.t.Helper()
	found := transactionField.FindStringSubmatch(page.body)
	require.NotNil(p.t, found, page.body)
	body := url.Values{"transaction": {html.UnescapeString(found[1])}, "decision": {decision}}
	r, err := http.NewRequest(http.MethodPost, p.URL+"/oauth/consent", strings.NewReader(body.Encode()))
	require.NoError(p.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return p.send(r)
}

const plainScope = "profile"

func TestTheUserIsAskedAndTheCallbackChecks(t *testing.T) {
	g := newGateway(t, sharingClients+"callback")
	ada, eve := newPerson(t, g), newPerson(t, g)
	page := ada.load("/authorize?" + authorizeQuery(verifier1, "scope", plainScope))
	require.Equal(t, 200, page.StatusCode)
	require.Contains(t, page.body, "Ada&#39;s App")
	a := ada.answer(page, "allow")
	require.Equal(t, http.StatusSeeOther, a.StatusCode, a.body)
	upstream, err := url.Parse(a.Header.Get("Location"))
	require.NoError(t, err)
	require.Equal(t, "gateway", upstream.Query().Get("client_id"))
	require.Equal(t, plainScope, upstream.Query().Get("scope"))
	back := "/oauth/callback?" + url.Values{"code": {"code-1"}, "state": {upstream.Query().Get("state")}}.Encode()
	a = eve.load(back)
	require.Equal(t, 403, a.StatusCode)
	require.Contains(t, a.body, "another browser")
	a = ada.load(back)
	require.Equal(t, http.StatusSeeOther, a.StatusCode, a.body)
	to, err := url.Parse(a.Header.Get("Location"))
	require.NoError(t, err)
	require.Equal(t, 200, g.post("/oauth/token", tokenBody(verifier1, to.Query().Get("code"))).StatusCode)

	require.Equal(t, http.StatusFound, ada.load("/authorize?"+authorizeQuery(verifier1, "scope", plainScope, "client_id", "other", "redirect_uri", "https://other.example/cb")).StatusCode, "a client that is trusted")
}

func TestTheUserIsAskedInFrontOfAProxiedIdP(t *testing.T) {
	g := newGateway(t, sharingClients+"callback\nfront_channel proxy")
	ada := newPerson(t, g)
	page := ada.load("/authorize?" + authorizeQuery(verifier1, "scope", plainScope))
	require.Empty(t, g.idp.reached())
	a := ada.answer(page, "allow")
	require.Equal(t, 200, a.StatusCode, a.body)
	reached := g.idp.reached()
	require.Len(t, reached, 1)
	require.Equal(t, http.MethodGet, reached[0].method)
	require.Empty(t, reached[0].body)
	require.Contains(t, reached[0].query, "client_id=gateway")
}

func TestNobodyElseGetsTheBrowsersCookie(t *testing.T) {
	const cookies = "a=1; identity_gateway_browser=b; __Host-Http-identity_gateway_browser=b"
	g := newGateway(t, sharingClients+"callback\nfront_channel proxy")
	for _, path := range []string{"/v2/logout?client_id=app", "/authorize?" + authorizeQuery(verifier1, "scope", plainScope, "client_id", "other", "redirect_uri", "https://other.example/cb")} {
		r, err := http.NewRequest(http.MethodGet, g.URL+path, nil)
		require.NoError(t, err)
		r.Header.Set("Cookie", cookies)
		require.Equal(t, 200, g.do(r).StatusCode)
		reached := g.idp.reached()
		require.Len(t, reached, 1)
		require.Equal(t, []string{"a=1"}, reached[0].header["Cookie"], path)
	}

	handler := loaded(t, "identity_gateway "+g.idp.URL+" {\n"+sharingClients+"callback\n}", t.TempDir())
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/app", nil)
	r.Header.Set("Cookie", cookies)
	r = caddyhttp.PrepareRequest(r, caddy.NewReplacer(), w, new(caddyhttp.Server))
	require.NoError(t, handler.ServeHTTP(w, r, caddyhttp.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) error {
		require.Equal(t, []string{"a=1"}, r.Header["Cookie"])
		w.WriteHeader(http.StatusTeapot)
		return nil
	})))
	require.Equal(t, http.StatusTeapot, w.Code)
}

func TestClientsThatAreOneAtTheIdPAreAWarning(t *testing.T) {
	for options, want := range map[string]int{
		sharingClients + "callback": 1,
		strings.Replace(sharingClients, "client other {", "client other {\nconsent", 1) + "callback": 0,
		twoClients + "callback": 0,
	} {
		rec := newRecorder(t, nil)
		g := loaded(t, "identity_gateway "+rec.URL+" {\n"+options+"\n}", t.TempDir())
		core, logs := observer.New(zap.WarnLevel)
		g.logger = zap.New(core)
		g.logShared(g.policy)
		require.Equal(t, want, logs.Len(), options)
		if want == 1 {
			require.Equal(t, []any{"other"}, logs.All()[0].ContextMap()["without_consent"])
		}
	}
	_, _, err := provision(t, "identity_gateway https://idp.example {\nclient app {\nconsent\nredirect_uri https://app.example/cb\n}\n}", t.TempDir())
	require.ErrorContains(t, err, "consent needs callback")
}
