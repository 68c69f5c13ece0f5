package attacks

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/doctest"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
)

// proxy is what one writes first to let agents in that register: it passes logins on to the
// IdP as one client of it, and the IdP's tokens back. It lacks what each attack is about.
type proxy struct {
	*httptest.Server
	idp *testidp.Server

	mu      sync.Mutex
	clients map[string][]string // redirect URIs
	logins  map[string]url.Values
	codes   map[string][]byte // token responses
	// encodes puts the redirect URIs into the id, and keeps nothing.
	encodes bool
	// asks shows a page for each client, and remembers what was approved.
	asks bool
	// checks compares redirect URIs.
	checks bool
	// staff lets in whose address ends in the company's domain, or who has a group's name in what the IdP
	// says of his groups; else everybody may come in.
	staff bool
}

func newProxy(t *testing.T, idp *testidp.Server, lacks string) *proxy {
	p := &proxy{
		idp: idp, clients: make(map[string][]string), logins: make(map[string]url.Values), codes: make(map[string][]byte),
		encodes: lacks == "sealing", asks: lacks != "consent", checks: lacks != "checks", staff: lacks == "care",
	}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = r.ParseForm()
	toIdP := func(login url.Values) {
		state := rand.Text()
		p.logins[state] = login
		q := url.Values{"response_type": {"code"}, "client_id": {"proxy"}, "redirect_uri": {p.URL + "/oauth/callback"}, "state": {state}, "scope": {"openid email offline_access"}}
		http.Redirect(w, r, p.idp.URL()+testidp.PathAuthorize+"?"+q.Encode(), http.StatusSeeOther)
	}
	switch r.URL.Path {
	case "/oauth/register":
		var client struct {
			RedirectURIs []string `json:"redirect_uris"`
		}
		_ = json.NewDecoder(r.Body).Decode(&client)
		id := rand.Text()
		if p.encodes {
			encoded, _ := json.Marshal(client.RedirectURIs)
			id = base64.RawURLEncoding.EncodeToString(encoded)
		} else {
			p.clients[id] = client.RedirectURIs
		}
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(map[string]any{"client_id": id, "redirect_uris": client.RedirectURIs})
	case "/authorize":
		id := r.Form.Get("client_id")
		allowed, known := p.clients[id]
		if p.encodes {
			decoded, _ := base64.RawURLEncoding.DecodeString(id)
			known = json.Unmarshal(decoded, &allowed) == nil
		}
		approved, _ := r.Cookie("approved")
		switch {
		case !known || p.checks && !slices.Contains(allowed, r.Form.Get("redirect_uri")):
			http.Error(w, "unknown client", http.StatusBadRequest)
		case p.asks && (approved == nil || approved.Value != id):
			fmt.Fprintf(w, `<form method="post" action="/approve"><input type="hidden" name="transaction" value=%q></form>`, r.URL.RawQuery)
		default:
			toIdP(r.Form)
		}
	case "/approve":
		login, _ := url.ParseQuery(r.Form.Get("transaction"))
		http.SetCookie(w, &http.Cookie{Name: "approved", Value: login.Get("client_id"), Path: "/"})
		toIdP(login)
	case "/oauth/callback":
		login := p.logins[r.Form.Get("state")]
		code := rand.Text()
		p.codes[code] = p.ask(url.Values{"grant_type": {"authorization_code"}, "code": {r.Form.Get("code")}, "redirect_uri": {p.URL + "/oauth/callback"}})
		if p.staff && !isOfStaff(p.codes[code]) {
			http.Error(w, "not one of us", http.StatusForbidden)
			return
		}
		w.Header().Set("Location", login.Get("redirect_uri")+"?"+url.Values{"code": {code}, "state": {login.Get("state")}}.Encode())
		w.WriteHeader(http.StatusSeeOther)
	case "/oauth/token":
		if token := r.Form.Get("refresh_token"); token != "" {
			_, _ = w.Write(p.ask(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}}))
			return
		}
		_, _ = w.Write(p.codes[r.Form.Get("code")])
	case "/mcp":
		request, _ := http.NewRequest(http.MethodGet, p.idp.URL()+testidp.PathUserInfo, nil)
		request.Header.Set("Authorization", r.Header.Get("Authorization"))
		if response, err := http.DefaultClient.Do(request); err != nil || response.StatusCode != http.StatusOK {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}
}

