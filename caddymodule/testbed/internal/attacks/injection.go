package attacks

import (
	"context"
	"net/url"
)

// injections is the attacker who wants the victim to work, and type, in the
// attacker's account (RFC 9700 section 4.7, login CSRF). The victim's client
// relies on what OAuth gives it and does not compare nonces.
func injections() []Attack {
	const seen = "An attacker who has read the victim's whole authorization request can repeat it in his own name: challenge, nonce and state are the same. " +
		"Nobody can tell them apart; authorization requests are not to be logged."
	return []Attack{
		{
			Name: "sends the victim the response of a login of his own; the client relies on PKCE", Means: "a lured victim", Goal: "the victim's session has the attacker's account",
			succeeds: func(m Mode) bool { return noCallback(m) && ignoresPKCE(m) },
			why:      "The IdP ignores the challenge, so the client's verifier does not matter. Clients must compare `state` there. `callback` makes PKCE enough.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				theirs := pkceOnly()
				if _, err := s.begin(ctx, theirs); err != nil {
					return Outcome{}, err
				}
				return s.injects(ctx, pkceOnly(), theirs)
			},
		},
		{
			Name: "the same in place of the victim's own response, with the state that the client sent", Means: "a lured victim, and the client's state", Goal: "the victim's session has the attacker's account",
			succeeds: func(m Mode) bool { return noCallback(m) && ignoresPKCE(m) },
			why:      "The IdP ignores the challenge. `callback` makes PKCE enough.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				theirs, own := withoutNonce(), withoutNonce()
				own.state = theirs.state
				if _, err := s.begin(ctx, theirs); err != nil {
					return Outcome{}, err
				}
				return s.injects(ctx, own, theirs)
			},
		},
		{
			Name: "has the victim load the callback with the IdP's code of his own login and the state of the victim's", Means: "a lured victim, and the state that the IdP got", Goal: "the victim's session has the attacker's account",
			succeeds: func(m Mode) bool { return noCallback(m) && ignoresPKCE(m) },
			why:      "The IdP ignores the challenge. The client would have to compare the nonce.",
			run:      swapCode(newLogin, func(*login) *login { return newLogin() }),
		},
		{
			Name: "the same; his own login asks for no ID token", Means: "a lured victim, and the state that the IdP got", Goal: "the victim's session has the attacker's account",
			succeeds: func(m Mode) bool { return noCallback(m) && ignoresPKCE(m) },
			why:      "The IdP ignores the challenge. The client would have to insist on an ID token.",
			run:      swapCode(newLogin, func(*login) *login { return withoutIDToken() }),
		},
		{
			Name: "the same; neither login asks for one", Means: "a lured victim, and the state that the IdP got", Goal: "the victim's session has the attacker's account",
			succeeds: ignoresPKCE,
			why:      "Plain OAuth: no PKCE at the IdP and no ID token that a nonce could be in. Only an IdP that verifies PKCE stops it.",
			run:      swapCode(withoutIDToken, func(*login) *login { return withoutIDToken() }),
		},
		{
			Name: "the same; the gateway has `discover`, and the IdP is an OpenID Provider", Means: "a lured victim, and the state that the IdP got", Goal: "the victim's session has the attacker's account",
			setup: discovers, only: withCallback,
			run: plainly(swapCode(withoutIDToken, func(*login) *login { return withoutIDToken() })),
		},
		{
			Name: "the same; the victim's login has no nonce", Means: "a lured victim, and the state that the IdP got", Goal: "the victim's session has the attacker's account",
			succeeds: ignoresPKCE,
			why:      "No PKCE at the IdP and no nonce: the code of one login fits another. `nonce require` makes the gateway refuse such logins.",
			run:      swapCode(withoutNonce, func(*login) *login { return withoutNonce() }),
		},
		{
			Name: "the same; he has read the victim's nonce", Means: "a lured victim, and what the IdP got: state and nonce", Goal: "the victim's session has the attacker's account",
			succeeds: ignoresPKCE,
			why:      "With the nonce the attacker's login at the IdP is the same as the victim's, but for the challenge, and the IdP ignores that.",
			run: swapCode(newLogin, func(theirs *login) *login {
				own := newLogin()
				own.nonce = theirs.nonce
				return own
			}),
		},
		{
			Name: "repeats the victim's authorization request in his own name and sends the victim its response", Means: "a lured victim, and the victim's whole authorization request", Goal: "the victim's session has the attacker's account",
			succeeds: always, why: seen,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				theirs := newLogin()
				return s.injects(ctx, theirs, theirs)
			},
		},
	}
}

// injects has the attacker log in, and the victim's client finish its login with the
// response to his.
func (s *stage) injects(ctx context.Context, own, theirs *login) (Outcome, error) {
	v, err := s.logIn(ctx, attacker, own)
	if err != nil {
		return Outcome{}, err
	}
	t, err := s.finish(ctx, theirs, v.last().params)
	if err != nil {
		return Outcome{}, err
	}
	return s.mixUp(t), nil
}

// swapCode begins a login of the victim's, lets the attacker log in beside it, and
// has the victim's browser carry the attacker's code of the IdP with the state
// of the victim's login.
func swapCode(theirLogin func() *login, ownLogin func(theirs *login) *login) func(context.Context, *stage) (Outcome, error) {
	return func(ctx context.Context, s *stage) (Outcome, error) {
		theirs := theirLogin()
		theirs.checksNonce = false
		begun, err := s.begin(ctx, theirs)
		if err != nil {
			return Outcome{}, err
		}
		h, err := s.logInUntilCode(ctx, attacker, ownLogin(theirs))
		if err != nil {
			return Outcome{}, err
		}
		params := url.Values{"code": {h.params.Get("code")}, "state": {begun.params.Get("state")}}
		if s.mode.Protection == WithCallback {
			next, err := s.loadCallback(ctx, params)
			if err != nil {
				return Outcome{}, err
			}
			if next == nil {
				return stopped(Gateway, "the callback refused"), nil
			}
			params = next.params
		}
		t, err := s.finish(ctx, theirs, params)
		if err != nil {
			return Outcome{}, err
		}
		return s.mixUp(t), nil
	}
}
