package attacks

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

// What the client may have, and what somebody would like it to have.
const (
	smallAPI  = "https://api.small.example"
	bigAPI    = "https://api.big.example"
	strongACR = "phishing-resistant"
	lists     = "scope openid read\n\t\taudience " + smallAPI
	pushes    = "par on\n\tendpoint par /oauth/par"
)

// asking is the attacker who has the IdP grant a client more than the gateway's lists
// allow it: the client itself, or somebody who alters the link to the IdP.
func asking() []Attack {
	const (
		means    = "the link to the IdP, before the victim opens it"
		goal     = "a token for another API, with more rights"
		noSaying = "Nothing in the IdP's response says what it granted. `par` keeps the request out of the browser."
	)
	jwts := func(b *testidp.Behavior) { b.JWTs = true }
	silent := func(b *testidp.Behavior) { b.HidesScope, b.PAR = true, testidp.OffersPAR }
	more := func(q url.Values) {
		q.Set("scope", "openid read admin offline_access")
		q.Set("audience", bigAPI)
	}
	weaker := func(q url.Values) { q.Del("acr_values") }
	return []Attack{
		{
			Name: "adds scopes and another audience to the link to the IdP; the client has no lists", Means: means, Goal: goal,
			succeeds: always, why: "Without lists the client may have anything. Set `scope` and `audience`, or `par`.",
			run: alteredLink(more),
		},
		{
			Name: "the same; the client has lists (`scope`, `audience`)", Means: means, Goal: goal,
			setup: setup{client: lists},
			run:   alteredLink(more),
		},
		{
			Name: "the same with the audience alone; access tokens are JWTs", Means: means, Goal: goal,
			setup: setup{client: lists, idp: jwts},
			run:   alteredLink(func(q url.Values) { q.Set("audience", bigAPI) }),
		},
		{
			Name: "the same with scopes; only the JWT says which", Means: means, Goal: goal,
			setup: setup{client: lists, idp: func(b *testidp.Behavior) { b.JWTs, b.HidesScope = true, true }},
			run:   alteredLink(func(q url.Values) { q.Set("scope", "openid read admin") }),
		},
		{
			Name: "the same; tokens are opaque, and no response names a scope", Means: means, Goal: goal,
			setup:    setup{client: lists, idp: silent},
			succeeds: always, why: noSaying,
			run: alteredLink(more),
		},
		{
			Name: "the same; the gateway has `par on`", Means: means, Goal: goal,
			setup: setup{client: lists, options: pushes, idp: silent}, only: confidentialCallback,
			run: alteredLink(more),
		},
		{
			Name: "the same; the client has no lists", Means: means, Goal: goal,
			setup: setup{options: pushes, idp: silent}, only: confidentialCallback,
			run: alteredLink(more),
		},
		{
			Name: "strips `acr_values` from the link to the IdP", Means: means, Goal: "a login with less than the client asked for",
			setup:    setup{client: lists},
			succeeds: always, why: "The IdP was not asked, and nobody else knows. The client can check `acr` in the ID token; `par` keeps the request out of the browser.",
			run: alteredLink(weaker),
		},
		{
			Name: "the same; the gateway has `par on`", Means: means, Goal: "a login with less than the client asked for",
			setup: setup{client: lists, options: pushes, idp: silent}, only: confidentialCallback,
			run: alteredLink(weaker),
		},
		{
			Name: "is the client himself: makes a request of his own beside the one that was pushed, with its state; the gateway has `par on`", Means: "a client with lists, a user, and the IdP's response to a login of hers", Goal: goal,
			setup: setup{client: lists, options: pushes, idp: silent}, only: confidentialCallback,
			succeeds: always, why: "The IdP takes requests that were not pushed, too. Have it require pushed ones of the gateway's client there.",
			run: besidePushed,
		},
		{
			Name: "the same; the IdP requires pushed requests", Means: "a client with lists, a user, and the IdP's response to a login of hers", Goal: goal,
			setup: setup{client: lists, options: pushes, idp: func(b *testidp.Behavior) { b.HidesScope, b.PAR = true, testidp.RequiresPAR }}, only: confidentialCallback,
			run: besidePushed,
		},
		{
			Name: "is the client himself: alters the link, and exchanges the code at the IdP", Means: "a client with lists, and a user", Goal: goal,
			setup:    setup{client: lists},
			succeeds: noCallback, why: "Without `callback` the client needs no gateway to exchange its codes.",
			run: alteredLinkOfOwnClient,
		},
		{
			Name: "goes on with a refresh token from before the client's lists were made smaller", Means: "a client with lists, and a user", Goal: goal,
			setup: setup{client: "scope openid read admin\n\t\taudience " + bigAPI},
			run:   narrowedLists,
		},
		{
			Name: "asks for an API by a name that the gateway does not know (`aud`, `scopes`); tokens are opaque", Means: "a client with lists, and a user", Goal: goal,
			setup: setup{client: lists, idp: func(b *testidp.Behavior) { b.OtherNames, b.HidesScope = true, true }},
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.asks(ctx, url.Values{"aud": {bigAPI}, "scopes": {"openid read admin"}}, "")
			},
		},
		{
			Name: "asks for a resource beside `default_audience`", Means: "a client, and a user", Goal: goal,
			setup: setup{options: "default_audience " + smallAPI},
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.asks(ctx, url.Values{"resource": {bigAPI}}, "openid")
			},
		},
		{
			Name: "has an error of /authorize send the victim to the page of his own client, before any login; the client has `consent`", Means: "a client at the gateway, and a lured victim", Goal: "an open redirect",
			setup: setup{sharedIdPClient: true, own: "consent"}, only: confidentialCallback,
			run: errorRedirect,
		},
	}
}

