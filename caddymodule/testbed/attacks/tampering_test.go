package attacks

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// tampering is the attacker who alters what passes through the victim's browser.
func tampering() []Attack {
	return []Attack{
		attack("strips the challenge from the client's request, and exchanges the code",
			"the victim's authorization request, and the code", "a token of the victim", alteredRequest(withoutChallenge, func(form url.Values, _ *login) { form.Del("code_verifier") })),
		attack("replaces S256 by plain in the client's request, and exchanges the code with the challenge",
			"the victim's authorization request, and the code", "a token of the victim", alteredRequest(func(q url.Values) { q.Set("code_challenge_method", "plain") },
				func(form url.Values, theirs *login) { form.Set("code_verifier", theirs.challenge()) })),
		attack("strips the challenge on the way to the IdP, and exchanges the code with a verifier of his own",
			"what the IdP gets, and the code", "a token of the victim", onTheWay(func(q url.Values, _ *login) { withoutChallenge(q) })).
			succeedsIn(noCallbackPublic, "An IdP that verifies the challenges it gets does not miss one that it did not get (RFC 9700 section 4.8.2). `callback` does not ask the IdP."),
		attack("replaces the challenge on the way to the IdP, and exchanges the code with his verifier",
			"what the IdP gets, and the code", "a token of the victim", onTheWay(func(q url.Values, own *login) { q.Set("code_challenge", own.challenge()) })).
			succeedsIn(noCallbackPublic, "The IdP binds the code to the challenge that it got. `callback` binds it to the client's."),
		attack("alters state in each of its characters",
			"the IdP's response", "a response for an altered login", alterState).
			succeedsIn(noCallback, "Without `callback` the state is the client's own, and only the client can tell."),
		attack("alters the code in each of its characters",
			"the code and its verifier", "a token for an altered code", alterCode).in(withCallback),
		attack("sends the state as a code, and the code as a state",
			"state, code and verifier", "that one opens as the other", func(e *env) Outcome {
				l := newLogin()
				v := e.visit(victim, e.authorizeURL(l))
				raw := fail.Must(v.withCode())
				t := e.exchange(e.exchangeForm(l, raw.params.Get("state")))
				if e.loadCallback(url.Values{"code": raw.params["code"], "state": v.last().params["code"]}) != nil || t.AccessToken != "" {
					return succeeded("one opens as the other")
				}
				return e.refused(t)
			}).in(withCallback),
		attack("brings a state, or a code, from another site that shares the keys",
			"a site with another IdP in the same Caddy storage", "a response for a login of another site", stateOfAnotherSite).in(withCallback),
		attack("exchanges a code at another site in front of the same IdP, which has another replay store or looser rules",
			"code and verifier, and a site with the same keys and client id", "a second token, or one by other rules", atAnotherSite).
			given(setup{idp: anyRedirectURI}).in(withCallback),
		attack("has the callback send people elsewhere with a state of his own making",
			"nothing", "an open redirect", func(e *env) Outcome {
				e.loggedIn(newLogin())
				for _, params := range []url.Values{
					{"code": {"c"}, "state": {evilRedirect}},
					{"error": {"access_denied"}, "state": {evilRedirect}},
					{"code": {"c"}, "state": {""}, "redirect_uri": {evilRedirect}},
					{"code": {"c"}},
					{"error": {"access_denied"}, "error_uri": {evilRedirect}, "redirect_uri": {evilRedirect}},
					{"code": {"c"}, "state": {strings.Repeat("A", 4096)}},
				} {
					if next := e.loadCallback(params); next != nil {
						return succeeded("sent to %s", next)
					}
				}
				return stopped(Gateway, "400")
			}).in(withCallback),
		attack("names another host in Host and X-Forwarded-Host, to have the code sent there",
			"a lured victim", "the victim's code", otherHost).given(setup{anyHost: true}).in(withCallback),
	}
}

func withoutChallenge(q url.Values) {
	q.Del("code_challenge")
	q.Del("code_challenge_method")
}

