package attacks

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// What the client may have, and what somebody would like it to have.
const (
	smallAPI  = "https://api.small.example"
	bigAPI    = "https://api.big.example"
	strongACR = "phishing-resistant"
	lists     = "scope openid read\n\t\taudience " + smallAPI
	pushes    = "endpoint par /oauth/par"
)

// asking is the attacker who has the IdP grant a client more than the gateway's lists
// allow it: the client itself, or somebody who alters the link to the IdP.
func asking() []Attack {
	const (
		means    = "the link to the IdP, before the victim opens it"
		goal     = "a token for another API, with more rights"
		noSaying = "Nothing in the IdP's response says what it granted. `endpoint par` keeps the request out of the browser."
	)
	namesNone := func(string) string { return "" }
	jwts := func(b *testidp.Behavior) { b.JWTs = true }
	silent := func(b *testidp.Behavior) { b.Grants, b.OffersPAR = namesNone, true }
	more := func(q url.Values) {
		q.Set("scope", "openid read admin offline_access")
		q.Set("audience", bigAPI)
	}
	weaker := func(q url.Values) { q.Del("acr_values") }
	return []Attack{
		attack("adds scopes and another audience to the link to the IdP; the client has no lists",
			means, goal, alteredLink(more)).
			succeedsIn(always, "Without lists the client may have anything. Set `scope` and `audience`, or `endpoint par`."),
		attack("the same; the client has lists (`scope`, `audience`)",
			means, goal, alteredLink(more)).given(setup{client: lists}),
		attack("the same with the audience alone; access tokens are JWTs",
			means, goal, alteredLink(func(q url.Values) { q.Set("audience", bigAPI) })).given(setup{client: lists, idp: jwts}),
		attack("the same with scopes; only the JWT says which",
			means, goal, alteredLink(func(q url.Values) { q.Set("scope", "openid read admin") })).
			given(setup{client: lists, idp: func(b *testidp.Behavior) { b.JWTs, b.Grants = true, namesNone }}),
		attack("the same; tokens are opaque, and no response names a scope",
			means, goal, alteredLink(more)).given(setup{client: lists, idp: silent}).succeedsIn(always, noSaying),
		attack("the same; the gateway has `endpoint par`",
			means, goal, alteredLink(more)).given(setup{client: lists, options: pushes, idp: silent}).in(confidentialCallback),
		attack("the same; the client has no lists",
			means, goal, alteredLink(more)).given(setup{options: pushes, idp: silent}).in(confidentialCallback),
		attack("strips `acr_values` from the link to the IdP",
			means, "a login with less than the client asked for", alteredLink(weaker)).given(setup{client: lists}).
			succeedsIn(always, "The IdP was not asked, and nobody else knows. Set `step_up`, or have the client check `acr` in the ID token; `endpoint par` keeps the request out of the browser."),
		attack("the same; the gateway has `step_up`",
			means, "a login with less than the client asked for", alteredLink(weaker)).given(setup{client: lists, sealed: "step_up"}).in(withCallback),
		attack("asks for a weaker `acr_values` there; the gateway has `step_up`",
			means, "a login with less than the client asked for", alteredLink(func(q url.Values) { q.Set("acr_values", "password") })).
			given(setup{client: lists, sealed: "step_up"}).in(withCallback),
		attack("strips `acr_values`; the gateway has `endpoint par`",
			means, "a login with less than the client asked for", alteredLink(weaker)).
			given(setup{client: lists, options: pushes, idp: silent}).in(confidentialCallback),
		attack("is the client himself: makes a request of his own beside the one that was pushed, with its state; the gateway has `endpoint par`",
			"a client with lists, a user, and the IdP's response to a login of hers", goal, besidePushed).
			given(setup{client: lists, options: pushes, idp: silent}).in(confidentialCallback).
			succeedsIn(always, "The IdP takes requests that were not pushed, too. Have it require pushed ones of the gateway's client there."),
		attack("the same; the IdP requires pushed requests",
			"a client with lists, a user, and the IdP's response to a login of hers", goal, besidePushed).
			given(setup{client: lists, options: pushes, idp: func(b *testidp.Behavior) { b.Grants, b.RequiresPAR = namesNone, true }}).in(confidentialCallback),
		attack("is the client himself: alters the link, and exchanges the code at the IdP",
			"a client with lists, and a user", goal, alteredLinkOfOwnClient).given(setup{client: lists}).
			succeedsIn(noCallback, "Without `callback` the client needs no gateway to exchange its codes."),
		attack("goes on with a refresh token from before the client's lists were made smaller",
			"a client with lists, and a user", goal, narrowedLists).given(setup{client: "scope openid read admin\n\t\taudience " + bigAPI}),
		attack("asks for an API by a name that the gateway does not know (`aud`, `scopes`); tokens are opaque",
			"a client with lists, and a user", goal, func(e *env) Outcome { return e.asks(url.Values{"aud": {bigAPI}, "scopes": {"openid read admin"}}, "") }).
			given(setup{client: lists, idp: func(b *testidp.Behavior) { b.Reads, b.Grants = otherNames, namesNone }}),
		attack("asks for a resource beside the audience of `authorize_parameter`",
			"a client, and a user", goal, func(e *env) Outcome { return e.asks(url.Values{"resource": {bigAPI}}, "openid") }).
			given(setup{options: "authorize_parameter audience " + smallAPI}),
		attack("has an error of /authorize send the victim to the page of his own client, before any login; the client has `consent`",
			"a client at the gateway, and a lured victim", "an open redirect", errorRedirect).
			given(setup{sharedIdPClient: true, own: "consent"}).in(confidentialCallback),
	}
}

