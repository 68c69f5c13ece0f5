package attacks

import (
	"crypto/rand"
	"net/url"
)

// requestAtIdP is an authorization request that nobody but the IdP has seen:
// without PKCE, as the attacker likes it.
func requestAtIdP(clientID, redirectURI, scope, nonce string) url.Values {
	q := url.Values{
		"response_type": {"code"}, "client_id": {clientID}, "redirect_uri": {redirectURI}, "scope": {scope}, "response_mode": {"query"},
	}
	if nonce != "" {
		q.Set("nonce", nonce)
	}
	return q
}

// loggedInAtIdP has the victim log in without the gateway, and returns the IdP's code.
func (e *env) loggedInAtIdP(clientID, redirectURI, scope, nonce string) string {
	h := e.visitUntilCode(victim, at(e.idp.URL(), authorizePath, requestAtIdP(clientID, redirectURI, scope, nonce)))
	return h.params.Get("code")
}

// elsewhere is the attacker who has the victim log in at the IdP without the
// gateway, and wants to bring the code into it.
func elsewhere() []Attack {
	// otherClient has the victim log in at a client of the attacker's, as people
	// do, and uses the code for the victim's client.
	otherClient := func(theirScope string, own *login) func(*env) Outcome {
		return func(e *env) Outcome {
			return e.redeemAsOwn(e.loggedInAtIdP(directID, ownRedirect, theirScope, own.nonce), own)
		}
	}
	const otherClientWhy = "The IdP gives a client the tokens of another client's logins."
	return []Attack{
		attack("has the victim log in at the IdP without PKCE and exchanges the code with the verifier of a login of his own",
			"a lured victim, and the IdP's code", "a token of the victim", func(e *env) Outcome {
				own := newLogin()
				return e.redeemAsOwn(e.loggedInAtIdP(appID, e.redirectAtIdP(appRedirect), "openid", own.nonce), own)
			}).
			succeedsIn(callbackOrPublic, "Nobody can stop it at the protocol's level: the attacker chose the nonce, there is no challenge, and he reads the response. "+
				"An IdP that requires PKCE of every login does (RFC 9700 section 2.1.1)."),
		attack("has the victim log in at the IdP without the gateway's state; the client relies on PKCE",
			"a lured victim", "a code that the client did not ask for arrives there", func(e *env) Outcome {
				v := e.visit(victim, at(e.idp.URL(), authorizePath, requestAtIdP(appID, e.redirectAtIdP(appRedirect), "openid", "")))
				if v.last().String() == appRedirect {
					return succeeded("the client was sent a code")
				}
				return stopped(Gateway, "%v", v.describe(""))
			}).succeedsIn(noCallback, "The IdP sends its response to the client, not to the gateway. Clients must compare `state`."),
		attack("the same with the state of a login of his own, and exchanges the code that the client is sent",
			"a lured victim, and the code", "a token of the victim", func(e *env) Outcome {
				own := newLogin()
				link := requestAtIdP(appID, e.redirectAtIdP(appRedirect), "openid", own.nonce)
				link.Set("state", e.begin(own).params.Get("state"))
				code := e.lured(victim, at(e.idp.URL(), authorizePath, link), appRedirect).Get("code")
				return e.theft(e.exchange(e.exchangeForm(own, code)))
			}).succeedsIn(callbackOrPublic, "As with any lured victim whose code is read at the client: nobody can stop it at the protocol's level."),
		attack("exchanges a code that the IdP gave to a client of his own, at which the victim logged in",
			"a client at the IdP, and a victim who uses it", "a token of the victim for the victim's client", otherClient("openid", withoutNonce())).
			given(setup{idp: takesCodesOfOtherClients}).
			succeedsIn(noCallbackPublic, otherClientWhy+" `callback` compares the ID token's audience and nonce."),
		attack("the same; at his client he asked for the nonce of his login at the gateway",
			"a client at the IdP, and a victim who uses it", "a token of the victim for the victim's client", otherClient("openid", newLogin())).
			given(setup{idp: takesCodesOfOtherClients}).
			succeedsIn(noCallbackPublic, otherClientWhy+" `callback` compares the ID token's audience and nonce."),
		attack("the same without an ID token",
			"a client at the IdP, and a victim who uses it", "a token of the victim for the victim's client", otherClient("profile", withoutIDToken())).
			given(setup{idp: takesCodesOfOtherClients}).
			succeedsIn(callbackOrPublic, otherClientWhy+" Only the IdP can stop that (RFC 6749 section 4.1.3 requires it)."),
		attack("the same; the gateway has `discover`, and the IdP is an OpenID Provider",
			"a client at the IdP, and a victim who uses it", "a token of the victim for the victim's client", plainly(otherClient("profile", withoutIDToken()))).
			given(setup{options: discovers.options, idp: takesCodesOfOtherClients}).in(withCallback),
		attack("puts such a code into his own session at the victim's client",
			"a client at the IdP, and a victim who uses it", "a session with the victim's account", func(e *env) Outcome {
				own := newLogin()
				code := e.deliver(e.loggedInAtIdP(directID, ownRedirect, "openid", own.nonce), own)
				return e.theft(e.finish(own, url.Values{"code": {code}, "state": {own.state}}))
			}).given(setup{idp: takesCodesOfOtherClients}).
			succeedsIn(noCallback, otherClientWhy+" `callback` compares the ID token's audience and nonce."),
		attack("has the IdP send the victim's code to a page of his own and exchanges it",
			"a lured victim, and an IdP that follows any redirect URI", "a token of the victim", func(e *env) Outcome {
				own := newLogin()
				return e.redeemAsOwn(e.loggedInAtIdP(appID, evilRedirect, "openid", own.nonce), own)
			}).given(setup{idp: anyRedirectURI}).
			succeedsIn(callbackOrPublic, "Only the IdP can stop it: one that sends codes anywhere gives them away (RFC 9700 section 2.1). Register exact redirect URIs there."),
		attack("feeds the callback made-up codes with the state of a login of his own",
			"nothing", "a token of anybody", func(e *env) Outcome {
				e.loggedIn(newLogin())
				own := newLogin()
				t := e.exchange(e.exchangeForm(own, e.deliver("code-"+rand.Text(), own)))
				if t.AccessToken != "" {
					return succeeded("a token")
				}
				return e.refused(t)
			}).in(withCallback),
	}
}
