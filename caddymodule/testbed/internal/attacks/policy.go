package attacks

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

// policies is the attacker who asks for more than the configuration allows.
func policies() []Attack {
	return []Attack{
		{
			Name: "has the victim log in for a redirect URI that is not registered", Means: "a lured victim, and an IdP that follows any redirect URI", Goal: "the victim's code",
			setup: setup{idp: anyRedirectURI},
			run:   loginFor(evilRedirect),
		},
		{
			Name: "the same at a gateway without `client` blocks", Means: "a lured victim, and an IdP that follows any redirect URI", Goal: "the victim's code",
			setup:    setup{idp: anyRedirectURI, noClients: true},
			succeeds: noCallback, why: "Without `client` blocks redirect URIs are registered at the IdP only. With `callback` nothing but loopback passes then.",
			run: loginFor(evilRedirect),
		},
		{
			Name: "has the victim log in at one client for the redirect URI of another", Means: "a lured victim, an IdP that follows any redirect URI, a client of his own", Goal: "the victim's code",
			setup: setup{idp: anyRedirectURI},
			run:   loginFor(ownRedirect),
		},
		{
			Name: "has a logout lead to a page that is not registered", Means: "a lured victim, and an IdP that follows any address", Goal: "an open redirect",
			setup: setup{idp: anyRedirectURI},
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.sentTo(ctx, at(s.base, "/v2/logout", url.Values{"client_id": {appID}, "returnTo": {evilRedirect}}), evilRedirect)
			},
		},
		{
			Name: "finishes a login for a redirect URI whose registration was removed meanwhile", Means: "a redirect URI that is his now", Goal: "the victim's code",
			setup:    setup{client: "redirect_uri " + evilRedirect, idp: func(b *testidp.Behavior) { b.AnyRedirectURI = true }},
			succeeds: noCallback, why: "The IdP sends the browser to the client itself. Remove the redirect URI there, too.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				own := newLogin()
				own.redirectURI = evilRedirect
				begun, err := s.begin(ctx, own)
				if err != nil {
					return Outcome{}, err
				}
				link := at(begun.String(), "", begun.params)
				if before, err := s.sentTo(ctx, link, evilRedirect); err != nil || !before.Succeeded() {
					return Outcome{}, fmt.Errorf("while it was registered: %s %w", before.Detail, err)
				}
				if s.mode.Protection != Nothing {
					if err := s.restart(0, func(c *setup) { c.client = "" }); err != nil {
						return Outcome{}, err
					}
				}
				return s.sentTo(ctx, link, evilRedirect)
			},
		},
		{
			Name: "exchanges a code after its time", Means: "code and verifier", Goal: "a token of the victim",
			patient:  true,
			succeeds: noCallback, why: "Only the IdP can tell without `callback`.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				pause := time.Millisecond
				if s.mode.Protection == WithCallback {
					pause = 61 * time.Second
				}
				return s.afterTime(ctx, func(l *login) (string, error) {
					v, err := s.logIn(ctx, victim, l)
					if err != nil {
						return "", err
					}
					return v.last().params.Get("code"), nil
				}, func(_ *login, code string) (string, error) { return code, nil }, pause)
			},
		},
		{
			Name: "delivers the IdP's response after the login's time", Means: "the IdP's response, and the verifier", Goal: "a token of the victim",
			setup:    setup{sealed: "login_timeout 1m"}, // the shortest that there is
			patient:  true,
			succeeds: noCallback, why: "Only the IdP can tell without `callback`.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				pause := time.Millisecond
				if s.mode.Protection == WithCallback {
					pause = 61 * time.Second
				}
				var state string
				return s.afterTime(ctx, func(l *login) (string, error) {
					h, err := s.logInUntilCode(ctx, victim, l)
					state = h.params.Get("state")
					return h.params.Get("code"), err
				}, func(_ *login, code string) (string, error) {
					if s.mode.Protection != WithCallback {
						return code, nil
					}
					return s.deliverWithState(ctx, code, state)
				}, pause)
			},
		},
		{
			Name: "exchanges a code that was sealed with a key that is no longer configured", Means: "code and verifier", Goal: "a token of the victim",
			setup: setup{sealed: "sealing_key " + oldKey},
			only:  withCallback,
			run:   rolledKeys,
		},
		{
			Name: "asks for a token by a path that only resembles /oauth/token, which the IdP behind the gateway takes for it", Means: "the IdP's code", Goal: "an exchange that the gateway does not check",
			setup: setup{site: "reverse_proxy {idp}", idp: func(b *testidp.Behavior) { b.LenientPaths = true }},
			run:   lookAlikePaths,
		},
		{
			Name: "has the victim begin a login without PKCE beside /authorize, where the IdP takes its parameters, too (`deny_path`)", Means: "a lured victim, and a gateway in front of the IdP's whole host", Goal: "a code that is bound to no challenge",
			setup: setup{options: "deny_path dex", site: "reverse_proxy {idp}", idp: func(b *testidp.Behavior) { b.Connectors = true }},
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				link := at(s.base, "/auth/github", s.requestAtIdP(appID, s.redirectAtIdP(appRedirect), "openid", ""))
				return s.sentTo(ctx, link, appRedirect)
			},
		},
		{
			Name: "asks for a token at the IdP's own host, where the operator put a `handle` around the gateway that leaves the token endpoint out", Means: "the IdP's code", Goal: "an exchange that the gateway does not check",
			setup: setup{needsCaddy: "a site with other handlers"},
			run:   wrappedGateway,
		},
		{
			Name: "asks for the result of a silent login from a page in the victim's browser", Means: "a lured victim who is signed in at the IdP", Goal: "the victim's code",
			only: anyGateway,
			run:  silentResult,
		},
		{
			Name: "has the IdP limit the gateway's rate (429) while the victim's code is exchanged", Means: "nothing", Goal: "the victim can't log in",
			only: anyGateway,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				l := newLogin()
				v, err := s.logIn(ctx, victim, l)
				if err != nil {
					return Outcome{}, err
				}
				s.idp.Change(func(b *testidp.Behavior) { b.TokenOutage.Status = http.StatusTooManyRequests })
				t, err := s.finish(ctx, l, v.last().params)
				if err != nil {
					return Outcome{}, err
				}
				if t.status != http.StatusTooManyRequests {
					return Outcome{}, fmt.Errorf("the client does not hear of the limit: %d %s", t.status, t.Error)
				}
				s.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{} })
				return s.denial(ctx, l, v.last().params, t)
			},
		},
	}
}

