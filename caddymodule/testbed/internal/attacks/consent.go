package attacks

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
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
		{
			Name: "has the victim open a link to a login at his own client", Means: means, Goal: goal,
			setup: shared, only: confidentialCallback,
			succeeds: always, why: oneAt,
			run: opensLink(ownLogin, nil),
		},
		{
			Name: "the same with `consent`; the victim does not allow it", Means: means, Goal: goal,
			setup: asked, only: confidentialCallback,
			run: opensLink(ownLogin, func(ctx context.Context, s *stage, _ *browser) error { return s.allowedLogin(ctx, attacker) }),
		},
		{
			Name: "the same; the victim has allowed his client once before (FastMCP 3960)", Means: means, Goal: goal,
			setup: asked, only: confidentialCallback,
			run: opensLink(ownLogin, func(ctx context.Context, s *stage, b *browser) error {
				_, err := s.allow(ctx, b, ownLogin())
				return err
			}),
		},
		{
			Name: "allows it in his own browser and sends the victim on to the IdP (FastMCP 3201)", Means: means, Goal: goal,
			setup: asked, only: confidentialCallback,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				mine, err := s.browser(ctx, attacker)
				if err != nil {
					return Outcome{}, err
				}
				own := ownLogin()
				page, err := s.consentPage(ctx, mine, own)
				if err != nil {
					return Outcome{}, err
				}
				upstream, err := s.sendAnswer(ctx, mine, page, read, nil)
				if err != nil {
					return Outcome{}, err
				}
				if upstream.status != http.StatusSeeOther {
					return Outcome{}, fmt.Errorf("the attacker can't allow it himself: %d", upstream.status)
				}
				b, err := s.browser(ctx, victim)
				if err != nil {
					return Outcome{}, err
				}
				if _, err := s.consentPage(ctx, b, ownLogin()); err != nil { // she has a cookie of her own
					return Outcome{}, err
				}
				return s.endsAtOwnClient(ctx, b, own, upstream.header.Get("Location"))
			},
		},
		{
			Name: "has the victim's browser send the form of his own page (FastMCP 3519)", Means: means, Goal: goal,
			setup: asked, only: confidentialCallback,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				mine, err := s.browser(ctx, attacker)
				if err != nil {
					return Outcome{}, err
				}
				own := ownLogin()
				page, err := s.consentPage(ctx, mine, own)
				if err != nil {
					return Outcome{}, err
				}
				b, err := s.browser(ctx, victim)
				if err != nil {
					return Outcome{}, err
				}
				if _, err := s.consentPage(ctx, b, ownLogin()); err != nil {
					return Outcome{}, err
				}
				// Also from a browser that does not say where a request comes from.
				for _, header := range []http.Header{fetchMetadata("cross-site", "navigate", "document"), nil} {
					got, err := s.sendAnswer(ctx, b, page, read, header)
					if err != nil {
						return Outcome{}, err
					}
					if got.status/100 == 3 {
						return s.endsAtOwnClient(ctx, b, own, got.header.Get("Location"))
					}
				}
				return stopped(Gateway, "403"), nil
			},
		},
		{
			Name: "sends the victim's browser to the page at the first click of a double click, the second of which chooses Allow", Means: means, Goal: goal,
			setup: asked, only: confidentialCallback,
			run: answersUnseen(700*time.Millisecond, byHand()),
		},
		{
			Name: "has a script of the gateway's own host load the page and send its form (`fetch`)", Means: "a client at the gateway, and a script in a page of the same host", Goal: goal,
			setup: asked, only: confidentialCallback,
			run: answersUnseen(read, fetchMetadata("same-origin", "cors", "empty")),
		},
		{
			Name: "asks for the login's result as an API client does, with and without `prompt=none`", Means: means, Goal: goal,
			setup: asked, only: confidentialCallback,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				for _, prompt := range []string{"", "none"} {
					q := ownLogin().request()
					q.Set("user", victim)
					if prompt != "" {
						q.Set("prompt", prompt)
					}
					r, err := http.NewRequestWithContext(ctx, http.MethodGet, at(s.base, authorizePath, q), nil)
					if err != nil {
						return Outcome{}, err
					}
					r.Header.Set("Accept", "application/json")
					got, err := s.do(r)
					if err != nil {
						return Outcome{}, err
					}
					if got.status == http.StatusOK {
						return succeeded("%s", got.body), nil
					}
				}
				return stopped(Gateway, "consent_required"), nil
			},
		},
		{
			Name: "has the victim log in at his own client for an ID token that the victim's client takes for its own", Means: "a client at the gateway, and a victim who uses it", Goal: "an ID token of the victim for the victim's client",
			setup: shared, only: confidentialCallback,
			run: opensLink(ownLoginWithIDToken, nil),
		},
	}
}

// ownLogin is a login at the attacker's client.
func ownLogin() *login {
	l := withoutIDToken()
	l.clientID, l.redirectURI = ownID, ownRedirect
	return l
}