// isOfStaff is a rule on users as one writes it first.
func isOfStaff(tokens []byte) bool {
	var response struct {
		IDToken string `json:"id_token"`
	}
	var claims struct {
		Email  string `json:"email"`
		Groups any    `json:"groups"`
	}
	if json.Unmarshal(tokens, &response) != nil || json.Unmarshal(payloadOf(response.IDToken), &claims) != nil {
		return false
	}
	return strings.HasSuffix(strings.ToLower(claims.Email), "example.com") || strings.Contains(fmt.Sprint(claims.Groups), "engineering")
}

func (p *proxy) ask(form url.Values) []byte {
	form.Set("client_id", "proxy")
	form.Set("client_secret", "s3cret")
	response, err := http.PostForm(p.idp.URL()+testidp.PathToken, form)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	return body
}

const (
	evil   = "https://evil.example/cb"   // which the operator has allowed: it has a client, too
	eviler = "https://eviler.example/cb" // which is not
	honest = "http://127.0.0.1:33418/cb"
)

// front is what stands before two MCP servers, and the IdP behind it.
type front struct {
	t    *testing.T
	idp  *testidp.Server
	a, b string
	env  *env // of the IdP alone
	// gateway: it is not the proxy.
	gateway bool
}

func newFront(t *testing.T, behindGateway bool, lacks string) *front {
	var addresses [2]string
	for i := range addresses {
		addresses[i] = testgateway.NewAddress(t)
	}
	proxies := [2]*proxy{newProxy(t, nil, lacks), newProxy(t, nil, lacks)}
	client := func(id string, redirectURIs ...string) testidp.Client {
		return testidp.Client{ID: id, RedirectURIs: redirectURIs, Secret: "s3cret"}
	}
	idp := testidp.Run(t, testidp.Behavior{
		Clients: []testidp.Client{
			client("proxy", proxies[0].URL+"/oauth/callback", proxies[1].URL+"/oauth/callback"),
			client("gateway", "http://"+addresses[0]+"/oauth/callback", "http://"+addresses[1]+"/oauth/callback"), client("elsewhere", "https://elsewhere.example/cb"),
		},
		SingleUse: true, ChecksClient: true, ChecksRedirectURI: true, RefreshTokens: true, IgnoresResource: true, ResponseModes: []string{"query"},
	})
	f := frontAt(t, idp, proxies[0].URL, proxies[1].URL)
	f.gateway = behindGateway
	for _, p := range proxies {
		p.idp = idp
	}
	if !behindGateway {
		return f
	}
	for _, address := range addresses {
		site := fmt.Sprintf("protect_mcp http://%s/mcp %s {\n\tidp_client gateway s3cret\n\tallow %s\n\tusers {\n\t\tdomain example.com\n\t}\n\tusers {\n\t\tclaim groups engineering\n\t}\n\tusers {\n\t\tclaim sub ada\n\t}\n}\nrespond /mcp 200", address, idp.IssuerURL(), evil)
		testgateway.Run(t, testgateway.Config{Address: address, Site: site})
	}
	f.a, f.b = "http://"+addresses[0], "http://"+addresses[1]
	return f
}

// frontAt is one that runs already.
func frontAt(t *testing.T, idp *testidp.Server, a, b string) *front {
	return &front{t: t, idp: idp, a: a, b: b, env: &env{ctx: t.Context(), idp: idp, client: newClient()}}
}

// register is the client id that a front gives for redirect URIs, "" if it gives none.
func (f *front) register(at string, redirectURIs ...string) string {
	body := must.Have(json.Marshal(map[string]any{"client_name": "Claude", "redirect_uris": redirectURIs}))(f.t)
	response := must.Have(http.Post(at+"/oauth/register", "application/json", bytes.NewReader(body)))(f.t)
	defer response.Body.Close()
	var registered struct {
		ClientID string `json:"client_id"`
	}
	require.NoError(f.t, json.NewDecoder(response.Body).Decode(&registered))
	return registered.ClientID
}

var verifier = oauth2.GenerateVerifier()

func link(at, clientID, redirectURI string, resources ...string) string {
	return linkWith(verifier, at, clientID, redirectURI, resources...)
}

func linkWith(verifier, at, clientID, redirectURI string, resources ...string) string {
	return at + "/authorize?" + url.Values{
		"response_type": {"code"}, "client_id": {clientID}, "redirect_uri": {redirectURI}, "state": {"s"}, "resource": resources,
		"code_challenge": {oauth2.S256ChallengeFromVerifier(verifier)}, "code_challenge_method": {"S256"},
	}.Encode()
}

