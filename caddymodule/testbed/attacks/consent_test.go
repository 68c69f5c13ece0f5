package attacks

import (
	"net/http"
	"net/url"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// sharedRegistrations is the attacker who runs a client of the gateway that the IdP
// takes for the victim's: both have the same idp_client. The victim is signed in at
// the IdP, which asks nothing more. What a page of the gateway's own has to withstand
// is what FastMCP's OAuth proxy did not at first: its pull requests 3201, 3519, 3960.
func sharedRegistrations() []Attack {
	const (
		means = "a client at the gateway, and a lured victim who is signed in"
		goal  = "a token of the victim"
		oneAt = "For the IdP both are one client, which the victim has trusted before. `consent` asks; an `idp_client` for each keeps them apart."
	)
	shared, asked := setup{sharedIdPClient: true}, setup{sharedIdPClient: true, own: "consent"}
	return []Attack{
		attack("has the victim open a link to a login at his own client",
			means, goal, opensLink(ownLogin, nil)).given(shared).in(confidentialCallback).succeedsIn(always, oneAt),
		attack("the same with `consent`; the victim does not allow it",
			means, goal, opensLink(ownLogin, func(e *env, _ *browser) { e.allow(e.browser(attacker), ownLogin()) })).
			given(asked).in(confidentialCallback),
		attack("the same; the victim has allowed his client once before (FastMCP 3960)",
			means, goal, opensLink(ownLogin, func(e *env, b *browser) { e.allow(b, ownLogin()) })).given(asked).in(confidentialCallback),
		attack("allows it in his own browser and sends the victim on to the IdP (FastMCP 3201)",
			means, goal, func(e *env) Outcome {
				mine := e.browser(attacker)
				own := ownLogin()
				page := e.consentPage(mine, own)
				upstream := e.sendAnswer(mine, page, read, nil)
				if upstream.status != http.StatusSeeOther {
					fail.Now("the attacker can't allow it himself: %d", upstream.status)
				}
				b := e.browser(victim)
				e.consentPage(b, ownLogin()) // she has a cookie of her own
				return e.endsAtOwnClient(b, own, upstream.header.Get("Location"))
			}).given(asked).in(confidentialCallback),
		attack("has the victim's browser send the form of his own page (FastMCP 3519)",
			means, goal, func(e *env) Outcome {
				mine := e.browser(attacker)
				own := ownLogin()
				page := e.consentPage(mine, own)
				b := e.browser(victim)
				e.consentPage(b, ownLogin())
				// Also from a browser that does not say where a request comes from.
				for _, header := range []http.Header{fetchMetadata("cross-site", "navigate", "document"), nil} {
					got := e.sendAnswer(b, page, read, header)
					if got.status/100 == 3 {
						return e.endsAtOwnClient(b, own, got.header.Get("Location"))
					}
				}
				return stopped(Gateway, "403")
			}).given(asked).in(confidentialCallback),
		attack("sends the victim's browser to the page at the first click of a double click, the second of which chooses Allow",
			means, goal, answersUnseen(700*time.Millisecond, byHand())).given(asked).in(confidentialCallback),
		attack("has a script of the gateway's own host load the page and send its form (`fetch`)",
			"a client at the gateway, and a script in a page of the same host", goal, answersUnseen(read, fetchMetadata("same-origin", "cors", "empty"))).
			given(asked).in(confidentialCallback),
		attack("asks for the login's result as an API client does, with and without `prompt=none`",
			means, goal, func(e *env) Outcome {
				for _, prompt := range []string{"", "none"} {
					q := ownLogin().request()
					q.Set("user", victim)
					if prompt != "" {
						q.Set("prompt", prompt)
					}
					r := e.newGet(at(e.base, authorizePath, q))
					r.Header.Set("Accept", "application/json")
					got := e.send(e.client, r)
					if got.status == http.StatusOK {
						return succeeded("%s", got.body)
					}
				}
				return stopped(Gateway, "consent_required")
			}).given(asked).in(confidentialCallback),
		attack("has the victim log in at his own client for an ID token that the victim's client takes for its own",
			"a client at the gateway, and a victim who uses it", "an ID token of the victim for the victim's client", opensLink(func() *login { return newLogin().at(ownID, ownRedirect) }, nil)).
			given(shared).in(confidentialCallback),
	}
}

func ownLogin() *login { return withoutIDToken().at(ownID, ownRedirect) }

// opensLink has the victim open a link to a login at the attacker's client; before is
// what goes on in her browser first, nil for nothing.
func opensLink(own func() *login, before func(*env, *browser)) func(*env) Outcome {
	return func(e *env) Outcome {
		b := e.browser(victim)
		if before != nil {
			before(e, b)
		}
		l := own()
		return e.endsAtOwnClient(b, l, e.authorizeURL(l))
	}
}

// endsAtOwnClient has a browser open a link, and judges what comes of it at the
// attacker's client.
func (e *env) endsAtOwnClient(b *browser, own *login, link string) Outcome {
	v := b.visit(link)
	last := v.last()
	if last.String() != own.redirectURI || last.params.Get("code") == "" {
		return stopped(Gateway, "%v", v.describe(""))
	}
	return e.theft(e.finish(own, last.params))
}

// answersUnseen has the victim's browser approve a login at the attacker's client
// after a while, with a form that is sent in another way than by hand.
func answersUnseen(after time.Duration, header http.Header) func(*env) Outcome {
	return func(e *env) Outcome {
		e.allow(e.browser(attacker), ownLogin())
		b := e.browser(victim)
		own := ownLogin()
		page := e.consentPage(b, own)
		got := e.sendAnswer(b, page, after, header)
		if got.status/100 != 3 {
			return stopped(Gateway, "%d", got.status)
		}
		return e.endsAtOwnClient(b, own, got.leadsTo().link())
	}
}

// consentPage loads the page for a login and returns its form.
func (e *env) consentPage(b *browser, l *login) url.Values {
	page := e.send(b.client, e.newGet(e.authorizeURL(l)))
	form := page.form()
	if form == nil || form.params.Get("transaction") == "" {
		fail.Now("no consent page: %d %.200s", page.status, page.body)
	}
	return form.params
}

// read is how long people look at the page before they choose Allow.
const read = 2 * time.Second

// byHand is the header of a form that its user sends (Fetch Metadata Request Headers).
func byHand() http.Header { return fetchMetadata("same-origin", "navigate", "document") }

func fetchMetadata(site, mode, dest string) http.Header {
	return http.Header{"Sec-Fetch-Site": {site}, "Sec-Fetch-Mode": {mode}, "Sec-Fetch-Dest": {dest}}
}

// sendAnswer has a browser send the form of a page after a while, with the button Allow.
func (e *env) sendAnswer(b *browser, form url.Values, after time.Duration, header http.Header) *response {
	time.Sleep(after)
	answer := url.Values{"transaction": form["transaction"], "decision": {"allow"}}
	return e.send(b.client, e.newPost(e.base+"/oauth/consent", answer, header))
}

func (e *env) allow(b *browser, l *login) {
	got := e.sendAnswer(b, e.consentPage(b, l), read, byHand())
	e.finish(l, b.visit(got.header.Get("Location")).last().params).require("at a login that was approved")
}
