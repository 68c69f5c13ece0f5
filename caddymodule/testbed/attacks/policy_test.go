package attacks

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// policies is the attacker who asks for more than the configuration allows.
func policies() []Attack {
	return []Attack{
		attack("has the victim log in for a redirect URI that is not registered",
			"a lured victim, and an IdP that follows any redirect URI", "the victim's code", loginFor(evilRedirect)).given(setup{idp: anyRedirectURI}),
		attack("the same at a gateway without `client` blocks",
			"a lured victim, and an IdP that follows any redirect URI", "the victim's code", loginFor(evilRedirect)).
			given(setup{idp: anyRedirectURI, noClients: true}).
			succeedsIn(noCallback, "Without `client` blocks redirect URIs are registered at the IdP only. With `callback` nothing but loopback passes then."),
		attack("has the victim log in at one client for the redirect URI of another",
			"a lured victim, an IdP that follows any redirect URI, a client of his own", "the victim's code", loginFor(ownRedirect)).
			given(setup{idp: anyRedirectURI}),
		attack("has a logout lead to a page that is not registered",
			"a lured victim, and an IdP that follows any address", "an open redirect", func(e *env) Outcome {
				return e.sentTo(at(e.base, "/v2/logout", url.Values{"client_id": {appID}, "returnTo": {evilRedirect}}), evilRedirect)
			}).given(setup{idp: anyRedirectURI}),
		attack("finishes a login for a redirect URI whose registration was removed meanwhile",
			"a redirect URI that is his now", "the victim's code", func(e *env) Outcome {
				own := newLogin()
				own.redirectURI = evilRedirect
				begun := e.begin(own)
				link := begun.link()
				if before := e.sentTo(link, evilRedirect); !before.Succeeded() {
					fail.Now("while it was registered: %s", before.Detail)
				}
				e.restart(0, func(c *setup) { c.client = "" })
				return e.sentTo(link, evilRedirect)
			}).given(setup{client: "redirect_uri " + evilRedirect, idp: anyRedirectURI}).
			succeedsIn(noCallback, "The IdP sends the browser to the client itself. Remove the redirect URI there, too."),
		attack("exchanges a code after its time",
			"code and verifier", "a token of the victim", func(e *env) Outcome {
				return e.afterTime(func(l *login) (string, string) { return e.logIn(victim, l).Get("code"), "" },
					func(code, _ string) string { return code })
			}).patiently().succeedsIn(noCallback, onlyIdP),
		// With the shortest time that there is.
		attack("delivers the IdP's response after the login's time",
			"the IdP's response, and the verifier", "a token of the victim", func(e *env) Outcome {
				return e.afterTime(func(l *login) (string, string) {
					h := e.logInUntilCode(victim, l)
					return h.params.Get("code"), h.params.Get("state")
				}, e.deliverWithState)
			}).given(setup{sealed: "login_timeout 1m"}).patiently().succeedsIn(noCallback, onlyIdP),
		attack("exchanges a code that was sealed with a key that is no longer configured",
			"code and verifier", "a token of the victim", rolledKeys).given(setup{sealed: "sealing_key " + oldKey}).in(withCallback),
		attack("asks for a token by a path that only resembles /oauth/token, which the IdP behind the gateway takes for it",
			"the IdP's code", "an exchange that the gateway does not check", lookAlikePaths).
			given(setup{site: "reverse_proxy {idp}", idp: func(b *testidp.Behavior) { b.Routes = lenient }}),
		attack("has the victim begin a login without PKCE beside /authorize, where the IdP takes its parameters, too (`deny_path`)",
			"a lured victim, and a gateway in front of the IdP's whole host", "a code that is bound to no challenge", func(e *env) Outcome {
				link := at(e.base, "/auth/github", requestAtIdP(appID, e.redirectAtIdP(appRedirect), "openid", ""))
				return e.sentTo(link, appRedirect)
			}).given(setup{options: "deny_path dex", site: "reverse_proxy {idp}", idp: func(b *testidp.Behavior) { b.Routes = lenient }}),
		attack("asks for a token at the IdP's own host, where the operator put a `handle` around the gateway that leaves the token endpoint out",
			"the IdP's code", "an exchange that the gateway does not check", wrappedGateway).given(setup{needsCaddy: "a site with other handlers"}),
		attack("asks for the result of a silent login from a page in the victim's browser",
			"a lured victim who is signed in at the IdP", "the victim's code", silentResult).in(anyGateway),
		attack("has the IdP limit the gateway's rate (429) while the victim's code is exchanged",
			"nothing", "the victim can't log in", func(e *env) Outcome {
				l := newLogin()
				params := e.logIn(victim, l)
				e.idp.Change(func(b *testidp.Behavior) { b.TokenOutage.Status = http.StatusTooManyRequests })
				t := e.finish(l, params)
				if t.status != http.StatusTooManyRequests {
					fail.Now("the client does not hear of the limit: %d %s", t.status, t.Error)
				}
				e.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{} })
				return e.denial(l, params, t)
			}).in(anyGateway),
	}
}

