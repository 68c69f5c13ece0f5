package attacks

import "net/url"

// clientThief is the attacker who reads the response that the victim's client
// gets: in a log, a Referer, a browser's history, an app that has registered the
// same scheme. He has the code, not the verifier.
func clientThief() []Attack {
	// stealing lets the attacker use the code of a victim's login.
	stealing := func(use func(*env, *login, string) *tokens) func(*env) Outcome {
		return func(e *env) Outcome {
			theirs := withoutNonce()
			return e.theft(use(e, theirs, e.logIn(victim, theirs).Get("code")))
		}
	}
	const notBound = "Nothing binds the code to its login: the IdP ignores the challenge that it was sent. `callback` binds it."
	return []Attack{
		attack("exchanges it with the verifier of a login of his own",
			"the code", "a token of the victim", stealing(func(e *env, _ *login, code string) *tokens {
				own := withoutNonce()
				e.begin(own)
				return e.exchange(e.exchangeForm(own, code))
			})).succeedsIn(unboundCode, notBound),
		attack("the same; the gateway has the client's secret (`idp_client`), and no callback",
			"the code", "a token of the victim", stealing(func(e *env, _ *login, code string) *tokens { return e.exchange(e.exchangeForm(withoutNonce(), code)) })).
			given(setup{secretWithoutCallback: true}).in(func(m Mode) bool { return noCallback(m) && m.Confidential }).
			succeedsIn(ignoresPKCE, notBound),
		attack("exchanges it without a verifier",
			"the code", "a token of the victim", stealing(func(e *env, theirs *login, code string) *tokens {
				form := e.exchangeForm(theirs, code)
				form.Del("code_verifier")
				return e.exchange(form)
			})),
		attack("exchanges it with the challenge as the verifier",
			"the code and the whole authorization request", "a token of the victim", stealing(func(e *env, theirs *login, code string) *tokens {
				form := e.exchangeForm(theirs, code)
				form.Set("code_verifier", theirs.challenge())
				return e.exchange(form)
			})).succeedsIn(unboundCode, notBound),
		attack("exchanges it at the IdP itself",
			"the code", "a token of the victim", stealing(func(e *env, _ *login, code string) *tokens {
				form := e.exchangeForm(withoutNonce(), code)
				form.Set("redirect_uri", e.redirectAtIdP(appRedirect))
				t := e.exchangeAtIdP(form)
				if t.Description == "unknown code" {
					t.stoppedBy = e.inFront() // it sealed the code
				}
				return t
			})).
			succeedsIn(unboundCode, "The IdP takes the code of a public client from anybody. `callback` gives clients a code that only the gateway can use."),
		attack("exchanges it as a client of his own",
			"the code", "a token of the victim", stealing(func(e *env, _ *login, code string) *tokens {
				own := withoutNonce().at(ownID, ownRedirect)
				e.begin(own)
				return e.exchange(e.withSecret(e.exchangeForm(own, code)))
			})).given(setup{idp: takesCodesOfOtherClients}).
			succeedsIn(noCallbackIgnored, "The IdP binds the code neither to a challenge nor to a client. `callback` binds it to both."),
		attack("puts it into his own session at the client",
			"the code", "a session with the victim's account", stealing(func(e *env, _ *login, code string) *tokens {
				own := withoutNonce() // the client's session in the attacker's browser
				e.begin(own)
				return e.finish(own, url.Values{"code": {code}, "state": {own.state}})
			})).succeedsIn(noCallbackIgnored, notBound),
		attack("tries it with a wrong verifier, so that the victim's login fails",
			"the code", "the victim can't log in", func(e *env) Outcome {
				theirs := withoutNonce()
				params := e.logIn(victim, theirs)
				return e.denial(theirs, params, e.exchange(e.exchangeForm(withoutNonce(), params.Get("code"))))
			}).given(setup{idp: singleUse}).succeedsIn(unboundCode, "The first exchange ends the code, and here anybody can make it."),
		attack("has the victim finish a login that he began, at another redirect URI of the client, and takes the code into his own session",
			"a lured victim, and the code at a less guarded redirect URI of the same client", "a session with the victim's account", func(e *env) Outcome {
				own := newLogin() // the client's session in the attacker's browser
				lure := own.request()
				lure.Set("redirect_uri", appRedirect2)
				code := e.lured(victim, at(e.base, authorizePath, lure), appRedirect2).Get("code")
				return e.theft(e.finish(own, url.Values{"code": {code}, "state": {own.state}}))
			}).succeedsIn(noCallback, "The IdP does not compare redirect_uri. `callback` does."),
		attack("has the victim finish a login that he began, and exchanges the code",
			"a lured victim, and the code", "a token of the victim", func(e *env) Outcome {
				own := newLogin()
				code := e.lured(victim, e.authorizeURL(own), own.redirectURI).Get("code")
				return e.theft(e.exchange(e.exchangeForm(own, code)))
			}).
			succeedsIn(callbackOrPublic, "Nobody can stop it at the protocol's level: who begins a login and reads its response has what an honest client has. "+
				"Clients that keep their redirect URI to themselves do, and confidential ones that exchange codes for their own sessions only."),
	}
}

// denial judges whether the victim's client can still finish its login.
func (e *env) denial(theirs *login, params url.Values, attempt *tokens) Outcome {
	t := e.finish(theirs, params)
	if e.owner(t).User == victim {
		return e.refused(attempt)
	}
	return succeeded("the victim's exchange fails: %s %s", t.Error, t.Description)
}
