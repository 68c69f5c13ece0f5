package attacks

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

// Changes of the IdP that several attacks want.
func singleUse(b *testidp.Behavior)                { b.SingleUse = true }
func takesCodesOfOtherClients(b *testidp.Behavior) { b.ChecksClient = false }
func anyRedirectURI(b *testidp.Behavior)           { b.AnyRedirectURI = true }

// discovers is a gateway that knows from the metadata that the IdP is an OpenID Provider.
var discovers = setup{options: "discover"}

// plainly makes sure that a login without an ID token passes before it goes on: with a
// token, and without the ID token that the gateway itself asks for.
func plainly(run func(context.Context, *stage) (Outcome, error)) func(context.Context, *stage) (Outcome, error) {
	return func(ctx context.Context, s *stage) (Outcome, error) {
		l := withoutIDToken()
		v, err := s.logIn(ctx, victim, l)
		if err != nil {
			return Outcome{}, err
		}
		t, err := s.finish(ctx, l, v.last().params)
		if err != nil {
			return Outcome{}, err
		}
		if s.owner(t).User != victim || t.IDToken != "" {
			return Outcome{}, fmt.Errorf("an honest login gives %d %s, ID token %q", t.status, t.Description, t.IDToken)
		}
		return run(ctx, s)
	}
}