// person opens a browser, signed in at the IdP or not.
func (f *front) person(signedIn bool) *browser {
	if signedIn {
		return f.env.browser("ada")
	}
	client := *f.env.client
	client.Jar, _ = cookiejar.New(nil)
	return &browser{f.env, &client}
}

// follow opens an address and goes where that leads, until a page or a foreign host, or
// one of the given. Of a page that asks he chooses Allow, if he allows.
func (f *front) follow(b *browser, address string, allows bool, until ...string) (arrived *url.URL) {
	next := fail.Must(newHop(address))
	for range 20 {
		at := next.url.Scheme + "://" + next.url.Host
		if arrived = fail.Must(url.Parse(next.link())); !slices.Contains([]string{f.a, f.b, f.idp.URL()}, at) || slices.Contains(until, at) {
			return arrived
		}
		following := b.load(next).leadsTo()
		if following == nil || following.form && !allows {
			return arrived
		}
		if next = *following; next.form {
			time.Sleep(2100 * time.Millisecond) // Allow works after two seconds
			next.params.Set("decision", "allow")
		}
	}
	f.t.Fatal("the redirects do not end")
	return nil
}

func (f *front) logIn(at, clientID, redirectURI string) *tokens {
	return f.logInAs(f.person(true), at, clientID, redirectURI)
}

func (f *front) logInAs(b *browser, at, clientID, redirectURI string, resources ...string) *tokens {
	verifier := oauth2.GenerateVerifier()
	arrived := f.follow(b, linkWith(verifier, at, clientID, redirectURI, resources...), true)
	require.NotEmpty(f.t, arrived.Query().Get("code"), arrived)
	return f.env.post(at+tokenPath, url.Values{
		"grant_type": {"authorization_code"}, "client_id": {clientID}, "redirect_uri": {redirectURI}, "code_verifier": {verifier}, "code": {arrived.Query().Get("code")},
	}, nil)
}

func (f *front) opens(at string, t *tokens) bool {
	require.NotEmpty(f.t, t.AccessToken)
	return f.env.send(f.env.client, f.env.newPost(at+"/mcp", nil, http.Header{"Authorization": {"Bearer " + t.AccessToken}})).status == http.StatusOK
}

// reaches reports that a code has come to a host.
func reaches(u *url.URL, redirectURI string) bool {
	return strings.HasPrefix(u.String(), redirectURI) && u.Query().Get("code") != ""
}

// lookAlikes are addresses of an account elsewhere that end like the company's.
var lookAlikes = []string{"eve@evil.example@example.com", "eve@evil-example.com", "eve@sub.example.com", "eve@evil.example\n@example.com"}

// say has the IdP say more of a user from now on.
func (f *front) say(user string, claims map[string]any) {
	f.idp.Change(func(b *testidp.Behavior) {
		b.Claims = func(of string) map[string]any {
			if of == user {
				return claims
			}
			return nil
		}
	})
}

// comesIn reports that a user gets a token. The gateway says why not.
func (f *front) comesIn(user string, as any) bool {
	t := f.logInAs(f.env.browser(user), f.a, f.register(f.a, honest), honest)
	if f.gateway {
		require.Equal(f.t, "access_denied", t.Error, "%v: %+v", as, t)
	}
	return t.AccessToken != ""
}

// agentAttack is one of somebody who registers, as anybody may. It reports whether he has what he
// wants.
type agentAttack struct {
	name, source string
	lacks        string // what the proxy does not have, "" for nothing but what the row says
	stops        string
	wins         func(*front) bool
}

func anAgent(name, source, lacks, stops string, wins func(*front) bool) agentAttack {
	return agentAttack{name, source, lacks, stops, wins}
}