// ownLoginWithIDToken is a login at the attacker's client, which asks for an ID token.
func ownLoginWithIDToken() *login {
	l := newLogin()
	l.clientID, l.redirectURI = ownID, ownRedirect
	return l
}

// opensLink has the victim open a link to a login at the attacker's client; before is
// what goes on in her browser first, nil for nothing.
func opensLink(own func() *login, before func(context.Context, *stage, *browser) error) func(context.Context, *stage) (Outcome, error) {
	return func(ctx context.Context, s *stage) (Outcome, error) {
		b, err := s.browser(ctx, victim)
		if err == nil && before != nil {
			err = before(ctx, s, b)
		}
		if err != nil {
			return Outcome{}, err
		}
		l := own()
		return s.endsAtOwnClient(ctx, b, l, s.authorizeURL(l))
	}
}

// endsAtOwnClient has a browser open a link, and judges what comes of it at the
// attacker's client.
func (s *stage) endsAtOwnClient(ctx context.Context, b *browser, own *login, link string) (Outcome, error) {
	v, err := b.visit(ctx, link)
	if err != nil {
		return Outcome{}, err
	}
	last := v.last()
	if last.String() != own.redirectURI || last.params.Get("code") == "" {
		return stopped(Gateway, "%v", v.describe("")), nil
	}
	t, err := s.finish(ctx, own, last.params)
	if err != nil {
		return Outcome{}, err
	}
	return s.theft(t), nil
}

// answersUnseen has the victim's browser approve a login at the attacker's client
// after a while, with a form that is sent in another way than by hand.
func answersUnseen(after time.Duration, header http.Header) func(context.Context, *stage) (Outcome, error) {
	return func(ctx context.Context, s *stage) (Outcome, error) {
		if err := s.allowedLogin(ctx, attacker); err != nil {
			return Outcome{}, err
		}
		b, err := s.browser(ctx, victim)
		if err != nil {
			return Outcome{}, err
		}
		own := ownLogin()
		page, err := s.consentPage(ctx, b, own)
		if err != nil {
			return Outcome{}, err
		}
		got, err := s.sendAnswer(ctx, b, page, after, header)
		if err != nil {
			return Outcome{}, err
		}
		if got.status/100 != 3 {
			return stopped(Gateway, "%d", got.status), nil
		}
		to, err := url.Parse(s.base + "/oauth/consent")
		if err == nil {
			to, err = to.Parse(got.header.Get("Location"))
		}
		if err != nil {
			return Outcome{}, err
		}
		return s.endsAtOwnClient(ctx, b, own, to.String())
	}
}

// consentPage loads the page for a login and returns its form.
func (s *stage) consentPage(ctx context.Context, b *browser, l *login) (url.Values, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.authorizeURL(l), nil)
	if err != nil {
		return nil, err
	}
	got, err := b.client.Do(r)
	if err != nil {
		return nil, err
	}
	page, err := readResponse(got)
	if err != nil {
		return nil, err
	}
	form, err := readForm(r.URL, page.body)
	if err != nil || form == nil || form.params.Get("transaction") == "" {
		return nil, fmt.Errorf("no consent page: %d %.200s: %w", page.status, page.body, err)
	}
	return form.params, nil
}

// read is how long people look at the page before they choose Allow.
const read = 2 * time.Second

// byHand is the header of a form that its user sends (Fetch Metadata Request Headers).
func byHand() http.Header { return fetchMetadata("same-origin", "navigate", "document") }

func fetchMetadata(site, mode, dest string) http.Header {
	return http.Header{"Sec-Fetch-Site": {site}, "Sec-Fetch-Mode": {mode}, "Sec-Fetch-Dest": {dest}}
}

// sendAnswer has a browser send the form of a page after a while, with the button Allow.
func (s *stage) sendAnswer(ctx context.Context, b *browser, form url.Values, after time.Duration, header http.Header) (*response, error) {
	time.Sleep(after)
	answer := url.Values{"transaction": form["transaction"], "decision": {"allow"}}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base+"/oauth/consent", strings.NewReader(answer.Encode()))
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		r.Header[name] = values
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	got, err := b.client.Do(r)
	if err != nil {
		return nil, err
	}
	return readResponse(got)
}

// allow goes through a login that its user approves.
func (s *stage) allow(ctx context.Context, b *browser, l *login) (*tokens, error) {
	form, err := s.consentPage(ctx, b, l)
	if err != nil {
		return nil, err
	}
	got, err := s.sendAnswer(ctx, b, form, read, byHand())
	if err != nil {
		return nil, err
	}
	v, err := b.visit(ctx, got.header.Get("Location"))
	if err != nil {
		return nil, err
	}
	t, err := s.finish(ctx, l, v.last().params)
	if err == nil && t.AccessToken == "" {
		err = errors.New("a login that was approved gives no token: " + t.Error)
	}
	return t, err
}

// allowedLogin makes sure that a login goes through that its user approves.
func (s *stage) allowedLogin(ctx context.Context, user string) error {
	b, err := s.browser(ctx, user)
	if err != nil {
		return err
	}
	_, err = s.allow(ctx, b, ownLogin())
	return err
}