func loginFor(redirectURI string) func(*env) Outcome {
	return func(e *env) Outcome {
		l := newLogin()
		l.redirectURI = redirectURI
		return e.sentTo(e.authorizeURL(l), redirectURI)
	}
}

// sentTo has the victim open a link and says whether it leads to a target.
func (e *env) sentTo(link, target string) Outcome {
	v := e.visit(victim, link)
	last := v.last()
	switch {
	case last.String() == target && last.params.Get("error") == "":
		return succeeded("sent to %s", target)
	case strings.HasPrefix(last.String(), e.idp.URL()) && e.mode.Protection != Nothing:
		return stopped(IdP, "%v", v.describe(""))
	}
	return stopped(e.inFront(), "%v", v.describe(""))
}

// afterTime has a response, code and state, used at once in one login, and late in another.
func (e *env) afterTime(take func(*login) (code, state string), use func(code, state string) string) Outcome {
	attempt := func(pause time.Duration) *tokens {
		l := newLogin()
		code, state := take(l)
		time.Sleep(pause)
		if code = use(code, state); code == "" {
			return &tokens{stoppedBy: Gateway, Error: "the callback refused"}
		}
		return e.exchange(e.withSecret(e.exchangeForm(l, code)))
	}
	// At once it works, though not necessarily at the first go: whole seconds.
	for try := 0; ; try++ {
		t := attempt(0)
		if t.AccessToken != "" {
			break
		}
		if try == 10 {
			fail.Now("not even at once: %s", t.Error)
		}
	}
	if e.mode.Protection == WithCallback {
		return e.theft(attempt(61 * time.Second))
	}
	return e.theft(attempt(time.Millisecond))
}

const (
	oldKey = "an-old-sealing-key-of-more-than-32-bytes"
	newKey = "a-new-sealing-key-of-more-than-32-bytes"
)

// rolledKeys begins logins under one key and finishes them after it was replaced
// in two steps, as operators should, and without the first step.
func rolledKeys(e *env) Outcome {
	honest, stolen := newLogin(), newLogin()
	honestResponse := e.logIn(victim, honest)
	stolenResponse := e.logIn(victim, stolen)
	e.restart(0, func(c *setup) { c.sealed = "sealing_key " + newKey + " " + oldKey })
	t := e.finish(honest, honestResponse)
	t.require("with a code that was sealed with the second key")
	e.restart(0, func(c *setup) { c.sealed = "sealing_key " + newKey })
	return e.theft(e.finish(stolen, stolenResponse))
}

// lenient is the endpoint that an IdP takes a path for in the ways in which web frameworks,
// Unicode case folding and front controllers are generous. The authorization endpoint is
// below /auth/, too, as Dex has it.
func lenient(path string) string {
	if strings.HasPrefix(path, "/auth/") {
		return authorizePath
	}
	folded := strings.ToLower(strings.ReplaceAll(path, "ı", "i"))
	folded = strings.TrimPrefix(folded, "/index.php")
	for strings.Contains(folded, "//") {
		folded = strings.ReplaceAll(folded, "//", "/")
	}
	folded, _, _ = strings.Cut(folded, ";")
	return strings.TrimSuffix(strings.TrimRight(folded, "/,. "), ".json")
}