// rawThief is the attacker who reads the response that the IdP sends through the
// victim's browser, before it arrives: in a proxy's log, a browser extension.
// With a callback that is the IdP's own code, without one the client's.
func rawThief() []Attack {
	// stealing lets the attacker use the IdP's code of a victim's login.
	stealing := func(theirs func() *login, use func(ctx context.Context, s *stage, theirs *login, code string) (*tokens, error)) func(context.Context, *stage) (Outcome, error) {
		return func(ctx context.Context, s *stage) (Outcome, error) {
			l := theirs()
			h, err := s.logInUntilCode(ctx, victim, l)
			if err != nil {
				return Outcome{}, err
			}
			t, err := use(ctx, s, l, h.params.Get("code"))
			if err != nil {
				return Outcome{}, err
			}
			return s.theft(t), nil
		}
	}
	// delivering brings it to the callback of a login of his own and exchanges what comes out.
	delivering := func(own func(theirs *login) *login) func(context.Context, *stage, *login, string) (*tokens, error) {
		return func(ctx context.Context, s *stage, theirs *login, code string) (*tokens, error) {
			l := own(theirs)
			sealed, err := s.deliver(ctx, code, l)
			if err != nil {
				return nil, err
			}
			if sealed == "" {
				return &tokens{stoppedBy: Gateway, Error: "the callback refused"}, nil
			}
			return s.exchange(ctx, s.exchangeForm(l, sealed))
		}
	}
	// Without a callback the code that the IdP sends is the client's, and its
	// exchange through the gateway needs the client's secret.
	exchangeable := func(m Mode) bool { return ignoresPKCE(m) && (m.Protection == WithCallback || publicOnly(m)) }
	const unboundRaw = "Nothing tells the IdP's code of one login from that of another: no PKCE at the IdP, and no nonce in an ID token."
	return []Attack{
		{
			Name: "exchanges it at the IdP itself", Means: "the IdP's code", Goal: "a token of the victim",
			succeeds: func(m Mode) bool { return publicOnly(m) && ignoresPKCE(m) },
			why:      "Only the IdP can stop it. Register the client as confidential there: then only who has the secret can use the code.",
			run: stealing(newLogin, func(ctx context.Context, s *stage, _ *login, code string) (*tokens, error) {
				form := s.exchangeForm(newLogin(), code)
				form.Set("redirect_uri", s.redirectAtIdP(appRedirect))
				return s.exchangeAtIdP(ctx, form)
			}),
		},
		{
			Name: "exchanges it at the IdP itself as a client of his own", Means: "the IdP's code, and a client that is registered at the IdP", Goal: "a token of the victim",
			setup:    setup{idp: takesCodesOfOtherClients},
			succeeds: ignoresPKCE,
			why:      "Only the IdP can stop it: one that binds a code neither to a challenge nor to a client gives its token to any client.",
			run: stealing(newLogin, func(ctx context.Context, s *stage, _ *login, code string) (*tokens, error) {
				form := s.exchangeForm(newLogin(), code)
				form.Set("client_id", directID)
				form.Set("redirect_uri", s.redirectAtIdP(appRedirect))
				return s.exchangeAtIdP(ctx, form)
			}),
		},
		{
			Name: "exchanges it with the verifier of a login of his own, without passing the callback", Means: "the IdP's code", Goal: "a token of the victim",
			succeeds: unboundCode, why: unboundRaw,
			run: stealing(newLogin, func(ctx context.Context, s *stage, _ *login, code string) (*tokens, error) {
				own := newLogin()
				if _, err := s.begin(ctx, own); err != nil {
					return nil, err
				}
				return s.exchange(ctx, s.exchangeForm(own, code))
			}),
		},
		{
			Name: "delivers it to the callback with the state of a login of his own, which has another nonce", Means: "the IdP's code", Goal: "a token of the victim",
			succeeds: unboundCode, why: unboundRaw,
			run: stealing(newLogin, delivering(func(*login) *login { return newLogin() })),
		},
		{
			Name: "delivers it to the callback with the state of a login of his own, which has no nonce", Means: "the IdP's code", Goal: "a token of the victim",
			succeeds: unboundCode, why: unboundRaw,
			run: stealing(newLogin, delivering(func(*login) *login { return withoutNonce() })),
		},
		{
			Name: "the same, with a login that asks for no ID token", Means: "the IdP's code", Goal: "a token of the victim",
			succeeds: unboundCode, why: unboundRaw,
			run: stealing(newLogin, delivering(func(*login) *login { return withoutIDToken() })),
		},
		{
			Name: "delivers it with a state of his own, as another client that is registered at the gateway", Means: "the IdP's code", Goal: "a token of the victim",
			setup:    setup{idp: takesCodesOfOtherClients},
			succeeds: func(m Mode) bool { return noCallback(m) && ignoresPKCE(m) }, why: unboundRaw,
			run: stealing(newLogin, func(ctx context.Context, s *stage, _ *login, code string) (*tokens, error) {
				own := newLogin()
				own.clientID, own.redirectURI = ownID, ownRedirect
				sealed, err := s.deliver(ctx, code, own)
				if err != nil {
					return nil, err
				}
				return s.exchange(ctx, s.withSecret(s.exchangeForm(own, sealed)))
			}),
		},
		{
			Name: "delivers it with a state of his own; the victim's login had no nonce", Means: "the IdP's code", Goal: "a token of the victim",
			succeeds: exchangeable,
			why:      "No PKCE at the IdP and no nonce: nothing is left that differs. `nonce require` makes the gateway refuse such logins.",
			run:      stealing(withoutNonce, delivering(func(*login) *login { return withoutNonce() })),
		},
		{
			Name: "the same with `nonce require`", Means: "the IdP's code", Goal: "a token of the victim",
			setup: setup{sealed: "nonce require"}, only: withCallback,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				if _, err := s.logIn(ctx, victim, newLogin()); err != nil {
					return Outcome{}, err // a login with a nonce passes
				}
				if _, err := s.logInUntilCode(ctx, victim, withoutNonce()); err != nil {
					return stopped(Gateway, "%v", err), nil
				}
				return succeeded("a login without a nonce passes"), nil
			},
		},
		{
			Name: "delivers it with a state of his own; there is no ID token", Means: "the IdP's code", Goal: "a token of the victim",
			succeeds: exchangeable,
			why:      "Plain OAuth: no PKCE at the IdP and no ID token that a nonce could be in. Only an IdP that verifies PKCE stops it.",
			run:      stealing(withoutIDToken, delivering(func(*login) *login { return withoutIDToken() })),
		},
		{
			Name: "the same; the gateway has `discover`, and the IdP is an OpenID Provider", Means: "the IdP's code", Goal: "a token of the victim",
			setup: discovers, only: withCallback,
			run: plainly(stealing(withoutIDToken, delivering(func(*login) *login { return withoutIDToken() }))),
		},
		{
			Name: "delivers it with a state of his own, which has the victim's nonce", Means: "the IdP's code, and the nonce in the victim's authorization request", Goal: "a token of the victim",
			succeeds: exchangeable,
			why:      "An attacker who also knows the nonce can start a login that only PKCE distinguishes. Only an IdP that verifies it stops him.",
			run: stealing(newLogin, delivering(func(theirs *login) *login {
				own := newLogin()
				own.nonce = theirs.nonce
				return own
			})),
		},
		{
			Name: "the same; the nonce is the gateway's own (`discover`)", Means: "the IdP's code, and the nonce in the victim's authorization request", Goal: "a token of the victim",
			setup: discovers, only: withCallback,
			run: plainly(func(ctx context.Context, s *stage) (Outcome, error) {
				b, err := s.browser(ctx, victim)
				if err != nil {
					return Outcome{}, err
				}
				v, err := b.visitUntil(ctx, s.authorizeURL(withoutIDToken()), func(h hop) bool { return h.params.Get("code") != "" })
				if err != nil {
					return Outcome{}, err
				}
				h, err := v.withCode()
				if err != nil {
					return Outcome{}, err
				}
				own := newLogin()
				if own.nonce = v.hops[1].params.Get("nonce"); own.nonce == "" {
					return Outcome{}, errors.New("the IdP was asked without a nonce")
				}
				begun, err := s.begin(ctx, own)
				if err != nil {
					return Outcome{}, err
				}
				if begun.params.Has("error") {
					return stopped(Gateway, "%s", begun.params.Get("error_description")), nil
				}
				sealed, err := s.deliverWithState(ctx, h.params.Get("code"), begun.params.Get("state"))
				if err != nil {
					return Outcome{}, err
				}
				t, err := s.exchange(ctx, s.exchangeForm(own, sealed))
				if err != nil {
					return Outcome{}, err
				}
				return s.theft(t), nil
			}),
		},
		{
			Name: "delivers it with a state of his own without a nonce; the gateway has `nonce any`", Means: "the IdP's code", Goal: "a token of the victim",
			setup:    setup{sealed: "nonce any", idp: func(b *testidp.Behavior) { b.Nonce = testidp.InventsNonce }},
			succeeds: exchangeable,
			why:      "The option is for IdPs that invent nonces, and gives this protection up for logins without one. Prefer `nonce require` where all clients send one.",
			run:      stealing(newLogin, delivering(func(*login) *login { return withoutNonce() })),
		},
		{
			Name: "delivers it with the state of the victim's own login", Means: "the IdP's whole response", Goal: "a token of the victim",
			succeeds: unboundCode, why: unboundRaw,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				theirs := newLogin()
				h, err := s.logInUntilCode(ctx, victim, theirs)
				if err != nil {
					return Outcome{}, err
				}
				code := h.params.Get("code")
				if s.mode.Protection == WithCallback {
					if code, err = s.deliverWithState(ctx, code, h.params.Get("state")); err != nil {
						return Outcome{}, err
					}
				}
				t, err := s.exchange(ctx, s.exchangeForm(newLogin(), code))
				if err != nil {
					return Outcome{}, err
				}
				return s.theft(t), nil
			},
		},
		{
			Name: "puts it into his own session at the client", Means: "the IdP's code", Goal: "a session with the victim's account",
			succeeds: func(m Mode) bool { return noCallback(m) && ignoresPKCE(m) }, why: unboundRaw,
			run: stealing(newLogin, func(ctx context.Context, s *stage, _ *login, code string) (*tokens, error) {
				own := newLogin()
				own.checksNonce = false // that would be the client's merit
				sealed, err := s.deliver(ctx, code, own)
				if err != nil {
					return nil, err
				}
				return s.finish(ctx, own, url.Values{"code": {sealed}, "state": {own.state}})
			}),
		},
		{
			Name: "tries it in a login of his own, so that the victim's login fails", Means: "the IdP's code", Goal: "the victim can't log in",
			setup:    setup{idp: singleUse},
			succeeds: exchangeable,
			why:      "An IdP that ignores PKCE ends the code with the first exchange. The attacker gets nothing, but neither does the victim.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				theirs := newLogin()
				b, err := s.browser(ctx, victim)
				if err != nil {
					return Outcome{}, err
				}
				v, err := b.visitUntil(ctx, s.authorizeURL(theirs), func(h hop) bool { return h.params.Get("code") != "" })
				if err != nil {
					return Outcome{}, err
				}
				h, err := v.withCode()
				if err != nil {
					return Outcome{}, err
				}
				attempt, err := delivering(func(*login) *login { return newLogin() })(ctx, s, theirs, h.params.Get("code"))
				if err != nil {
					return Outcome{}, err
				}
				// The victim's browser goes on.
				params := h.params
				if s.mode.Protection == WithCallback {
					if v, err = b.visit(ctx, at(h.String(), "", h.params)); err != nil {
						return Outcome{}, err
					}
					params = v.last().params
				}
				return s.denial(ctx, theirs, params, attempt)
			},
		},
		{
			Name: "tries it in logins of his own without a pause, so that the victim's exchange always meets one of his", Means: "the IdP's code", Goal: "the victim can't log in",
			setup:    setup{idp: singleUse},
			succeeds: func(m Mode) bool { return m.Protection == WithCallback || unboundCode(m) },
			why: "A code that is being exchanged is not exchanged a second time, whoever asks. The attacker gets nothing; " +
				"the victim logs in again. Who reads the IdP's responses can stop them, too.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				theirs := newLogin()
				h, err := s.logInUntilCode(ctx, victim, theirs)
				if err != nil {
					return Outcome{}, err
				}
				code := h.params.Get("code")
				try := delivering(func(*login) *login { return newLogin() })
				if s.mode.Protection != WithCallback { // nothing is claimed: the IdP answers the first one first
					attempt, err := try(ctx, s, theirs, code)
					if err != nil {
						return Outcome{}, err
					}
					return s.denial(ctx, theirs, h.params, attempt)
				}
				release := sync.OnceFunc(s.holdTokens())
				defer release()
				var attempt *tokens
				var failure error
				done := make(chan struct{})
				go func() {
					defer close(done)
					attempt, failure = try(ctx, s, theirs, code)
				}()
				if err := s.untilHeld(ctx); err != nil {
					return Outcome{}, err
				}
				if code, err = s.deliverWithState(ctx, code, h.params.Get("state")); err != nil {
					return Outcome{}, err
				}
				params := url.Values{"code": {code}, "state": {theirs.state}}
				t, err := s.finish(ctx, theirs, params)
				release()
				<-done
				switch {
				case err != nil:
					return Outcome{}, err
				case failure != nil:
					return Outcome{}, failure
				case s.owner(t).User == victim:
					return s.refused(attempt), nil
				}
				return succeeded("the victim's exchange fails: %s %s", t.Error, t.Description), nil
			},
		},
	}
}
