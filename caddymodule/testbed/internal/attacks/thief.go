package attacks

import (
	"context"
	"net/url"
)

// clientThief is the attacker who reads the response that the victim's client
// gets: in a log, a Referer, a browser's history, an app that has registered the
// same scheme. He has the code, not the verifier.
func clientThief() []Attack {
	// stealing lets the attacker use the code of a victim's login.
	stealing := func(use func(context.Context, *stage, *login, string) (*tokens, error)) func(context.Context, *stage) (Outcome, error) {
		return func(ctx context.Context, s *stage) (Outcome, error) {
			theirs := withoutNonce()
			v, err := s.logIn(ctx, victim, theirs)
			if err != nil {
				return Outcome{}, err
			}
			t, err := use(ctx, s, theirs, v.last().params.Get("code"))
			if err != nil {
				return Outcome{}, err
			}
			return s.theft(t), nil
		}
	}
	const notBound = "Nothing binds the code to its login: the IdP ignores the challenge that it was sent. `callback` binds it."
	return []Attack{
		{
			Name: "exchanges it with the verifier of a login of his own", Means: "the code", Goal: "a token of the victim",
			succeeds: unboundCode, why: notBound,
			run: stealing(func(ctx context.Context, s *stage, _ *login, code string) (*tokens, error) {
				own := withoutNonce()
				if _, err := s.begin(ctx, own); err != nil {
					return nil, err
				}
				return s.exchange(ctx, s.exchangeForm(own, code))
			}),
		},
		{
			Name: "the same; the gateway has the client's secret (`idp_client`), and no callback", Means: "the code", Goal: "a token of the victim",
			setup:    setup{secretWithoutCallback: true},
			only:     func(m Mode) bool { return noCallback(m) && m.Confidential },
			succeeds: ignoresPKCE, why: notBound,
			run: stealing(func(ctx context.Context, s *stage, _ *login, code string) (*tokens, error) {
				return s.exchange(ctx, s.exchangeForm(withoutNonce(), code))
			}),
		},
		{
			Name: "exchanges it without a verifier", Means: "the code", Goal: "a token of the victim",
			run: stealing(func(ctx context.Context, s *stage, theirs *login, code string) (*tokens, error) {
				form := s.exchangeForm(theirs, code)
				form.Del("code_verifier")
				return s.exchange(ctx, form)
			}),
		},
		{
			Name: "exchanges it with the challenge as the verifier", Means: "the code and the whole authorization request", Goal: "a token of the victim",
			succeeds: unboundCode, why: notBound,
			run: stealing(func(ctx context.Context, s *stage, theirs *login, code string) (*tokens, error) {
				form := s.exchangeForm(theirs, code)
				form.Set("code_verifier", theirs.challenge())
				return s.exchange(ctx, form)
			}),
		},
		{
			Name: "exchanges it at the IdP itself", Means: "the code", Goal: "a token of the victim",
			succeeds: unboundCode,
			why:      "The IdP takes the code of a public client from anybody. `callback` gives clients a code that only the gateway can use.",
			run: stealing(func(ctx context.Context, s *stage, _ *login, code string) (*tokens, error) {
				own := withoutNonce()
				form := s.exchangeForm(own, code)
				form.Set("redirect_uri", s.redirectAtIdP(appRedirect))
				t, err := s.exchangeAtIdP(ctx, form)
				if err == nil && t.Description == "unknown code" {
					t.stoppedBy = s.inFront() // it sealed the code
				}
				return t, err
			}),
		},
		{
			Name: "exchanges it as a client of his own", Means: "the code", Goal: "a token of the victim",
			setup:    setup{idp: takesCodesOfOtherClients},
			succeeds: func(m Mode) bool { return noCallback(m) && ignoresPKCE(m) },
			why:      "The IdP binds the code neither to a challenge nor to a client. `callback` binds it to both.",
			run: stealing(func(ctx context.Context, s *stage, _ *login, code string) (*tokens, error) {
				own := withoutNonce()
				own.clientID, own.redirectURI = ownID, ownRedirect
				if _, err := s.begin(ctx, own); err != nil {
					return nil, err
				}
				return s.exchange(ctx, s.withSecret(s.exchangeForm(own, code)))
			}),
		},
		{
			Name: "puts it into his own session at the client", Means: "the code", Goal: "a session with the victim's account",
			succeeds: func(m Mode) bool { return noCallback(m) && ignoresPKCE(m) }, why: notBound,
			run: stealing(func(ctx context.Context, s *stage, _ *login, code string) (*tokens, error) {
				own := withoutNonce() // the client's session in the attacker's browser
				if _, err := s.begin(ctx, own); err != nil {
					return nil, err
				}
				return s.finish(ctx, own, url.Values{"code": {code}, "state": {own.state}})
			}),
		},
		{
			Name: "tries it with a wrong verifier, so that the victim's login fails", Means: "the code", Goal: "the victim can't log in",
			setup:    setup{idp: singleUse},
			succeeds: unboundCode,
			why:      "The first exchange ends the code, and here anybody can make it.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				theirs := withoutNonce()
				v, err := s.logIn(ctx, victim, theirs)
				if err != nil {
					return Outcome{}, err
				}
				own := withoutNonce()
				attempt, err := s.exchange(ctx, s.exchangeForm(own, v.last().params.Get("code")))
				if err != nil {
					return Outcome{}, err
				}
				return s.denial(ctx, theirs, v.last().params, attempt)
			},
		},
		{
			Name:  "has the victim finish a login that he began, at another redirect URI of the client, and takes the code into his own session",
			Means: "a lured victim, and the code at a less guarded redirect URI of the same client", Goal: "a session with the victim's account",
			succeeds: noCallback,
			why:      "The IdP does not compare redirect_uri. `callback` does.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				own := newLogin() // the client's session in the attacker's browser
				lure := own.request()
				lure.Set("redirect_uri", appRedirect2)
				code, err := s.lured(ctx, at(s.base, authorizePath, lure), appRedirect2)
				if err != nil {
					return Outcome{}, err
				}
				t, err := s.finish(ctx, own, url.Values{"code": {code}, "state": {own.state}})
				if err != nil {
					return Outcome{}, err
				}
				return s.theft(t), nil
			},
		},
		{
			Name: "has the victim finish a login that he began, and exchanges the code", Means: "a lured victim, and the code", Goal: "a token of the victim",
			succeeds: func(m Mode) bool { return m.Protection == WithCallback || publicOnly(m) },
			why: "Nobody can stop it at the protocol's level: who begins a login and reads its response has what an honest client has. " +
				"Clients that keep their redirect URI to themselves do, and confidential ones that exchange codes for their own sessions only.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				own := newLogin()
				code, err := s.lured(ctx, s.authorizeURL(own), own.redirectURI)
				if err != nil {
					return Outcome{}, err
				}
				t, err := s.exchange(ctx, s.exchangeForm(own, code))
				if err != nil {
					return Outcome{}, err
				}
				return s.theft(t), nil
			},
		},
	}
}

// lured has the victim open a link, and returns the code that comes to a redirect URI.
func (s *stage) lured(ctx context.Context, link, redirectURI string) (string, error) {
	b, err := s.browser(ctx, victim)
	if err != nil {
		return "", err
	}
	v, err := b.visit(ctx, link)
	if err != nil {
		return "", err
	}
	if code := v.last().params.Get("code"); v.last().String() == redirectURI && code != "" {
		return code, nil
	}
	return "", v.describe("the lure gave no code")
}

// denial judges whether the victim's client can still finish its login.
func (s *stage) denial(ctx context.Context, theirs *login, params url.Values, attempt *tokens) (Outcome, error) {
	t, err := s.finish(ctx, theirs, params)
	switch {
	case err != nil:
		return Outcome{}, err
	case s.owner(t).User == victim:
		return s.refused(attempt), nil
	}
	return succeeded("the victim's exchange fails: %s %s", t.Error, t.Description), nil
}