// loginFor has the victim log in for a redirect URI.
func loginFor(redirectURI string) func(context.Context, *stage) (Outcome, error) {
	return func(ctx context.Context, s *stage) (Outcome, error) {
		l := newLogin()
		l.redirectURI = redirectURI
		return s.sentTo(ctx, s.authorizeURL(l), redirectURI)
	}
}

// sentTo has the victim open a link and says whether it leads to a target.
func (s *stage) sentTo(ctx context.Context, link, target string) (Outcome, error) {
	b, err := s.browser(ctx, victim)
	if err != nil {
		return Outcome{}, err
	}
	v, err := b.visit(ctx, link)
	if err != nil {
		return Outcome{}, err
	}
	last := v.last()
	switch {
	case last.String() == target && last.params.Get("error") == "":
		return succeeded("sent to %s", target), nil
	case strings.HasPrefix(last.String(), s.idp.URL()) && s.mode.Protection != Nothing:
		return stopped(IdP, "%v", v.describe("")), nil
	}
	return stopped(s.inFront(), "%v", v.describe("")), nil
}

// afterTime has a response used at once in one login, and late in another.
func (s *stage) afterTime(ctx context.Context, take func(*login) (string, error), use func(*login, string) (string, error), late time.Duration) (Outcome, error) {
	attempt := func(pause time.Duration) (*tokens, error) {
		l := newLogin()
		code, err := take(l)
		if err != nil {
			return nil, err
		}
		time.Sleep(pause)
		if code, err = use(l, code); err != nil {
			return nil, err
		}
		if code == "" {
			return &tokens{stoppedBy: Gateway, Error: "the callback refused"}, nil
		}
		return s.exchange(ctx, s.withSecret(s.exchangeForm(l, code)))
	}
	// At once it works, though not necessarily at the first go: whole seconds.
	for try := 0; ; try++ {
		t, err := attempt(0)
		if err != nil {
			return Outcome{}, err
		}
		if t.AccessToken != "" {
			break
		}
		if try == 10 {
			return Outcome{}, errors.New("not even at once: " + t.Error)
		}
	}
	t, err := attempt(late)
	if err != nil {
		return Outcome{}, err
	}
	return s.theft(t), nil
}

const (
	oldKey = "an-old-sealing-key-of-more-than-32-bytes"
	newKey = "a-new-sealing-key-of-more-than-32-bytes"
)

// rolledKeys begins logins under one key and finishes them after it was replaced
// in two steps, as operators should, and without the first step.
func rolledKeys(ctx context.Context, s *stage) (Outcome, error) {
	honest, stolen := newLogin(), newLogin()
	honestVisit, err := s.logIn(ctx, victim, honest)
	if err != nil {
		return Outcome{}, err
	}
	stolenVisit, err := s.logIn(ctx, victim, stolen)
	if err != nil {
		return Outcome{}, err
	}
	if err := s.restart(0, func(c *setup) { c.sealed = "sealing_key " + newKey + " " + oldKey }); err != nil {
		return Outcome{}, err
	}
	t, err := s.finish(ctx, honest, honestVisit.last().params)
	if err != nil {
		return Outcome{}, err
	}
	if t.AccessToken == "" {
		return Outcome{}, errors.New("a code that was sealed with the second key is refused: " + t.Error)
	}
	if err := s.restart(0, func(c *setup) { c.sealed = "sealing_key " + newKey }); err != nil {
		return Outcome{}, err
	}
	if t, err = s.finish(ctx, stolen, stolenVisit.last().params); err != nil {
		return Outcome{}, err
	}
	return s.theft(t), nil
}