// otherNames has an IdP read aud and scopes where audience and scope are not sent.
func otherNames(q url.Values) {
	for name, other := range map[string]string{"audience": "aud", "scope": "scopes"} {
		if q.Get(name) == "" {
			q.Set(name, q.Get(other))
		}
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
func (e *env) followAltered(q url.Values, alter func(url.Values)) url.Values {
	next := e.ask(q)
	alter(next.params)
	return e.visit(victim, next.link()).last().params
}

// alteredLink has the victim's client finish a login whose link to the IdP was altered,
// after one whose link was not.
func alteredLink(alter func(url.Values)) func(*env) Outcome {
	return func(e *env) Outcome {
		attempt := func(alter func(url.Values)) *tokens {
			l, q := modestLogin()
			return e.finish(l, e.followAltered(q, alter))
		}
		t := attempt(func(url.Values) {})
		if honest := e.owner(t); honest.User != victim || isMore(honest) || honest.ACR != strongACR {
			fail.Now("an honest login gets %+v: %s %s", honest, t.Error, t.Description)
		}
		return e.granted(attempt(alter))
	}
}

// besidePushed has the victim log in once as it should be, and then by a request to the
// IdP that the gateway did not push.
func besidePushed(e *env) Outcome {
	b := e.browser(victim)
	l, q := modestLogin()
	pushed := fail.Must(b.visit(at(e.base, authorizePath, q)).withCode())
	q.Set("scope", "openid read admin")
	q.Set("audience", bigAPI)
	q.Set("redirect_uri", e.callback())
	var v *visit
	for _, state := range [][]string{nil, pushed.params["state"]} {
		q["state"] = state
		if v = b.visit(at(e.idp.URL(), authorizePath, q)); v.last().String() == l.redirectURI {
			return e.granted(e.finish(l, v.last().params))
		}
	}
	return stopped(IdP, "%v", v.describe(""))
}

// granted judges what a client got.
func (e *env) granted(t *tokens) Outcome {
	got := e.owner(t)
	switch {
	case t.AccessToken == "":
		return e.refused(t)
	case isMore(got) || got.ACR != strongACR:
		return succeeded("scope %q, audience %q, resource %q, acr %q", got.Scope, got.Audience, got.Resource, got.ACR)
	}
	return stopped(Gateway, "the token is what the client asked for")
}

// alteredLinkOfOwnClient is a client that goes around the gateway as far as it can.
func alteredLinkOfOwnClient(e *env) Outcome {
	l, q := modestLogin()
	params := e.followAltered(q, func(q url.Values) { q.Set("audience", bigAPI) })
	form := e.withSecret(e.exchangeForm(l, params.Get("code")))
	form.Set("redirect_uri", e.redirectAtIdP(appRedirect))
	t := e.exchangeAtIdP(form)
	if t.AccessToken == "" {
		t.stoppedBy = e.inFront() // it sealed the code, and has the secret
	}
	return e.granted(t)
}

// narrowedLists logs in under wider lists, and refreshes under narrower ones.
func narrowedLists(e *env) Outcome {
	l := newLogin()
	l.scope = "openid read admin"
	q := l.request()
	q.Set("audience", bigAPI)
	t := e.finish(l, e.followAltered(q, func(url.Values) {}))
	t.require("at first")
	e.restart(0, func(c *setup) { c.client = lists })
	t = e.exchange(e.withSecret(refreshForm(appID, t.RefreshToken)))
	if got := e.owner(t); isMore(got) {
		return succeeded("scope %q, audience %q", got.Scope, got.Audience)
	}
	return e.refused(t)
}

// asks has the victim log in with parameters that ask for more.
func (e *env) asks(extra url.Values, scope string) Outcome {
	l := newLogin()
	attempt := func(extra url.Values) *tokens {
		q := l.request()
		if q.Set("scope", scope); scope == "" {
			q.Del("scope")
			l.checksNonce = false // there is no ID token
			q.Del("nonce")
		}
		maps.Copy(q, extra)
		return e.finish(l, e.visit(victim, at(e.base, authorizePath, q)).last().params)
	}
	t := attempt(nil)
	if honest := e.owner(t); honest.User != victim || isMore(honest) {
		fail.Now("an honest login gets %+v: %s %s", honest, t.Error, t.Description)
	}
	t = attempt(extra)
	if got := e.owner(t); isMore(got) {
		return succeeded("audience %q", got.Audience)
	}
	t.stoppedBy = e.inFront()
	return e.refused(t)
}

// errorRedirect has the victim open links to logins that can't begin.
func errorRedirect(e *env) Outcome {
	for _, broken := range []url.Values{{"code_challenge": {"short"}}, {"prompt": {"none"}}, {"response_type": {"token"}}} {
		for _, own := range []*login{withoutIDToken(), ownLogin()} {
			q := own.request()
			maps.Copy(q, broken)
			redirected := e.visit(victim, at(e.base, authorizePath, q)).last().String() == own.redirectURI
			switch {
			case own.clientID == appID && !redirected:
				fail.Now("errors of a client without consent are not redirected")
			case own.clientID == ownID && redirected:
				return succeeded("sent to %s", own.redirectURI)
			}
		}
	}
	return stopped(Gateway, "an error page")
}