// isMore reports a token with more, or of a weaker login, than the client asked for.
func isMore(t testidp.Token) bool {
	return t.Audience == bigAPI || t.Resource == bigAPI || slices.Contains(strings.Fields(t.Scope), "admin")
}

// modestLogin is a login that asks for what the client may have.
func modestLogin() (*login, url.Values) {
	l := newLogin()
	l.scope = "openid read"
	q := l.request()
	q.Set("audience", smallAPI)
	q.Set("acr_values", strongACR)
	return l, q
}

// followAltered has the victim open a link to the IdP that was altered, and returns the
// response that the client gets.
func (s *stage) followAltered(ctx context.Context, q url.Values, alter func(url.Values)) (url.Values, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at(s.base, authorizePath, q), nil)
	if err != nil {
		return nil, err
	}
	next, err := newHop(r.URL.String())
	if err != nil {
		return nil, err
	}
	if s.mode.Protection != Nothing {
		got, err := s.do(r)
		if err != nil {
			return nil, err
		}
		following, err := got.leadsTo(r.URL)
		if err != nil || following == nil {
			return nil, fmt.Errorf("/authorize did not redirect: %d %.200s: %w", got.status, got.body, err)
		}
		next = *following
	}
	alter(next.params)
	b, err := s.browser(ctx, victim)
	if err != nil {
		return nil, err
	}
	v, err := b.visit(ctx, at(next.String(), "", next.params))
	if err != nil {
		return nil, err
	}
	return v.last().params, nil
}

// alteredLink has the victim's client finish a login whose link to the IdP was altered,
// after one whose link was not.
func alteredLink(alter func(url.Values)) func(context.Context, *stage) (Outcome, error) {
	return func(ctx context.Context, s *stage) (Outcome, error) {
		attempt := func(alter func(url.Values)) (*tokens, error) {
			l, q := modestLogin()
			params, err := s.followAltered(ctx, q, alter)
			if err != nil {
				return nil, err
			}
			return s.finish(ctx, l, params)
		}
		t, err := attempt(func(url.Values) {})
		if err != nil {
			return Outcome{}, err
		}
		if honest := s.owner(t); honest.User != victim || isMore(honest) || honest.ACR != strongACR {
			return Outcome{}, fmt.Errorf("an honest login gets %+v: %s %s", honest, t.Error, t.Description)
		}
		if t, err = attempt(alter); err != nil {
			return Outcome{}, err
		}
		return s.granted(t), nil
	}
}

// besidePushed has the victim log in once as it should be, and then by a request to the
// IdP that the gateway did not push.
func besidePushed(ctx context.Context, s *stage) (Outcome, error) {
	b, err := s.browser(ctx, victim)
	if err != nil {
		return Outcome{}, err
	}
	l, q := modestLogin()
	v, err := b.visit(ctx, at(s.base, authorizePath, q))
	if err != nil {
		return Outcome{}, err
	}
	pushed, err := v.withCode()
	if err != nil {
		return Outcome{}, err
	}
	q.Set("scope", "openid read admin")
	q.Set("audience", bigAPI)
	q.Set("redirect_uri", s.callback())
	stateless := make(url.Values)
	for name, values := range q {
		stateless[name] = values
	}
	stateless.Del("state")
	for _, request := range []url.Values{stateless, q} {
		if request.Has("state") {
			request.Set("state", pushed.params.Get("state"))
		}
		if v, err = b.visit(ctx, at(s.idp.URL(), authorizePath, request)); err != nil {
			return Outcome{}, err
		}
		if v.last().String() == l.redirectURI {
			t, err := s.finish(ctx, l, v.last().params)
			if err != nil {
				return Outcome{}, err
			}
			return s.granted(t), nil
		}
	}
	return stopped(IdP, "%v", v.describe("")), nil
}

