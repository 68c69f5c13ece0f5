package attacks

import (
	"context"
	"crypto/rand"
	"net/url"
)

// requestAtIdP is an authorization request that nobody but the IdP has seen:
// without PKCE, as the attacker likes it.
func (s *stage) requestAtIdP(clientID, redirectURI, scope, nonce string) url.Values {
	q := url.Values{
		"response_type": {"code"}, "client_id": {clientID}, "redirect_uri": {redirectURI}, "scope": {scope}, "response_mode": {"query"},
	}
	if nonce != "" {
		q.Set("nonce", nonce)
	}
	return q
}

// elsewhere is the attacker who has the victim log in at the IdP without the
// gateway, and wants to bring the code into it.
func elsewhere() []Attack {
	// otherClient has the victim log in at a client of the attacker's, as people
	// do, and uses the code for the victim's client.
	otherClient := func(theirScope string, own *login) func(context.Context, *stage) (Outcome, error) {
		return func(ctx context.Context, s *stage) (Outcome, error) {
			h, err := s.visitUntilCode(ctx, victim, at(s.idp.URL(), authorizePath, s.requestAtIdP(directID, ownRedirect, theirScope, own.nonce)))
			if err != nil {
				return Outcome{}, err
			}
			code, err := s.deliver(ctx, h.params.Get("code"), own)
			if err != nil {
				return Outcome{}, err
			}
			if code == "" {
				return stopped(Gateway, "the callback refused"), nil
			}
			t, err := s.exchange(ctx, s.exchangeForm(own, code))
			if err != nil {
				return Outcome{}, err
			}
			return s.theft(t), nil
		}
	}
	const otherClientWhy = "The IdP gives a client the tokens of another client's logins."
	return []Attack{
		{
			Name: "has the victim log in at the IdP without PKCE and exchanges the code with the verifier of a login of his own", Means: "a lured victim, and the IdP's code", Goal: "a token of the victim",
			succeeds: func(m Mode) bool { return m.Protection == WithCallback || publicOnly(m) },
			why: "Nobody can stop it at the protocol's level: the attacker chose the nonce, there is no challenge, and he reads the response. " +
				"An IdP that requires PKCE of every login does (RFC 9700 section 2.1.1).",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				own := newLogin()
				h, err := s.visitUntilCode(ctx, victim, at(s.idp.URL(), authorizePath, s.requestAtIdP(appID, s.redirectAtIdP(appRedirect), "openid", own.nonce)))
				if err != nil {
					return Outcome{}, err
				}
				return s.redeemAsOwn(ctx, h.params.Get("code"), own)
			},
		},
		{
			Name: "has the victim log in at the IdP without the gateway's state; the client relies on PKCE", Means: "a lured victim", Goal: "a code that the client did not ask for arrives there",
			succeeds: noCallback,
			why:      "The IdP sends its response to the client, not to the gateway. Clients must compare `state`.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				b, err := s.browser(ctx, victim)
				if err != nil {
					return Outcome{}, err
				}
				v, err := b.visit(ctx, at(s.idp.URL(), authorizePath, s.requestAtIdP(appID, s.redirectAtIdP(appRedirect), "openid", "")))
				if err != nil {
					return Outcome{}, err
				}
				if v.last().String() == appRedirect {
					return succeeded("the client was sent a code"), nil
				}
				return stopped(Gateway, "%v", v.describe("")), nil
			},
		},
		{
			Name: "the same with the state of a login of his own, and exchanges the code that the client is sent", Means: "a lured victim, and the code", Goal: "a token of the victim",
			succeeds: func(m Mode) bool { return m.Protection == WithCallback || publicOnly(m) },
			why:      "As with any lured victim whose code is read at the client: nobody can stop it at the protocol's level.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				own := newLogin()
				begun, err := s.begin(ctx, own)
				if err != nil {
					return Outcome{}, err
				}
				link := s.requestAtIdP(appID, s.redirectAtIdP(appRedirect), "openid", own.nonce)
				link.Set("state", begun.params.Get("state"))
				code, err := s.lured(ctx, at(s.idp.URL(), authorizePath, link), appRedirect)
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
		{
			Name: "exchanges a code that the IdP gave to a client of his own, at which the victim logged in", Means: "a client at the IdP, and a victim who uses it", Goal: "a token of the victim for the victim's client",
			setup:    setup{idp: takesCodesOfOtherClients},
			succeeds: noCallbackPublic, why: otherClientWhy + " `callback` compares the ID token's audience and nonce.",
			run: otherClient("openid", withoutNonce()),
		},
		{
			Name: "the same; at his client he asked for the nonce of his login at the gateway", Means: "a client at the IdP, and a victim who uses it", Goal: "a token of the victim for the victim's client",
			setup:    setup{idp: takesCodesOfOtherClients},
			succeeds: noCallbackPublic, why: otherClientWhy + " `callback` compares the ID token's audience and nonce.",
			run: otherClient("openid", newLogin()),
		},
		{
			Name: "the same without an ID token", Means: "a client at the IdP, and a victim who uses it", Goal: "a token of the victim for the victim's client",
			setup:    setup{idp: takesCodesOfOtherClients},
			succeeds: func(m Mode) bool { return m.Protection == WithCallback || publicOnly(m) },
			why:      otherClientWhy + " Only the IdP can stop that (RFC 6749 section 4.1.3 requires it).",
			run:      otherClient("profile", withoutIDToken()),
		},
		{
			Name: "the same; the gateway has `discover`, and the IdP is an OpenID Provider", Means: "a client at the IdP, and a victim who uses it", Goal: "a token of the victim for the victim's client",
			setup: setup{options: discovers.options, idp: takesCodesOfOtherClients}, only: withCallback,
			run: plainly(otherClient("profile", withoutIDToken())),
		},
		{
			Name: "puts such a code into his own session at the victim's client", Means: "a client at the IdP, and a victim who uses it", Goal: "a session with the victim's account",
			setup:    setup{idp: takesCodesOfOtherClients},
			succeeds: noCallback, why: otherClientWhy + " `callback` compares the ID token's audience and nonce.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				own := newLogin()
				h, err := s.visitUntilCode(ctx, victim, at(s.idp.URL(), authorizePath, s.requestAtIdP(directID, ownRedirect, "openid", own.nonce)))
				if err != nil {
					return Outcome{}, err
				}
				code, err := s.deliver(ctx, h.params.Get("code"), own)
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
			Name: "has the IdP send the victim's code to a page of his own and exchanges it", Means: "a lured victim, and an IdP that follows any redirect URI", Goal: "a token of the victim",
			setup:    setup{idp: anyRedirectURI},
			succeeds: func(m Mode) bool { return m.Protection == WithCallback || publicOnly(m) },
			why:      "Only the IdP can stop it: one that sends codes anywhere gives them away (RFC 9700 section 2.1). Register exact redirect URIs there.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				own := newLogin()
				h, err := s.visitUntilCode(ctx, victim, at(s.idp.URL(), authorizePath, s.requestAtIdP(appID, evilRedirect, "openid", own.nonce)))
				if err != nil {
					return Outcome{}, err
				}
				return s.redeemAsOwn(ctx, h.params.Get("code"), own)
			},
		},
		{
			Name: "feeds the callback made-up codes with the state of a login of his own", Means: "nothing", Goal: "a token of anybody",
			only: withCallback,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				if err := s.honestLogin(ctx); err != nil {
					return Outcome{}, err
				}
				own := newLogin()
				sealed, err := s.deliver(ctx, "code-"+rand.Text(), own)
				if err != nil {
					return Outcome{}, err
				}
				t, err := s.exchange(ctx, s.exchangeForm(own, sealed))
				if err != nil {
					return Outcome{}, err
				}
				if t.AccessToken != "" {
					return succeeded("a token"), nil
				}
				return s.refused(t), nil
			},
		},
	}
}