// alteredRequest alters the victim's authorization request, and exchanges the code with
// an altered form.
func alteredRequest(alter func(url.Values), exchange func(form url.Values, theirs *login)) func(*env) Outcome {
	return func(e *env) Outcome {
		theirs := newLogin()
		request := theirs.request()
		alter(request)
		v := e.visit(victim, at(e.base, authorizePath, request))
		code := v.last().params.Get("code")
		if code == "" {
			return stopped(e.inFront(), "%v", v.describe(""))
		}
		form := e.exchangeForm(theirs, code)
		exchange(form, theirs)
		return e.theft(e.exchange(form))
	}
}

// onTheWay alters the redirect from the gateway to the IdP and has the attacker
// exchange the code that the client is sent.
func onTheWay(alter func(q url.Values, own *login)) func(*env) Outcome {
	return func(e *env) Outcome {
		theirs, own := withoutNonce(), withoutNonce()
		begun := e.begin(theirs)
		alter(begun.params, own)
		code := e.lured(victim, begun.link(), theirs.redirectURI).Get("code")
		return e.theft(e.exchange(e.exchangeForm(own, code)))
	}
}

// alterations are a text with one character replaced, left out or added, and cut
// off, at every place.
func alterations(text string) (all []string) {
	for i := range len(text) {
		replacement := byte('A')
		if text[i] == 'A' {
			replacement = 'B'
		}
		all = append(all, text[:i]+string(replacement)+text[i+1:], text[:i]+string(text[i]^1)+text[i+1:], text[:i]+text[i+1:],
			text[:i]+"A"+text[i:], text[:i]+"\n"+text[i:], text[:i])
	}
	for _, suffix := range []string{"A", "=", "==", " ", "\x00", "." + text, text} {
		all = append(all, text+suffix)
	}
	return slices.DeleteFunc(all, func(altered string) bool { return altered == text })
}

func alterState(e *env) Outcome {
	raw := e.logInUntilCode(victim, newLogin())
	if e.mode.Protection != WithCallback {
		// The response is the client's at once: whatever the attacker writes there arrives.
		return succeeded("the client gets whatever the state says")
	}
	for _, altered := range alterations(raw.params.Get("state")) {
		if e.loadCallback(url.Values{"code": raw.params["code"], "state": {altered}}) != nil {
			return succeeded("an altered state is accepted")
		}
	}
	if e.loadCallback(raw.params) == nil {
		fail.Now("the unaltered state is refused, too")
	}
	return stopped(Gateway, "400")
}

func alterCode(e *env) Outcome {
	const batch = 100 // of one code, which lives a minute
	for from := 0; ; from += batch {
		theirs := newLogin()
		params := e.logIn(victim, theirs)
		altered := alterations(params.Get("code"))
		for _, code := range altered[min(from, len(altered)):min(from+batch, len(altered))] {
			if t := e.exchange(e.exchangeForm(theirs, code)); t.AccessToken != "" || t.stoppedBy == IdP {
				return succeeded("an altered code is accepted")
			}
		}
		e.finish(theirs, params).require("with the unaltered code")
		if from+batch >= len(altered) {
			return stopped(Gateway, "invalid_grant")
		}
	}
}

