package attacks

import "net/url"

// injections is the attacker who wants the victim to work, and type, in the
// attacker's account (RFC 9700 section 4.7, login CSRF). The victim's client
// relies on what OAuth gives it and does not compare nonces.
func injections() []Attack {
	const seen = "An attacker who has read the victim's whole authorization request can repeat it in his own name: challenge, nonce and state are the same. " +
		"Nobody can tell them apart; authorization requests are not to be logged."
	return []Attack{
		attack("sends the victim the response of a login of his own; the client relies on PKCE",
			"a lured victim", "the victim's session has the attacker's account", func(e *env) Outcome {
				theirs := pkceOnly()
				e.begin(theirs)
				return e.injects(pkceOnly(), theirs)
			}).
			succeedsIn(noCallbackIgnored, "The IdP ignores the challenge, so the client's verifier does not matter. Clients must compare `state` there. `callback` makes PKCE enough."),
		attack("the same in place of the victim's own response, with the state that the client sent",
			"a lured victim, and the client's state", "the victim's session has the attacker's account", func(e *env) Outcome {
				theirs, own := withoutNonce(), withoutNonce()
				own.state = theirs.state
				e.begin(theirs)
				return e.injects(own, theirs)
			}).succeedsIn(noCallbackIgnored, "The IdP ignores the challenge. `callback` makes PKCE enough."),
		attack("has the victim load the callback with the IdP's code of his own login and the state of the victim's",
			"a lured victim, and the state that the IdP got", "the victim's session has the attacker's account", swapCode(newLogin, anew(newLogin))).
			succeedsIn(noCallbackIgnored, "The IdP ignores the challenge. The client would have to compare the nonce."),
		attack("the same; his own login asks for no ID token",
			"a lured victim, and the state that the IdP got", "the victim's session has the attacker's account", swapCode(newLogin, anew(withoutIDToken))).
			succeedsIn(noCallbackIgnored, "The IdP ignores the challenge. The client would have to insist on an ID token."),
		attack("the same; neither login asks for one",
			"a lured victim, and the state that the IdP got", "the victim's session has the attacker's account", swapCode(withoutIDToken, anew(withoutIDToken))).
			succeedsIn(ignoresPKCE, "Plain OAuth: no PKCE at the IdP and no ID token that a nonce could be in. Only an IdP that verifies PKCE stops it."),
		attack("the same; the gateway has `discover`, and the IdP is an OpenID Provider",
			"a lured victim, and the state that the IdP got", "the victim's session has the attacker's account", plainly(swapCode(withoutIDToken, anew(withoutIDToken)))).
			given(discovers).in(withCallback),
		attack("the same; the victim's login has no nonce",
			"a lured victim, and the state that the IdP got", "the victim's session has the attacker's account", swapCode(withoutNonce, anew(withoutNonce))).
			succeedsIn(ignoresPKCE, "No PKCE at the IdP and no nonce: the code of one login fits another. `parameters nonce` makes the gateway refuse such logins."),
		attack("the same; he has read the victim's nonce",
			"a lured victim, and what the IdP got: state and nonce", "the victim's session has the attacker's account", swapCode(newLogin, withNonceOf)).
			succeedsIn(ignoresPKCE, "With the nonce the attacker's login at the IdP is the same as the victim's, but for the challenge, and the IdP ignores that."),
		attack("repeats the victim's authorization request in his own name and sends the victim its response",
			"a lured victim, and the victim's whole authorization request", "the victim's session has the attacker's account", func(e *env) Outcome {
				theirs := newLogin()
				return e.injects(theirs, theirs)
			}).succeedsIn(always, seen),
	}
}

// injects has the attacker log in, and the victim's client finish its login with the
// response to his.
func (e *env) injects(own, theirs *login) Outcome {
	return e.mixUp(e.finish(theirs, e.logIn(attacker, own)))
}

// swapCode begins a login of the victim's, lets the attacker log in beside it, and
// has the victim's browser carry the attacker's code of the IdP with the state
// of the victim's login.
func swapCode(theirLogin func() *login, ownLogin func(theirs *login) *login) func(*env) Outcome {
	return func(e *env) Outcome {
		theirs := theirLogin()
		theirs.checksNonce = false
		begun := e.begin(theirs)
		h := e.logInUntilCode(attacker, ownLogin(theirs))
		params := url.Values{"code": {h.params.Get("code")}, "state": {begun.params.Get("state")}}
		if e.mode.Protection == WithCallback {
			next := e.loadCallback(params)
			if next == nil {
				return stopped(Gateway, "the callback refused")
			}
			params = next.params
		}
		return e.mixUp(e.finish(theirs, params))
	}
}
