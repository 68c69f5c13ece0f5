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
		attack("exchanges it at the IdP itself",
			"the IdP's code", "a token of the victim", stealing(newLogin, func(e *env, _ *login, code string) *tokens {
				form := e.exchangeForm(newLogin(), code)
				form.Set("redirect_uri", e.redirectAtIdP(appRedirect))
				return e.exchangeAtIdP(form)
			})).
			succeedsIn(func(m Mode) bool { return publicOnly(m) && ignoresPKCE(m) }, "Only the IdP can stop it. Register the client as confidential there: then only who has the secret can use the code."),
		attack("exchanges it at the IdP itself as a client of his own",
			"the IdP's code, and a client that is registered at the IdP", "a token of the victim", stealing(newLogin, func(e *env, _ *login, code string) *tokens {
				form := e.exchangeForm(newLogin(), code)
				form.Set("client_id", directID)
				form.Set("redirect_uri", e.redirectAtIdP(appRedirect))
				return e.exchangeAtIdP(form)
			})).given(setup{idp: takesCodesOfOtherClients}).
			succeedsIn(ignoresPKCE, "Only the IdP can stop it: one that binds a code neither to a challenge nor to a client gives its token to any client."),
		attack("exchanges it with the verifier of a login of his own, without passing the callback",
			"the IdP's code", "a token of the victim", stealing(newLogin, func(e *env, _ *login, code string) *tokens {
				own := newLogin()
				e.begin(own)
				return e.exchange(e.exchangeForm(own, code))
			})).succeedsIn(unboundCode, unboundRaw),
		attack("delivers it to the callback with the state of a login of his own, which has another nonce",
			"the IdP's code", "a token of the victim", stealing(newLogin, delivering(anew(newLogin)))).succeedsIn(unboundCode, unboundRaw),
		attack("delivers it to the callback with the state of a login of his own, which has no nonce",
			"the IdP's code", "a token of the victim", stealing(newLogin, delivering(anew(withoutNonce)))).succeedsIn(unboundCode, unboundRaw),
		attack("the same, with a login that asks for no ID token",
			"the IdP's code", "a token of the victim", stealing(newLogin, delivering(anew(withoutIDToken)))).succeedsIn(unboundCode, unboundRaw),
		attack("delivers it with a state of his own, as another client that is registered at the gateway",
			"the IdP's code", "a token of the victim", stealing(newLogin, func(e *env, _ *login, code string) *tokens {
				own := newLogin().at(ownID, ownRedirect)
				return e.exchange(e.withSecret(e.exchangeForm(own, e.deliver(code, own))))
			})).given(setup{idp: takesCodesOfOtherClients}).succeedsIn(noCallbackIgnored, unboundRaw),
		attack("delivers it with a state of his own; the victim's login had no nonce",
			"the IdP's code", "a token of the victim", stealing(withoutNonce, delivering(anew(withoutNonce)))).
			succeedsIn(exchangeable, "No PKCE at the IdP and no nonce: nothing is left that differs. `parameters nonce` makes the gateway refuse such logins."),
		attack("the same with `parameters nonce`",
			"the IdP's code", "a token of the victim", func(e *env) Outcome {
				e.logIn(victim, newLogin())
				if err := fail.Try(func() { e.logInUntilCode(victim, withoutNonce()) }); err != nil {
					return stopped(Gateway, "%v", err)
				}
				return succeeded("a login without a nonce passes")
			}).given(setup{sealed: "parameters nonce"}).in(withCallback),
		attack("delivers it with a state of his own; there is no ID token",
			"the IdP's code", "a token of the victim", stealing(withoutIDToken, delivering(anew(withoutIDToken)))).
			succeedsIn(exchangeable, "Plain OAuth: no PKCE at the IdP and no ID token that a nonce could be in. Only an IdP that verifies PKCE stops it."),
		attack("the same; the gateway has `discover`, and the IdP is an OpenID Provider",
			"the IdP's code", "a token of the victim", plainly(stealing(withoutIDToken, delivering(anew(withoutIDToken))))).
			given(discovers).in(withCallback),
		attack("delivers it with a state of his own, which has the victim's nonce",
			"the IdP's code, and the nonce in the victim's authorization request", "a token of the victim", stealing(newLogin, delivering(withNonceOf))).
			succeedsIn(exchangeable, "An attacker who also knows the nonce can start a login that only PKCE distinguishes. Only an IdP that verifies it stops him."),
		attack("the same; the nonce is the gateway's own (`discover`)",
			"the IdP's code, and the nonce in the victim's authorization request", "a token of the victim", plainly(func(e *env) Outcome {
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
			})).given(discovers).in(withCallback),
		attack("the same; the gateway is the issuer of ID tokens (`discover`, `public_url`)",
			"the IdP's code, and the nonce in the victim's authorization request", "a token of the victim", stealing(newLogin, delivering(withNonceOf))).
			given(issues).in(withCallback),
		attack("delivers it with a state of his own without a nonce; the IdP invents nonces",
			"the IdP's code", "a token of the victim", stealing(newLogin, delivering(anew(withoutNonce)))).
			given(setup{idp: func(b *testidp.Behavior) { b.Nonce = func(asked string) string { return cmp.Or(asked, rand.Text()) } }}).
			succeedsIn(unboundCode, unboundRaw),
		attack("delivers it with the state of the victim's own login",
			"the IdP's whole response", "a token of the victim", func(e *env) Outcome {
				h := e.logInUntilCode(victim, newLogin())
				code := e.deliverWithState(h.params.Get("code"), h.params.Get("state"))
				return e.theft(e.exchange(e.exchangeForm(newLogin(), code)))
			}).succeedsIn(unboundCode, unboundRaw),
		attack("puts it into his own session at the client",
			"the IdP's code", "a session with the victim's account", stealing(newLogin, func(e *env, _ *login, code string) *tokens {
				own := newLogin()
				own.checksNonce = false // that would be the client's merit
				return e.finish(own, url.Values{"code": {e.deliver(code, own)}, "state": {own.state}})
			})).succeedsIn(noCallbackIgnored, unboundRaw),
		attack("tries it in a login of his own, so that the victim's login fails",
			"the IdP's code", "the victim can't log in", func(e *env) Outcome {
				theirs := newLogin()
				b := e.browser(victim)
				h := fail.Must(b.visitUntil(e.authorizeURL(theirs), hop.hasCode).withCode())
				attempt := delivering(anew(newLogin))(e, theirs, h.params.Get("code"))
				return e.denial(theirs, b.visit(h.link()).last().params, attempt) // the victim's browser goes on
			}).given(setup{idp: singleUse}).
			succeedsIn(exchangeable, "An IdP that ignores PKCE ends the code with the first exchange. The attacker gets nothing, but neither does the victim."),
		attack("tries it in logins of his own without a pause, so that the victim's exchange always meets one of his",
			"the IdP's code", "the victim can't log in", func(e *env) Outcome {
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
			}).given(setup{idp: singleUse}).
			succeedsIn(func(m Mode) bool { return m.Protection == WithCallback || unboundCode(m) }, "A code that is being exchanged is not exchanged a second time, whoever asks. The attacker gets nothing; "+
				"the victim logs in again. Who reads the IdP's responses can stop them, too."),
	}
}
