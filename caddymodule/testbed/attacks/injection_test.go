package attacks

import "net/url"

// injections is the attacker who wants the victim to work, and type, in the
// attacker's account (RFC 9700 section 4.7, login CSRF). The victim's client
// relies on what OAuth gives it and does not compare nonces.
func injections() []Attack {
	const seen = "An attacker who has read the victim's whole authorization request can repeat it in his own name: challenge, nonce and state are the same. " +
		"Nobody can tell them apart; authorization requests are not to be logged."
	return []Attack{
		{
			Name: "sends the victim the response of a login of his own; the client relies on PKCE", Means: "a lured victim", Goal: "the victim's session has the attacker's account",
			succeeds: noCallbackIgnored,
			why:      "The IdP ignores the challenge, so the client's verifier does not matter. Clients must compare `state` there. `callback` makes PKCE enough.",
			run: func(e *env) Outcome {
				theirs := pkceOnly()
				e.begin(theirs)
				return e.injects(pkceOnly(), theirs)
			},
		},
		{
			Name: "the same in place of the victim's own response, with the state that the client sent", Means: "a lured victim, and the client's state", Goal: "the victim's session has the attacker's account",
			succeeds: noCallbackIgnored,
			why:      "The IdP ignores the challenge. `callback` makes PKCE enough.",
			run: func(e *env) Outcome {
				theirs, own := withoutNonce(), withoutNonce()
				own.state = theirs.state
				e.begin(theirs)
				return e.injects(own, theirs)
			},
		},
		{
			Name: "has the victim load the callback with the IdP's code of his own login and the state of the victim's", Means: "a lured victim, and the state that the IdP got", Goal: "the victim's session has the attacker's account",
			succeeds: noCallbackIgnored,
			why:      "The IdP ignores the challenge. The client would have to compare the nonce.",
			run:      swapCode(newLogin, anew(newLogin)),
		},
		{
			Name: "the same; his own login asks for no ID token", Means: "a lured victim, and the state that the IdP got", Goal: "the victim's session has the attacker's account",
			succeeds: noCallbackIgnored,
			why:      "The IdP ignores the challenge. The client would have to insist on an ID token.",
			run:      swapCode(newLogin, anew(withoutIDToken)),
		},
		{
			Name: "the same; neither login asks for one", Means: "a lured victim, and the state that the IdP got", Goal: "the victim's session has the attacker's account",
			succeeds: ignoresPKCE,
			why:      "Plain OAuth: no PKCE at the IdP and no ID token that a nonce could be in. Only an IdP that verifies PKCE stops it.",
			run:      swapCode(withoutIDToken, anew(withoutIDToken)),
		},
		{
			Name: "the same; the gateway has `discover`, and the IdP is an OpenID Provider", Means: "a lured victim, and the state that the IdP got", Goal: "the victim's session has the attacker's account",
			setup: discovers, only: withCallback,
			run: plainly(swapCode(withoutIDToken, anew(withoutIDToken))),
		},
		{
			Name: "the same; the victim's login has no nonce", Means: "a lured victim, and the state that the IdP got", Goal: "the victim's session has the attacker's account",
			succeeds: ignoresPKCE,
			why:      "No PKCE at the IdP and no nonce: the code of one login fits another. `parameters nonce` makes the gateway refuse such logins.",
			run:      swapCode(withoutNonce, anew(withoutNonce)),
		},
		{
			Name: "the same; he has read the victim's nonce", Means: "a lured victim, and what the IdP got: state and nonce", Goal: "the victim's session has the attacker's account",
			succeeds: ignoresPKCE,
			why:      "With the nonce the attacker's login at the IdP is the same as the victim's, but for the challenge, and the IdP ignores that.",
			run:      swapCode(newLogin, withNonceOf),
		},
		{
			Name: "repeats the victim's authorization request in his own name and sends the victim its response", Means: "a lured victim, and the victim's whole authorization request", Goal: "the victim's session has the attacker's account",
			succeeds: always, why: seen,
			run: func(e *env) Outcome {
				theirs := newLogin()
				return e.injects(theirs, theirs)
			},
		},
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
