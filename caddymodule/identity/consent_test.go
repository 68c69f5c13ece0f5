package identity

import (
	"html"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
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
	jar http.CookieJar
}

func newPerson(t *testing.T, g *gateway) *person {
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return &person{g, jar}
}

func (p *person) send(r *http.Request) *response {
	p.t.Helper()
	for _, cookie := range p.jar.Cookies(r.URL) {
		r.AddCookie(cookie)
	}
	a := send(p.t, r)
	p.jar.SetCookies(r.URL, a.Cookies())
	return a
}

func (p *person) load(path string) *response {
	p.t.Helper()
	return p.send(p.new(http.MethodGet, path, "", "Accept", "text/html"))
}

// answer sends the form of a page that was read.
func (p *person) answer(page *response, decision string) *response {
	p.t.Helper()
	time.Sleep(2 * time.Second)
	found := transactionField.FindStringSubmatch(page.body)
	require.NotNil(p.t, found, page.body)
	body := url.Values{"transaction": {html.UnescapeString(found[1])}, "decision": {decision}}
	return p.send(p.new(http.MethodPost, "/oauth/consent", body.Encode(), "Accept", "text/html", "Content-Type", "application/x-www-form-urlencoded"))
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
	upstream := a.location(t).Query()
	require.Equal(t, "gateway", upstream.Get("client_id"))
	require.Equal(t, plainScope, upstream.Get("scope"))
	back := callbackFor(upstream.Get("state"), "code-1")
	a = eve.load(back)
	require.Equal(t, 403, a.StatusCode)
	require.Contains(t, a.body, "another browser")
	a = ada.load(back)
	require.Equal(t, http.StatusSeeOther, a.StatusCode, a.body)
	require.Equal(t, 200, g.post("/oauth/token", tokenBody(verifier1, a.location(t).Query().Get("code"))).StatusCode)

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
	require.Equal(t, 200, g.get("/v2/logout?client_id=app", "Cookie", cookies).StatusCode)
	require.Equal(t, []string{"a=1"}, g.idp.reached()[0].header["Cookie"])
	w := passOn(t, "/app", func(r *http.Request) { r.Header.Set("Cookie", cookies) }, func(r *http.Request) {
		require.Equal(t, []string{"a=1"}, r.Header["Cookie"])
	})
	require.Equal(t, http.StatusTeapot, w.Code)
}

func TestClientsThatAreOneAtTheIdPAreAWarning(t *testing.T) {
	for options, want := range map[string]int{
		sharingClients + "callback": 1,
		strings.Replace(sharingClients, "client other {", "client other {\nconsent", 1) + "callback": 0,
		twoClients + "callback": 0,
	} {
		g := newGateway(t, options)
		logs := g.logged(zap.WarnLevel)
		g.handler.logShared(g.handler.policy)
		require.Equal(t, want, logs.Len(), options)
		if want == 1 {
			require.Equal(t, []any{"other"}, logs.All()[0].ContextMap()["without_consent"])
		}
	}
}