// granted judges what a client got.
func (s *stage) granted(t *tokens) Outcome {
	got := s.owner(t)
	switch {
	case t.AccessToken == "":
		return s.refused(t)
	case isMore(got) || got.ACR != strongACR:
		return succeeded("scope %q, audience %q, resource %q, acr %q", got.Scope, got.Audience, got.Resource, got.ACR)
	}
	return stopped(Gateway, "the token is what the client asked for")
}

// alteredLinkOfOwnClient is a client that goes around the gateway as far as it can.
func alteredLinkOfOwnClient(ctx context.Context, s *stage) (Outcome, error) {
	l, q := modestLogin()
	params, err := s.followAltered(ctx, q, func(q url.Values) { q.Set("audience", bigAPI) })
	if err != nil {
		return Outcome{}, err
	}
	form := s.withSecret(s.exchangeForm(l, params.Get("code")))
	form.Set("redirect_uri", s.redirectAtIdP(appRedirect))
	t, err := s.exchangeAtIdP(ctx, form)
	if err != nil {
		return Outcome{}, err
	}
	if t.AccessToken == "" {
		t.stoppedBy = s.inFront() // it sealed the code, and has the secret
	}
	return s.granted(t), nil
}

// narrowedLists logs in under wider lists, and refreshes under narrower ones.
func narrowedLists(ctx context.Context, s *stage) (Outcome, error) {
	l := newLogin()
	l.scope = "openid read admin"
	q := l.request()
	q.Set("audience", bigAPI)
	params, err := s.followAltered(ctx, q, func(url.Values) {})
	if err != nil {
		return Outcome{}, err
	}
	t, err := s.finish(ctx, l, params)
	if err != nil || t.RefreshToken == "" {
		return Outcome{}, fmt.Errorf("the login gives no refresh token: %w", err)
	}
	if s.mode.Protection != Nothing {
		if err := s.restart(0, func(c *setup) { c.client = lists }); err != nil {
			return Outcome{}, err
		}
	}
	form := url.Values{"grant_type": {"refresh_token"}, "client_id": {appID}, "refresh_token": {t.RefreshToken}}
	if t, err = s.exchange(ctx, s.withSecret(form)); err != nil {
		return Outcome{}, err
	}
	if got := s.owner(t); isMore(got) {
		return succeeded("scope %q, audience %q", got.Scope, got.Audience), nil
	}
	return s.refused(t), nil
}

// asks has the victim log in with parameters that ask for more.
func (s *stage) asks(ctx context.Context, extra url.Values, scope string) (Outcome, error) {
	l := newLogin()
	attempt := func(extra url.Values) (*tokens, error) {
		q := l.request()
		if q.Set("scope", scope); scope == "" {
			q.Del("scope")
			l.checksNonce = false // there is no ID token
			q.Del("nonce")
		}
		for name, values := range extra {
			q[name] = values
		}
		b, err := s.browser(ctx, victim)
		if err != nil {
			return nil, err
		}
		v, err := b.visit(ctx, at(s.base, authorizePath, q))
		if err != nil {
			return nil, err
		}
		return s.finish(ctx, l, v.last().params)
	}
	t, err := attempt(nil)
	if err != nil {
		return Outcome{}, err
	}
	if honest := s.owner(t); honest.User != victim || isMore(honest) {
		return Outcome{}, fmt.Errorf("an honest login gets %+v: %s %s", honest, t.Error, t.Description)
	}
	if t, err = attempt(extra); err != nil {
		return Outcome{}, err
	}
	if got := s.owner(t); isMore(got) {
		return succeeded("audience %q", got.Audience), nil
	}
	t.stoppedBy = s.inFront()
	return s.refused(t), nil
}

// errorRedirect has the victim open links to logins that can't begin.
func errorRedirect(ctx context.Context, s *stage) (Outcome, error) {
	for _, broken := range []url.Values{{"code_challenge": {"short"}}, {"prompt": {"none"}}, {"response_type": {"token"}}} {
		for _, own := range []*login{withoutIDToken(), ownLogin()} {
			b, err := s.browser(ctx, victim)
			if err != nil {
				return Outcome{}, err
			}
			q := own.request()
			for name, values := range broken {
				q[name] = values
			}
			v, err := b.visit(ctx, at(s.base, authorizePath, q))
			if err != nil {
				return Outcome{}, err
			}
			redirected := v.last().String() == own.redirectURI
			switch {
			case own.clientID == appID && !redirected:
				return Outcome{}, errors.New("errors of a client without consent are not redirected")
			case own.clientID == ownID && redirected:
				return succeeded("sent to %s", own.redirectURI), nil
			}
		}
	}
	return stopped(Gateway, "an error page"), nil
}