// stateOfAnotherSite begins a login at a second gateway with the same storage,
// so the same keys, in front of an IdP of the attacker's.
func stateOfAnotherSite(e *env) Outcome {
	theirIdP := fail.Must(testidp.Start(testidp.Behavior{}))
	defer func() { fail.Check(theirIdP.Close()) }()
	site := strings.ReplaceAll(e.site(), e.idp.URL(), theirIdP.URL())
	other := fail.Must(e.start(testgateway.Config{Site: site, Storage: e.storage}))
	defer func() { fail.Check(other.Stop()) }()
	own := newLogin()
	foreign := e.get(at(other.URL(), authorizePath, own.request())).leadsTo()
	if foreign == nil {
		fail.Now("the other gateway does not redirect")
	}
	h := e.logInUntilCode(victim, newLogin())
	response := url.Values{"code": h.params["code"], "state": foreign.params["state"]}
	if e.loadCallback(response) != nil {
		return succeeded("it opens")
	}
	// Nor does a code that the other gateway sealed: the attacker's IdP says which one.
	sealed := e.get(at(other.URL(), callbackPath, response))
	next := sealed.leadsTo()
	if next == nil || next.params.Get("code") == "" {
		fail.Now("the other gateway gives no code: %d %.200s", sealed.status, sealed.body)
	}
	t := e.exchange(e.exchangeForm(own, next.params.Get("code")))
	if t.AccessToken != "" || t.stoppedBy == IdP {
		return succeeded("its code opens")
	}
	if e.deliver(h.params.Get("code"), own) == "" {
		fail.Now("its own state does not open either")
	}
	return stopped(Gateway, "400")
}

// otherHost begins a login under another host name and has the victim finish it.
func otherHost(e *env) Outcome {
	var last Outcome
	for _, header := range []string{"Host", "X-Forwarded-Host", "Forwarded"} {
		r := e.newGet(e.authorizeURL(newLogin()))
		switch header {
		case "Host":
			r.Host = "evil.example"
		case "Forwarded":
			r.Header.Set(header, "host=evil.example")
		default:
			r.Header.Set(header, "evil.example")
		}
		got := e.send(e.client, r)
		next := got.leadsTo()
		if next == nil {
			last = stopped(Gateway, "status %d", got.status)
			continue
		}
		v := e.visit(victim, next.link())
		if raw, err := v.withCode(); err == nil && strings.Contains(raw.String(), "evil.example") {
			return succeeded("%s: the code went to %s", header, raw)
		}
		if strings.Contains(next.params.Get("redirect_uri"), "evil.example") {
			last = stopped(IdP, "%s: redirect_uri is not registered", header)
		}
	}
	if last.Detail == "" {
		last = stopped(Gateway, "these headers change nothing")
	}
	return last
}

// atAnotherSite exchanges a code at sites that differ from the one that made it, under
// their own name and under that of the first one.
func atAnotherSite(e *env) Outcome {
	var outcome Outcome
	for _, differs := range []setup{
		{sealed: "replay file"}, {sealed: "parameters nonce"}, {sealed: "public_url {base}"}, {client: "scope openid profile"},
	} {
		if outcome = e.tryAt(differs); outcome.Succeeded() {
			break
		}
	}
	return outcome
}

func (e *env) tryAt(differs setup) (outcome Outcome) {
	address := fail.Must(testgateway.FreeAddress())
	second := env{mode: e.mode, setup: differs, idp: e.idp, base: "http://" + address}
	other := fail.Must(e.start(testgateway.Config{Site: second.site(), Address: address, Storage: e.storage, AnyHost: true}))
	defer func() { fail.Check(other.Stop()) }()
	exchange := func(base, host string, l *login, code string) *tokens {
		r := e.newPost(base+tokenPath, e.exchangeForm(l, code), nil)
		r.Host = host
		got := e.send(e.client, r)
		t := &tokens{status: got.status}
		fail.Check(json.Unmarshal([]byte(got.body), t))
		return t
	}
	their, first := newLogin(), newLogin()
	made := e.logIn(victim, first).Get("code")
	for _, host := range []string{"", strings.TrimPrefix(e.base, "http://")} {
		t := exchange(other.URL(), host, first, made)
		if t.AccessToken != "" {
			return succeeded("a token at the site with %+v", differs)
		}
		outcome = stopped(Gateway, "%d %s", t.status, t.Error)
	}
	// What each site has made, it takes.
	exchange(e.base, "", first, made).require("at the first site with its own code")
	made = e.lured(victim, at(other.URL(), authorizePath, their.request()), their.redirectURI).Get("code")
	exchange(other.URL(), "", their, made).require("at the second site with its own code")
	return outcome
}