// lookAlikePaths tries paths that a generous IdP takes for its token endpoint,
// on a host that hands everything else to the IdP.
func lookAlikePaths(e *env) Outcome {
	h := e.logInUntilCode(victim, newLogin())
	form := e.exchangeForm(newLogin(), h.params.Get("code"))
	form.Set("redirect_uri", e.redirectAtIdP(appRedirect))
	form.Del("code_verifier")
	paths := []string{
		"/OAUTH/TOKEN", "//oauth/token", "/oauth//token", "/oauth/token/", "/oauth/token//", "/oauth/token.json", "/oauth/token,", "/oauth/token;x=y",
		"/index.php/oauth/token", "/oauth/token%20", "/oauth/token.", "/%6fauth/token", "/oauth/./token", "/x/../oauth/token", "/oauth%2ftoken", "/oauth/token%2f",
		"/oauth/token%3bx", "/oauth/token%2c", "/oauth/tok%65n.json", "/Index.php/oauth/token", "/oauth/token.JSON", "/oauth/token/.", "/oauth\\token", "/oauth/token%00",
	}
	if e.mode.Protection == Nothing {
		paths = []string{tokenPath}
	}
	for _, path := range paths {
		// Without the client's secret there is no token, but the request must not
		// even get there.
		e.idp.Requests()
		r := e.newPost(e.base, form, nil)
		r.URL.Opaque = "//" + r.URL.Host + path
		got := e.send(e.client, r)
		for _, reached := range e.idp.Requests() {
			if reached.Status != http.StatusNotFound {
				return succeeded("%s passes: %d", path, got.status)
			}
		}
	}
	return stopped(Gateway, "404")
}

// silentResult has a page of the attacker's ask the gateway for the result of a
// login (Accept: application/json) with whatever cookies the victim's browser has.
func silentResult(e *env) Outcome {
	ask := func(extra url.Values) *response {
		q := newLogin().request()
		q.Set("prompt", "none")
		maps.Copy(q, extra)
		r := e.newGet(at(e.base, authorizePath, q))
		r.Header.Set("Accept", "application/json")
		r.Header.Set("Origin", "https://evil.example")
		return e.send(e.browser(victim).client, r) // with the victim's cookies: to the browser, 127.0.0.1 is one host
	}
	known := ask(url.Values{"user": {victim}})
	if known.status != http.StatusOK || !strings.Contains(known.body, `"code"`) {
		fail.Now("a silent login gives no result: %d %.200s", known.status, known.body)
	}
	got := ask(nil)
	if got.status == http.StatusOK {
		return succeeded("the page got %.100s", got.body)
	}
	if got.header.Get("Access-Control-Allow-Origin") != "" {
		return succeeded("the page may read the response")
	}
	return stopped(Gateway, "%d %.100s", got.status, got.body)
}

// wrappedGateway is an operator's mistake: such a configuration must not start.
func wrappedGateway(e *env) Outcome {
	base := e.base
	if e.mode.Protection != Nothing {
		site := "handle /authorize {\n\t" + e.site() + "}\nhandle {\n\treverse_proxy " + e.idp.URL() + "\n}\n"
		wrapped, err := testgateway.StartProcess(testgateway.Config{Site: site})
		if err != nil && strings.Contains(err.Error(), "reach the identity provider by reverse_proxy, unchecked") {
			return stopped(Gateway, "the configuration does not start")
		}
		fail.Check(err)
		defer func() { _ = wrapped.Stop() }()
		base = wrapped.URL()
	}
	e.idp.Requests()
	form := url.Values{"grant_type": {"authorization_code"}, "client_id": {appID}, "code": {"made-up"}, "redirect_uri": {e.redirectAtIdP(appRedirect)}}
	got := e.send(e.client, e.newPost(base+tokenPath, form, nil))
	if len(e.idp.Requests()) > 0 {
		return succeeded("the IdP responds: %d", got.status)
	}
	return stopped(Gateway, "%d", got.status)
}