// lookAlikePaths tries paths that a generous IdP takes for its token endpoint,
// on a host that hands everything else to the IdP.
func lookAlikePaths(ctx context.Context, s *stage) (Outcome, error) {
	h, err := s.logInUntilCode(ctx, victim, newLogin())
	if err != nil {
		return Outcome{}, err
	}
	form := s.exchangeForm(newLogin(), h.params.Get("code"))
	form.Set("redirect_uri", s.redirectAtIdP(appRedirect))
	form.Del("code_verifier")
	paths := []string{
		"/OAUTH/TOKEN", "//oauth/token", "/oauth//token", "/oauth/token/", "/oauth/token//", "/oauth/token.json", "/oauth/token,", "/oauth/token;x=y",
		"/index.php/oauth/token", "/oauth/token%20", "/oauth/token.", "/%6fauth/token", "/oauth/./token", "/x/../oauth/token", "/oauth%2ftoken", "/oauth/token%2f",
		"/oauth/token%3bx", "/oauth/token%2c", "/oauth/tok%65n.json", "/Index.php/oauth/token", "/oauth/token.JSON", "/oauth/token/.", "/oauth\\token", "/oauth/token%00",
	}
	if s.mode.Protection == Nothing {
		paths = []string{tokenPath}
	}
	passed := 0
	for _, path := range paths {
		// Without the client's secret there is no token, but the request must not
		// even get there.
		s.idp.Requests()
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base, strings.NewReader(form.Encode()))
		if err != nil {
			return Outcome{}, err
		}
		r.URL.Opaque = "//" + r.URL.Host + path
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		got, err := s.do(r)
		if err != nil {
			return Outcome{}, err
		}
		for _, reached := range s.idp.Requests() {
			if reached.Status != http.StatusNotFound {
				passed++
				if s.mode.Protection != Nothing {
					return succeeded("%s passes: %d", path, got.status), nil
				}
			}
		}
	}
	if passed > 0 {
		return succeeded("the token endpoint is open"), nil
	}
	return stopped(Gateway, "404"), nil
}

// silentResult has a page of the attacker's ask the gateway for the result of a
// login (Accept: application/json) with whatever cookies the victim's browser has.
func silentResult(ctx context.Context, s *stage) (Outcome, error) {
	ask := func(extra url.Values) (*response, error) {
		own := newLogin()
		q := own.request()
		q.Set("prompt", "none")
		for name, values := range extra {
			q[name] = values
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, at(s.base, authorizePath, q), nil)
		if err != nil {
			return nil, err
		}
		r.Header.Set("Accept", "application/json")
		r.Header.Set("Origin", "https://evil.example")
		b, err := s.browser(ctx, victim)
		if err != nil {
			return nil, err
		}
		got, err := b.client.Do(r) // with the victim's cookies: to the browser, 127.0.0.1 is one host
		if err != nil {
			return nil, err
		}
		return readResponse(got)
	}
	known, err := ask(url.Values{"user": {victim}})
	if err != nil {
		return Outcome{}, err
	}
	if known.status != http.StatusOK || !strings.Contains(known.body, `"code"`) {
		return Outcome{}, fmt.Errorf("a silent login gives no result: %d %.200s", known.status, known.body)
	}
	got, err := ask(nil)
	if err != nil {
		return Outcome{}, err
	}
	if got.status == http.StatusOK {
		return succeeded("the page got %.100s", got.body), nil
	}
	if got.header.Get("Access-Control-Allow-Origin") != "" {
		return succeeded("the page may read the response"), nil
	}
	return stopped(Gateway, "%d %.100s", got.status, got.body), nil
}

// wrappedGateway is an operator's mistake: such a configuration must not start.
func wrappedGateway(ctx context.Context, s *stage) (Outcome, error) {
	base := s.base
	if s.mode.Protection != Nothing {
		site := "handle /authorize {\n\t" + s.site() + "}\nhandle {\n\treverse_proxy " + s.idp.URL() + "\n}\n"
		wrapped, err := testgateway.StartProcess(testgateway.Config{Site: site})
		switch {
		case err != nil && strings.Contains(err.Error(), "reach the identity provider by reverse_proxy, unchecked"):
			return stopped(Gateway, "the configuration does not start"), nil
		case err != nil:
			return Outcome{}, err
		}
		defer func() { _ = wrapped.Stop() }()
		base = wrapped.URL()
	}
	s.idp.Requests()
	form := url.Values{"grant_type": {"authorization_code"}, "client_id": {appID}, "code": {"made-up"}, "redirect_uri": {s.redirectAtIdP(appRedirect)}}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+tokenPath, strings.NewReader(form.Encode()))
	if err != nil {
		return Outcome{}, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	got, err := s.do(r)
	if err != nil {
		return Outcome{}, err
	}
	if len(s.idp.Requests()) > 0 {
		return succeeded("the IdP responds: %d", got.status), nil
	}
	return stopped(Gateway, "%d", got.status), nil
}