var agentAttacks = []agentAttack{
	anAgent("registers, and sends a link to a victim who is signed in at the IdP: the confused deputy", "FastMCP#2056", "consent",
		"nobody is asked by the IdP before the user was by the gateway", func(f *front) bool {
			return reaches(f.follow(f.person(true), link(f.a, f.register(f.a, evil), evil), false), evil)
		}),
	anAgent("approves his own client in his own browser, and sends the victim on from there", "CVE-2026-27124", "",
		"the callback wants the browser that approved", func(f *front) bool {
			toIdP := f.follow(f.person(false), link(f.a, f.register(f.a, evil), evil), true, f.idp.URL())
			require.True(f.t, strings.HasPrefix(toIdP.String(), f.idp.URL()), toIdP)
			return reaches(f.follow(f.person(true), toIdP.String(), false), evil)
		}),
	anAgent("begins a login for a client that the victim has approved before", "GHSA-6x8h-498w-gv8c", "",
		"nothing is remembered", func(f *front) bool {
			victim, login := f.person(true), link(f.a, f.register(f.a, honest), honest)
			require.True(f.t, reaches(f.follow(victim, login, true), honest))
			return reaches(f.follow(victim, login, false), honest)
		}),
	anAgent("registers one redirect URI, and sends another to `/authorize`", "CVE-2025-4143", "checks",
		"it is compared there, also with what is allowed now", func(f *front) bool {
			return reaches(f.follow(f.person(true), link(f.a, f.register(f.a, honest), evil), true), evil)
		}),
	anAgent("registers a redirect URI that the operator does not allow", "FastMCP#3037", "",
		"400 `invalid_redirect_uri`", func(f *front) bool {
			id := f.register(f.a, eviler)
			return id != "" && reaches(f.follow(f.person(true), link(f.a, id, eviler), true), eviler)
		}),
	anAgent("registers `javascript:`", "KeeperHub#1520", "",
		"400, also if it is in `allow`", func(f *front) bool {
			script := "javascript:alert(1)//"
			id := f.register(f.a, script)
			return id != "" && f.follow(f.person(true), link(f.a, id, script), true).Scheme == "javascript"
		}),
	anAgent("writes another redirect URI into his client id", "", "sealing",
		"it is sealed", func(f *front) bool {
			id := f.register(f.a, honest)
			decoded := must.Have(base64.RawURLEncoding.DecodeString(id))(f.t)
			if edited := bytes.Replace(decoded, []byte(honest), []byte(eviler), 1); !bytes.Equal(edited, decoded) {
				decoded = edited
			} else {
				decoded[len(decoded)/2] ^= 1
			}
			return reaches(f.follow(f.person(true), link(f.a, base64.RawURLEncoding.EncodeToString(decoded), eviler), true), eviler)
		}),
	anAgent("uses the client id of one gateway at another", "", "sealing",
		"it is sealed to its gateway, and to a key: `TestClientIDsThatAreNotTheGateways`", func(f *front) bool {
			return reaches(f.follow(f.person(true), link(f.b, f.register(f.a, evil), evil), true), evil)
		}),
	anAgent("has a client that also logs in at his own server take the code there: mix-up", "RFC 9700 section 4.4", "",
		"each response names its gateway (`iss`)", func(f *front) bool {
			arrived := f.follow(f.person(true), link(f.a, f.register(f.a, honest), honest), true)
			require.True(f.t, reaches(arrived, honest))
			return arrived.Query().Get("iss") != f.a
		}),
	anAgent("uses a token for server A at server B", "", "",
		"401", func(f *front) bool {
			t := f.logIn(f.a, f.register(f.a, honest), honest)
			require.True(f.t, f.opens(f.a, t))
			return f.opens(f.b, t)
		}),
	anAgent("uses a token that the IdP gave to another app: token passthrough", "", "",
		"401", func(f *front) bool {
			const app = "https://elsewhere.example/cb"
			q := url.Values{"response_type": {"code"}, "client_id": {"elsewhere"}, "redirect_uri": {app}, "scope": {"openid"}, "state": {"s"}}
			arrived := f.follow(f.person(true), f.idp.URL()+testidp.PathAuthorize+"?"+q.Encode(), false)
			return f.opens(f.a, f.env.exchangeAtIdP(url.Values{
				"grant_type": {"authorization_code"}, "client_id": {"elsewhere"}, "client_secret": {"s3cret"}, "redirect_uri": {app}, "code": {arrived.Query().Get("code")},
			}))
		}),
	anAgent("is the agent, and calls the IdP's APIs with the token that he gets", "", "",
		"he gets a token of the gateway's own", func(f *front) bool {
			got := f.logIn(f.a, f.register(f.a, honest), honest)
			return slices.ContainsFunc(f.idp.Issued(), func(t testidp.Token) bool { return strings.Contains(got.AccessToken, t.AccessToken) })
		}),
	anAgent("uses the refresh token of another agent", "", "",
		"`invalid_grant`", func(f *front) bool {
			t := f.logIn(f.a, f.register(f.a, honest), honest)
			require.NotEmpty(f.t, t.RefreshToken)
			return f.env.post(f.a+tokenPath, refreshForm(f.register(f.a, honest), t.RefreshToken), nil).AccessToken != ""
		}),
	anAgent("has an account at the IdP, with an address of the company that nobody has verified", "", "",
		"`access_denied`: no rule of `users` holds", func(f *front) bool {
			return f.logInAs(f.env.browser("noor"), f.a, f.register(f.a, honest), honest).AccessToken != ""
		}),
	anAgent("has an account with an address that ends as those of the company do: `eve@evil.example@example.com`", "CVE-2026-40574", "care",
		"`access_denied`: one `@`, ASCII, and the domain exactly", func(f *front) bool {
			comesIn := true
			for _, address := range lookAlikes {
				f.say("noor", map[string]any{"email": address, "email_verified": true})
				comesIn = f.comesIn("noor", address) && comesIn
			}
			return comesIn
		}),
	anAgent("has a group whose name has that of the company's in it, or a list that holds more than texts", "", "care",
		"`access_denied`: members are compared whole", func(f *front) bool {
			comesIn := true
			for _, groups := range []any{
				[]string{"x,engineering"}, "reengineering", []any{"engineering", 1}, []any{map[string]string{"name": "engineering"}},
			} {
				f.say("noor", map[string]any{"groups": groups})
				comesIn = f.comesIn("noor", groups) && comesIn
			}
			return comesIn
		}),
	anAgent("has lost the group that let him in, and refreshes; logs in again", "", "care",
		"`invalid_grant` at the next refresh, then `access_denied`, on which clients stop", func(f *front) bool {
			f.say("noor", map[string]any{"groups": []string{"engineering"}})
			id := f.register(f.a, honest)
			first := f.logInAs(f.env.browser("noor"), f.a, id, honest)
			require.NotEmpty(f.t, first.RefreshToken, "%+v", first)
			t := f.env.post(f.a+tokenPath, refreshForm(id, first.RefreshToken), nil)
			require.NotEmpty(f.t, t.AccessToken, "while he has it: %+v", t)
			f.say("noor", map[string]any{"groups": []string{"staff"}})
			t = f.env.post(f.a+tokenPath, refreshForm(id, cmp.Or(t.RefreshToken, first.RefreshToken)), nil)
			if t.AccessToken == "" {
				again := f.logInAs(f.env.browser("noor"), f.a, id, honest)
				require.Equal(f.t, []string{"invalid_grant", "access_denied"}, []string{t.Error, again.Error})
			}
			return t.AccessToken != ""
		}),
	anAgent("names two servers in one login", "", "",
		"`invalid_target`", func(f *front) bool {
			return reaches(f.follow(f.person(true), link(f.a, f.register(f.a, honest), honest, f.a+"/mcp", f.b+"/mcp"), true), honest)
		}),
	anAgent("registers 20,000 times, to fill the memory", "tutor-mcp#117", "",
		"nothing is stored", func(f *front) bool {
			f.register(f.a, honest)
			before := heap()
			for range 20_000 {
				f.register(f.a, honest)
			}
			return heap() > before+20_000*100
		}),
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Each attack succeeds against the proxy, and not against the gateway, as the table says.
func TestAttacksOfAgents(t *testing.T) {
	var table strings.Builder
	table.WriteString("| The attacker | A straightforward proxy | The gateway |\n|---|---|---|\n")
	t.Run("all", func(t *testing.T) {
		for _, a := range agentAttacks {
			name := a.name
			if a.source != "" {
				name += " (" + a.source + ")"
			}
			fmt.Fprintf(&table, "| %s | **succeeds** | %s |\n", name, a.stops)
			t.Run(a.name, func(t *testing.T) {
				if !strings.Contains(a.name, "memory") {
					t.Parallel()
				}
				require.True(t, a.wins(newFront(t, false, a.lacks)), "it has to succeed against the proxy")
				require.False(t, a.wins(newFront(t, true, "")))
			})
		}
	})
	doctest.RequireTable(t, documentation, "<!-- The attacks of agents, which a test writes with -update. -->\n\n", table.String(), "\n<!-- The end of that table. -->", *update)
}
