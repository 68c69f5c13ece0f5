package attacks

import (
	"cmp"
	"crypto/rand"
	"net/url"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// Changes of the IdP that several attacks want.
func singleUse(b *testidp.Behavior)                { b.SingleUse = true }
func takesCodesOfOtherClients(b *testidp.Behavior) { b.ChecksClient = false }
func anyRedirectURI(b *testidp.Behavior)           { b.AnyRedirectURI = true }

// discovers is a gateway that knows from the metadata that the IdP is an OpenID Provider.
var discovers = setup{options: "discover"}

// issues is a gateway that signs ID tokens of its own, too.
var issues = setup{options: "discover", sealed: "public_url {base}"}

// plainly makes sure that a login without an ID token passes before it goes on: with a
// token, and without the ID token that the gateway itself asks for.
func plainly(run func(*env) Outcome) func(*env) Outcome {
	return func(e *env) Outcome {
		if t, _ := e.loggedIn(withoutIDToken()); t.IDToken != "" {
			fail.Now("an honest login gives the ID token %q", t.IDToken)
		}
		return run(e)
	}
}

// rawThief is the attacker who reads the response that the IdP sends through the
// victim's browser, before it arrives: in a proxy's log, a browser extension.
// With a callback that is the IdP's own code, without one the client's.
func rawThief() []Attack {
	// stealing lets the attacker use the IdP's code of a victim's login.
	stealing := func(theirs func() *login, use func(e *env, theirs *login, code string) *tokens) func(*env) Outcome {
		return func(e *env) Outcome {
			l := theirs()
			return e.theft(use(e, l, e.logInUntilCode(victim, l).params.Get("code")))
		}
	}
	// delivering brings it to the callback of a login of his own and exchanges what comes out.
	delivering := func(own func(theirs *login) *login) func(*env, *login, string) *tokens {
		return func(e *env, theirs *login, code string) *tokens {
			l := own(theirs)
			return e.exchange(e.exchangeForm(l, e.deliver(code, l)))
		}
	}
	// Without a callback the code that the IdP sends is the client's, and its
	// exchange through the gateway needs the client's secret.
	exchangeable := func(m Mode) bool { return ignoresPKCE(m) && callbackOrPublic(m) }
	const unboundRaw = "Nothing tells the IdP's code of one login from that of another: no PKCE at the IdP, and no nonce in an ID token."
	return []Attack{
		{
			Name: "exchanges it at the IdP itself", Means: "the IdP's code", Goal: "a token of the victim",
			succeeds: func(m Mode) bool { return publicOnly(m) && ignoresPKCE(m) },
			why:      "Only the IdP can stop it. Register the client as confidential there: then only who has the secret can use the code.",
			run: stealing(newLogin, func(e *env, _ *login, code string) *tokens {
				form := e.exchangeForm(newLogin(), code)
				form.Set("redirect_uri", e.redirectAtIdP(appRedirect))
				return e.exchangeAtIdP(form)
			}),
		},
		{
			Name: "exchanges it at the IdP itself as a client of his own", Means: "the IdP's code, and a client that is registered at the IdP", Goal: "a token of the victim",
			setup:    setup{idp: takesCodesOfOtherClients},
			succeeds: ignoresPKCE,
			why:      "Only the IdP can stop it: one that binds a code neither to a challenge nor to a client gives its token to any client.",
			run: stealing(newLogin, func(e *env, _ *login, code string) *tokens {
				form := e.exchangeForm(newLogin(), code)
				form.Set("client_id", directID)
				form.Set("redirect_uri", e.redirectAtIdP(appRedirect))
				return e.exchangeAtIdP(form)
			}),
		},
		{
			Name: "exchanges it with the verifier of a login of his own, without passing the callback", Means: "the IdP's code", Goal: "a token of the victim",
			succeeds: unboundCode, why: unboundRaw,
			run: stealing(newLogin, func(e *env, _ *login, code string) *tokens {
				own := newLogin()
				e.begin(own)
				return e.exchange(e.exchangeForm(own, code))
			}),
		},
		{
			Name: "delivers it to the callback with the state of a login of his own, which has another nonce", Means: "the IdP's code", Goal: "a token of the victim",
			succeeds: unboundCode, why: unboundRaw,
			run: stealing(newLogin, delivering(anew(newLogin))),
		},
		{
			Name: "delivers it to the callback with the state of a login of his own, which has no nonce", Means: "the IdP's code", Goal: "a token of the victim",
			succeeds: unboundCode, why: unboundRaw,
			run: stealing(newLogin, delivering(anew(withoutNonce))),
		},
		{
			Name: "the same, with a login that asks for no ID token", Means: "the IdP's code", Goal: "a token of the victim",
			succeeds: unboundCode, why: unboundRaw,
			run: stealing(newLogin, delivering(anew(withoutIDToken))),
		},
		{
			Name: "delivers it with a state of his own, as another client that is registered at the gateway", Means: "the IdP's code", Goal: "a token of the victim",
			setup:    setup{idp: takesCodesOfOtherClients},
			succeeds: noCallbackIgnored, why: unboundRaw,
			run: stealing(newLogin, func(e *env, _ *login, code string) *tokens {
				own := newLogin().at(ownID, ownRedirect)
				return e.exchange(e.withSecret(e.exchangeForm(own, e.deliver(code, own))))
			}),
		},
		{
			Name: "delivers it with a state of his own; the victim's login had no nonce", Means: "the IdP's code", Goal: "a token of the victim",
			succeeds: exchangeable,
			why:      "No PKCE at the IdP and no nonce: nothing is left that differs. `parameters nonce` makes the gateway refuse such logins.",
			run:      stealing(withoutNonce, delivering(anew(withoutNonce))),
		},
		{
			Name: "the same with `parameters nonce`", Means: "the IdP's code", Goal: "a token of the victim",
			setup: setup{sealed: "parameters nonce"}, only: withCallback,
			run: func(e *env) Outcome {
				e.logIn(victim, newLogin())
				if err := fail.Try(func() { e.logInUntilCode(victim, withoutNonce()) }); err != nil {
					return stopped(Gateway, "%v", err)
				}
				return succeeded("a login without a nonce passes")
			},
		},
		{
			Name: "delivers it with a state of his own; there is no ID token", Means: "the IdP's code", Goal: "a token of the victim",
			succeeds: exchangeable,
			why:      "Plain OAuth: no PKCE at the IdP and no ID token that a nonce could be in. Only an IdP that verifies PKCE stops it.",
			run:      stealing(withoutIDToken, delivering(anew(withoutIDToken))),
		},
		{
			Name: "the same; the gateway has `discover`, and the IdP is an OpenID Provider", Means: "the IdP's code", Goal: "a token of the victim",
			setup: discovers, only: withCallback,
			run: plainly(stealing(withoutIDToken, delivering(anew(withoutIDToken)))),
		},
		{
			Name: "delivers it with a state of his own, which has the victim's nonce", Means: "the IdP's code, and the nonce in the victim's authorization request", Goal: "a token of the victim",
			succeeds: exchangeable,
			why:      "An attacker who also knows the nonce can start a login that only PKCE distinguishes. Only an IdP that verifies it stops him.",
			run:      stealing(newLogin, delivering(withNonceOf)),
		},
		{
			Name: "the same; the nonce is the gateway's own (`discover`)", Means: "the IdP's code, and the nonce in the victim's authorization request", Goal: "a token of the victim",
			setup: discovers, only: withCallback,
			run: plainly(func(e *env) Outcome {
				v := e.browser(victim).visitUntil(e.authorizeURL(withoutIDToken()), hop.hasCode)
				own := newLogin()
				if own.nonce = v.hops[1].params.Get("nonce"); own.nonce == "" {
					fail.Now("the IdP was asked without a nonce")
				}
				begun := e.begin(own)
				if begun.params.Has("error") {
					return stopped(Gateway, "%s", begun.params.Get("error_description"))
				}
				code := fail.Must(v.withCode()).params.Get("code")
				return e.theft(e.exchange(e.exchangeForm(own, e.deliverWithState(code, begun.params.Get("state")))))
			}),
		},
		{
			Name: "the same; the gateway is the issuer of ID tokens (`discover`, `public_url`)", Means: "the IdP's code, and the nonce in the victim's authorization request", Goal: "a token of the victim",
			setup: issues, only: withCallback,
			run: stealing(newLogin, delivering(withNonceOf)),
		},
		{
			Name: "delivers it with a state of his own without a nonce; the IdP invents nonces", Means: "the IdP's code", Goal: "a token of the victim",
			setup:    setup{idp: func(b *testidp.Behavior) { b.Nonce = func(asked string) string { return cmp.Or(asked, rand.Text()) } }},
			succeeds: unboundCode, why: unboundRaw,
			run: stealing(newLogin, delivering(anew(withoutNonce))),
		},
		{
			Name: "delivers it with the state of the victim's own login", Means: "the IdP's whole response", Goal: "a token of the victim",
			succeeds: unboundCode, why: unboundRaw,
			run: func(e *env) Outcome {
				h := e.logInUntilCode(victim, newLogin())
				code := e.deliverWithState(h.params.Get("code"), h.params.Get("state"))
				return e.theft(e.exchange(e.exchangeForm(newLogin(), code)))
			},
		},
		{
			Name: "puts it into his own session at the client", Means: "the IdP's code", Goal: "a session with the victim's account",
			succeeds: noCallbackIgnored, why: unboundRaw,
			run: stealing(newLogin, func(e *env, _ *login, code string) *tokens {
				own := newLogin()
				own.checksNonce = false // that would be the client's merit
				return e.finish(own, url.Values{"code": {e.deliver(code, own)}, "state": {own.state}})
			}),
		},
		{
			Name: "tries it in a login of his own, so that the victim's login fails", Means: "the IdP's code", Goal: "the victim can't log in",
			setup:    setup{idp: singleUse},
			succeeds: exchangeable,
			why:      "An IdP that ignores PKCE ends the code with the first exchange. The attacker gets nothing, but neither does the victim.",
			run: func(e *env) Outcome {
				theirs := newLogin()
				b := e.browser(victim)
				h := fail.Must(b.visitUntil(e.authorizeURL(theirs), hop.hasCode).withCode())
				attempt := delivering(anew(newLogin))(e, theirs, h.params.Get("code"))
				return e.denial(theirs, b.visit(h.link()).last().params, attempt) // the victim's browser goes on
			},
		},
		{
			Name: "tries it in logins of his own without a pause, so that the victim's exchange always meets one of his", Means: "the IdP's code", Goal: "the victim can't log in",
			setup:    setup{idp: singleUse},
			succeeds: func(m Mode) bool { return m.Protection == WithCallback || unboundCode(m) },
			why: "A code that is being exchanged is not exchanged a second time, whoever asks. The attacker gets nothing; " +
				"the victim logs in again. Who reads the IdP's responses can stop them, too.",
			run: func(e *env) Outcome {
				theirs := newLogin()
				h := e.logInUntilCode(victim, theirs)
				code := h.params.Get("code")
				use := delivering(anew(newLogin))
				if e.mode.Protection != WithCallback { // nothing is claimed: the IdP answers the first one first
					return e.denial(theirs, h.params, use(e, theirs, code))
				}
				release := sync.OnceFunc(e.holdTokens())
				defer release()
				var attempt *tokens
				done := make(chan error, 1)
				go func() { done <- fail.Try(func() { attempt = use(e, theirs, code) }) }()
				e.until(func() bool { return e.idp.Held() > 0 })
				t := e.finish(theirs, url.Values{"code": {e.deliverWithState(code, h.params.Get("state"))}, "state": {theirs.state}})
				release()
				fail.Check(<-done)
				if e.owner(t).User == victim {
					return e.refused(attempt)
				}
				return succeeded("the victim's exchange fails: %s %s", t.Error, t.Description)
			},
		},
	}
}
