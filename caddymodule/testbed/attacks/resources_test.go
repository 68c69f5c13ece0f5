package attacks

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// otherResources is the attacker who wants a token of one login for another resource: a
// malicious server that a client logs in to, or the client itself. Codes are bound to
// resources with a callback only.
func otherResources() []Attack {
	const (
		means = "a client that may use two resources, and its user"
		goal  = "a token for a resource that the login is not for"
	)
	small := url.Values{"resource": {smallAPI}}
	big := url.Values{"resource": {bigAPI}}
	bound := func(m Mode) bool { return m.Protection != WithoutCallback }
	blocks := func(more string) string {
		block := " {\n\t\tscope %s\n\t\t" + more + "\n\t}\n\t"
		return fmt.Sprintf("resource "+smallAPI+block+"resource "+bigAPI+block, "read", "admin")
	}
	idpTokens := setup{sealed: blocks("idp pass\n\t\ttokens idp")}
	const (
		link      = "the link to the IdP, before the victim opens it"
		asAPI     = "idp audience\n\t\ttokens idp"
		bigInLink = "alters `audience` in the link to the IdP, which gets it there only (`idp audience`); access tokens are JWTs"
	)
	// Auth0, for one.
	byAudience := func(jwts bool) func(*testidp.Behavior) {
		return func(b *testidp.Behavior) { b.IgnoresResource, b.JWTs = true, jwts }
	}
	altered := resourceLogin{authorize: small, link: url.Values{"audience": {bigAPI}}}
	return []Attack{
		attack("redeems a code for another resource than the login's",
			means, goal, resourceAttack(resourceLogin{authorize: small, token: big})).given(idpTokens).in(bound),
		attack("refreshes for another resource than the login's",
			means, goal, resourceAttack(resourceLogin{authorize: small, refresh: big})).given(idpTokens).in(bound),
		attack("names two resources in one login",
			means, "a token for both", resourceAttack(resourceLogin{authorize: url.Values{"resource": {bigAPI, smallAPI}}})).
			given(idpTokens).in(bound),
		attack("names a resource that only looks like one that is configured: by case, port, user information, escapes, dots, slashes, a fragment",
			"a client, and its user", "a token for a server of his own", resourceAttack(lookalikes()...)).given(idpTokens).in(bound),
		attack("asks for a scope of another resource",
			means, "more rights", resourceAttack(resourceLogin{authorize: url.Values{"resource": {smallAPI}, "scope": {"openid admin"}}})).
			given(idpTokens).in(bound),
		attack("adds an `audience`, which the IdP prefers to `resource`",
			means, goal, resourceAttack(resourceLogin{authorize: url.Values{"resource": {smallAPI}, "audience": {bigAPI}}})).
			given(setup{sealed: idpTokens.sealed, idp: func(b *testidp.Behavior) { b.IgnoresResource = true }}).in(bound),
		attack("alters `resource` in the link to the IdP; the gateway names the resource with the code, too (`idp pass`)",
			link, goal, resourceAttack(resourceLogin{authorize: small, link: big})).given(idpTokens).in(withCallback),
		attack(bigInLink,
			link, goal, resourceAttack(altered)).given(setup{sealed: blocks(asAPI), idp: byAudience(true)}).in(bound),
		attack("the same; tokens are opaque",
			link, goal, resourceAttack(altered)).given(setup{sealed: blocks(asAPI), idp: byAudience(false)}).in(bound).
			succeedsIn(withCallback, "Nobody can see what an opaque token is for. Leave out `tokens idp`, or set `endpoint par`."),
		attack("the same; the gateway issues the access tokens",
			link, goal, resourceAttack(altered)).
			given(setup{sealed: "public_url {base}\n\t" + blocks("idp audience"), idp: byAudience(false)}).in(bound),
	}
}

// lookalikes are logins for resources that are not [smallAPI].
func lookalikes() []resourceLogin {
	var logins []resourceLogin
	for _, uri := range []string{
		smallAPI + ":8443", smallAPI + ":443", smallAPI + ".", smallAPI + "..", smallAPI + "//", smallAPI + "/.", smallAPI + "/%2e",
		smallAPI + "/A", smallAPI + "?", smallAPI + "#", smallAPI + "@evil.example", smallAPI + ".evil.example",
		strings.Replace(smallAPI, "://", "://evil.example@", 1), strings.Replace(smallAPI, "://", ":", 1), strings.Replace(smallAPI, "https", "http", 1),
		strings.Replace(smallAPI, ".", "%2e", 1), strings.Replace(smallAPI, ".", "\u3002", 1), strings.Replace(smallAPI, "/", "\\", 2), " " + smallAPI,
	} {
		logins = append(logins, resourceLogin{authorize: url.Values{"resource": {uri}}})
	}
	return logins
}

// resourceLogin is a login: what it sends to the endpoints, and what somebody changes in
// the link to the IdP.
type resourceLogin struct{ authorize, token, refresh, link url.Values }

// resourceAttack makes logins, after one as it should be.
func resourceAttack(logins ...resourceLogin) func(*env) Outcome {
	return func(e *env) Outcome {
		small := url.Values{"resource": {smallAPI}}
		t := e.logInForResource(resourceLogin{authorize: small, token: small, refresh: small})
		if t.AccessToken == "" || isOther(e.owner(t)) {
			fail.Now("an honest login gets %+v: %s %s", e.owner(t), t.Error, t.Description)
		}
		for _, l := range logins {
			t = e.logInForResource(l)
			if got := e.owner(t); isOther(got) {
				return succeeded("scope %q, audience %q", got.Scope, cmp.Or(got.Resource, got.Audience))
			}
		}
		if t.AccessToken != "" {
			return stopped(Gateway, "the token is for the resource of the login")
		}
		t.stoppedBy = e.inFront()
		return e.refused(t)
	}
}

// isOther reports a token for something else than [smallAPI].
func isOther(t testidp.Token) bool {
	audience := cmp.Or(t.Resource, t.Audience)
	return audience != "" && audience != smallAPI || slices.Contains(strings.Fields(t.Scope), "admin")
}

// logInForResource is what the victim's client gets in a login.
func (e *env) logInForResource(want resourceLogin) *tokens {
	l := newLogin()
	q := l.request()
	maps.Copy(q, want.authorize)
	params := e.followAltered(q, func(q url.Values) { maps.Copy(q, want.link) })
	if params.Get("code") == "" {
		return &tokens{Error: params.Get("error"), Description: params.Get("error_description")}
	}
	form := e.withSecret(e.exchangeForm(l, params.Get("code")))
	maps.Copy(form, want.token)
	t := e.exchange(form)
	if want.refresh == nil || t.RefreshToken == "" {
		return t
	}
	form = e.withSecret(refreshForm(appID, t.RefreshToken))
	maps.Copy(form, want.refresh)
	return e.exchange(form)
}
