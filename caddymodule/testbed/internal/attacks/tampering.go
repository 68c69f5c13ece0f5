package attacks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// honestLogin is a whole login of the victim's, which has to succeed.
func (s *stage) honestLogin(ctx context.Context) error {
	l := newLogin()
	v, err := s.logIn(ctx, victim, l)
	if err != nil {
		return err
	}
	t, err := s.finish(ctx, l, v.last().params)
	if err == nil && s.owner(t).User != victim {
		err = fmt.Errorf("an honest login was refused: %d %s %s", t.status, t.Error, t.Description)
	}
	return err
}

// tampering is the attacker who alters what passes through the victim's browser.
func tampering() []Attack {
	return []Attack{
		{
			Name: "strips the challenge from the client's request, and exchanges the code", Means: "the victim's authorization request, and the code", Goal: "a token of the victim",
			run: alteredRequest(func(q url.Values) {
				q.Del("code_challenge")
				q.Del("code_challenge_method")
			}, func(form url.Values, _ *login) { form.Del("code_verifier") }),
		},
		{
			Name: "replaces S256 by plain in the client's request, and exchanges the code with the challenge", Means: "the victim's authorization request, and the code", Goal: "a token of the victim",
			run: alteredRequest(func(q url.Values) { q.Set("code_challenge_method", "plain") },
				func(form url.Values, theirs *login) { form.Set("code_verifier", theirs.challenge()) }),
		},
		{
			Name: "strips the challenge on the way to the IdP, and exchanges the code with a verifier of his own", Means: "what the IdP gets, and the code", Goal: "a token of the victim",
			succeeds: noCallbackPublic,
			why:      "An IdP that verifies the challenges it gets does not miss one that it did not get (RFC 9700 section 4.8.2). `callback` does not ask the IdP.",
			run: onTheWay(func(q url.Values, _ *login) {
				q.Del("code_challenge")
				q.Del("code_challenge_method")
			}),
		},
		{
			Name: "replaces the challenge on the way to the IdP, and exchanges the code with his verifier", Means: "what the IdP gets, and the code", Goal: "a token of the victim",
			succeeds: noCallbackPublic,
			why:      "The IdP binds the code to the challenge that it got. `callback` binds it to the client's.",
			run:      onTheWay(func(q url.Values, own *login) { q.Set("code_challenge", own.challenge()) }),
		},
		{
			Name: "alters state in each of its characters", Means: "the IdP's response", Goal: "a response for an altered login",
			succeeds: noCallback, why: "Without `callback` the state is the client's own, and only the client can tell.",
			run: alterState,
		},
		{
			Name: "alters the code in each of its characters", Means: "the code and its verifier", Goal: "a token for an altered code",
			only: withCallback,
			run:  alterCode,
		},
		{
			Name: "sends the state as a code, and the code as a state", Means: "state, code and verifier", Goal: "that one opens as the other",
			only: withCallback,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				l := newLogin()
				v, err := s.logIn(ctx, victim, l)
				if err != nil {
					return Outcome{}, err
				}
				raw, err := v.withCode()
				if err != nil {
					return Outcome{}, err
				}
				sealed := v.last().params.Get("code")
				t, err := s.exchange(ctx, s.exchangeForm(l, raw.params.Get("state")))
				if err != nil {
					return Outcome{}, err
				}
				next, err := s.loadCallback(ctx, url.Values{"code": raw.params["code"], "state": {sealed}})
				if err != nil {
					return Outcome{}, err
				}
				if next != nil || t.AccessToken != "" {
					return succeeded("one opens as the other"), nil
				}
				return s.refused(t), nil
			},
		},
		{
			Name: "brings a state, or a code, from another site that shares the keys", Means: "a site with another IdP in the same Caddy storage", Goal: "a response for a login of another site",
			only: withCallback,
			run:  stateOfAnotherSite,
		},
		{
			Name: "exchanges a code at another site in front of the same IdP, which has another replay store or looser rules", Means: "code and verifier, and a site with the same keys and client id", Goal: "a second token, or one by other rules",
			setup: setup{idp: anyRedirectURI}, only: withCallback,
			run: atAnotherSite,
		},
		{
			Name: "has the callback send people elsewhere with a state of his own making", Means: "nothing", Goal: "an open redirect",
			only: withCallback,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				if err := s.honestLogin(ctx); err != nil {
					return Outcome{}, err
				}
				for _, params := range []url.Values{
					{"code": {"c"}, "state": {evilRedirect}},
					{"error": {"access_denied"}, "state": {evilRedirect}},
					{"code": {"c"}, "state": {""}, "redirect_uri": {evilRedirect}},
					{"code": {"c"}},
					{"error": {"access_denied"}, "error_uri": {evilRedirect}, "redirect_uri": {evilRedirect}},
					{"code": {"c"}, "state": {strings.Repeat("A", 4096)}},
				} {
					next, err := s.loadCallback(ctx, params)
					if err != nil {
						return Outcome{}, err
					}
					if next != nil {
						return succeeded("sent to %s", next), nil
					}
				}
				return stopped(Gateway, "400"), nil
			},
		},
		{
			Name: "names another host in Host and X-Forwarded-Host, to have the code sent there", Means: "a lured victim", Goal: "the victim's code",
			setup: setup{anyHost: true}, only: withCallback,
			run: otherHost,
		},
	}
}

// alteredRequest alters the victim's authorization request, and exchanges the code with
// an altered form.
func alteredRequest(alter func(url.Values), exchange func(form url.Values, theirs *login)) func(context.Context, *stage) (Outcome, error) {
	return func(ctx context.Context, s *stage) (Outcome, error) {
		theirs := newLogin()
		request := theirs.request()
		alter(request)
		b, err := s.browser(ctx, victim)
		if err != nil {
			return Outcome{}, err
		}
		v, err := b.visit(ctx, at(s.base, authorizePath, request))
		if err != nil {
			return Outcome{}, err
		}
		code := v.last().params.Get("code")
		if code == "" {
			return stopped(s.inFront(), "%v", v.describe("")), nil
		}
		form := s.exchangeForm(theirs, code)
		exchange(form, theirs)
		t, err := s.exchange(ctx, form)
		if err != nil {
			return Outcome{}, err
		}
		return s.theft(t), nil
	}
}

// onTheWay alters the redirect from the gateway to the IdP and has the attacker
// exchange the code that the client is sent.
func onTheWay(alter func(q url.Values, own *login)) func(context.Context, *stage) (Outcome, error) {
	return func(ctx context.Context, s *stage) (Outcome, error) {
		theirs, own := withoutNonce(), withoutNonce()
		begun, err := s.begin(ctx, theirs)
		if err != nil {
			return Outcome{}, err
		}
		alter(begun.params, own)
		code, err := s.lured(ctx, at(begun.String(), "", begun.params), theirs.redirectURI)
		if err != nil {
			return Outcome{}, err
		}
		t, err := s.exchange(ctx, s.exchangeForm(own, code))
		if err != nil {
			return Outcome{}, err
		}
		return s.theft(t), nil
	}
}

// alterations are a text with one character replaced, left out or added, and cut
// off, at every place.
func alterations(text string, yield func(string) error) error {
	for i := range len(text) {
		replacement := byte('A')
		if text[i] == 'A' {
			replacement = 'B'
		}
		for _, altered := range []string{
			text[:i] + string(replacement) + text[i+1:],
			text[:i] + string(text[i]^1) + text[i+1:],
			text[:i] + text[i+1:],
			text[:i] + "A" + text[i:],
			text[:i] + "\n" + text[i:],
			text[:i],
		} {
			if altered == text {
				continue
			}
			if err := yield(altered); err != nil {
				return err
			}
		}
	}
	for _, suffix := range []string{"A", "=", "==", " ", "\x00", "." + text, text} {
		if err := yield(text + suffix); err != nil {
			return err
		}
	}
	return nil
}

func alterState(ctx context.Context, s *stage) (Outcome, error) {
	theirs := newLogin()
	b, err := s.browser(ctx, victim)
	if err != nil {
		return Outcome{}, err
	}
	v, err := b.visitUntil(ctx, s.authorizeURL(theirs), func(h hop) bool { return h.params.Get("code") != "" })
	if err != nil {
		return Outcome{}, err
	}
	raw, err := v.withCode()
	if err != nil {
		return Outcome{}, err
	}
	state := raw.params.Get("state")
	if s.mode.Protection != WithCallback {
		// The response is the client's at once: whatever the attacker writes there arrives.
		return succeeded("the client gets whatever the state says"), nil
	}
	accepted := 0
	err = alterations(state, func(altered string) error {
		next, err := s.loadCallback(ctx, url.Values{"code": raw.params["code"], "state": {altered}})
		if next != nil {
			accepted++
		}
		return err
	})
	if err != nil {
		return Outcome{}, err
	}
	if next, err := s.loadCallback(ctx, url.Values{"code": raw.params["code"], "state": {state}}); err != nil || next == nil {
		return Outcome{}, fmt.Errorf("the unaltered state is refused, too: %w", err)
	}
	if accepted > 0 {
		return succeeded("%d altered states are accepted", accepted), nil
	}
	return stopped(Gateway, "400"), nil
}

func alterCode(ctx context.Context, s *stage) (Outcome, error) {
	theirs := newLogin()
	v, err := s.logIn(ctx, victim, theirs)
	if err != nil {
		return Outcome{}, err
	}
	code := v.last().params.Get("code")
	accepted := 0
	err = alterations(code, func(altered string) error {
		t, err := s.exchange(ctx, s.exchangeForm(theirs, altered))
		if err == nil && (t.AccessToken != "" || t.stoppedBy == IdP) {
			accepted++
		}
		return err
	})
	if err != nil {
		return Outcome{}, err
	}
	t, err := s.finish(ctx, theirs, v.last().params)
	switch {
	case err != nil:
		return Outcome{}, err
	case t.AccessToken == "":
		return Outcome{}, errors.New("the unaltered code is refused, too: " + t.Error)
	case accepted > 0:
		return succeeded("%d altered codes are accepted", accepted), nil
	}
	return stopped(Gateway, "invalid_grant"), nil
}

// stateOfAnotherSite begins a login at a second gateway with the same storage,
// so the same keys, in front of an IdP of the attacker's.
func stateOfAnotherSite(ctx context.Context, s *stage) (outcome Outcome, err error) {
	theirIdP, err := testidp.Start(testidp.Behavior{})
	if err != nil {
		return Outcome{}, err
	}
	defer func() { err = errors.Join(err, theirIdP.Close()) }()
	site := strings.ReplaceAll(s.site(), s.idp.URL(), theirIdP.URL())
	other, err := s.start(testgateway.Config{Site: site, Storage: s.storage})
	if err != nil {
		return Outcome{}, err
	}
	defer func() { err = errors.Join(err, other.Stop()) }()
	own := newLogin()
	state := func(base string) (string, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, at(base, authorizePath, own.request()), nil)
		if err != nil {
			return "", err
		}
		got, err := s.do(r)
		if err != nil {
			return "", err
		}
		next, err := got.leadsTo(r.URL)
		if err != nil || next == nil {
			return "", fmt.Errorf("no redirect from %s: %w", base, err)
		}
		return next.params.Get("state"), nil
	}
	foreign, err := state(other.URL())
	if err != nil {
		return Outcome{}, err
	}
	h, err := s.logInUntilCode(ctx, victim, newLogin())
	if err != nil {
		return Outcome{}, err
	}
	next, err := s.loadCallback(ctx, url.Values{"code": h.params["code"], "state": {foreign}})
	if err != nil {
		return Outcome{}, err
	}
	if next != nil {
		return succeeded("it opens"), nil
	}
	// Nor does a code that the other gateway sealed: the attacker's IdP says which one.
	made, err := s.client.Get(at(other.URL(), callbackPath, url.Values{"code": h.params["code"], "state": {foreign}}))
	if err != nil {
		return Outcome{}, err
	}
	sealed, err := readResponse(made)
	if err != nil {
		return Outcome{}, err
	}
	if next, err = sealed.leadsTo(made.Request.URL); err != nil || next == nil || next.params.Get("code") == "" {
		return Outcome{}, fmt.Errorf("the other gateway gives no code: %d %.200s: %w", sealed.status, sealed.body, err)
	}
	t, err := s.exchange(ctx, s.exchangeForm(own, next.params.Get("code")))
	if err != nil {
		return Outcome{}, err
	}
	if t.AccessToken != "" || t.stoppedBy == IdP {
		return succeeded("its code opens"), nil
	}
	here, err := state(s.base)
	if err != nil {
		return Outcome{}, err
	}
	if next, err = s.loadCallback(ctx, url.Values{"code": h.params["code"], "state": {here}}); err != nil || next == nil {
		return Outcome{}, fmt.Errorf("its own state does not open either: %w", err)
	}
	return stopped(Gateway, "400"), nil
}

// otherHost begins a login under another host name and has the victim finish it.
func otherHost(ctx context.Context, s *stage) (Outcome, error) {
	var last Outcome
	for _, header := range []string{"Host", "X-Forwarded-Host", "Forwarded"} {
		own := newLogin()
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.authorizeURL(own), nil)
		if err != nil {
			return Outcome{}, err
		}
		switch header {
		case "Host":
			r.Host = "evil.example"
		case "Forwarded":
			r.Header.Set(header, "host=evil.example")
		default:
			r.Header.Set(header, "evil.example")
		}
		got, err := s.do(r)
		if err != nil {
			return Outcome{}, err
		}
		next, err := got.leadsTo(r.URL)
		if err != nil {
			return Outcome{}, err
		}
		if next == nil {
			last = stopped(Gateway, "status %d", got.status)
			continue
		}
		b, err := s.browser(ctx, victim)
		if err != nil {
			return Outcome{}, err
		}
		v, err := b.visit(ctx, at(next.String(), "", next.params))
		if err != nil {
			return Outcome{}, err
		}
		if raw, err := v.withCode(); err == nil && strings.Contains(raw.String(), "evil.example") {
			return succeeded("%s: the code went to %s", header, raw), nil
		}
		if strings.Contains(next.params.Get("redirect_uri"), "evil.example") {
			last = stopped(IdP, "%s: redirect_uri is not registered", header)
		}
	}
	if last.Detail == "" {
		last = stopped(Gateway, "these headers change nothing")
	}
	return last, nil
}

// atAnotherSite exchanges a code at sites that differ from the one that made it, under
// their own name and under that of the first one.
func atAnotherSite(ctx context.Context, s *stage) (Outcome, error) {
	var last Outcome
	for _, differs := range []setup{
		{sealed: "replay another"}, {sealed: "nonce any"}, {sealed: "public_url {base}"}, {client: "scope openid profile"},
	} {
		outcome, err := s.tryAt(ctx, differs)
		if err != nil || outcome.Succeeded() {
			return outcome, err
		}
		last = outcome
	}
	return last, nil
}

func (s *stage) tryAt(ctx context.Context, differs setup) (outcome Outcome, err error) {
	address, err := testgateway.FreeAddress()
	if err != nil {
		return Outcome{}, err
	}
	second := stage{mode: s.mode, setup: differs, idp: s.idp, base: "http://" + address}
	other, err := s.start(testgateway.Config{Site: second.site(), Address: address, Storage: s.storage, AnyHost: true})
	if err != nil {
		return Outcome{}, err
	}
	defer func() { err = errors.Join(err, other.Stop()) }()
	code := func(base string, l *login) (string, error) {
		b, err := s.browser(ctx, victim)
		if err != nil {
			return "", err
		}
		v, err := b.visit(ctx, at(base, authorizePath, l.request()))
		if err != nil {
			return "", err
		}
		return v.last().params.Get("code"), nil
	}
	exchange := func(base, host string, l *login, code string) (*tokens, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+tokenPath, strings.NewReader(s.exchangeForm(l, code).Encode()))
		if err != nil {
			return nil, err
		}
		r.Host = host
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		got, err := s.do(r)
		if err != nil {
			return nil, err
		}
		t := &tokens{status: got.status}
		return t, json.Unmarshal([]byte(got.body), t)
	}
	their, first := newLogin(), newLogin()
	made, err := code(s.base, first)
	if err != nil {
		return Outcome{}, err
	}
	for _, host := range []string{"", strings.TrimPrefix(s.base, "http://")} {
		t, err := exchange(other.URL(), host, first, made)
		if err != nil {
			return Outcome{}, err
		}
		if t.AccessToken != "" {
			return succeeded("a token at the site with %+v", differs), nil
		}
		outcome = stopped(Gateway, "%d %s", t.status, t.Error)
	}
	// What each site has made, it takes.
	if t, err := exchange(s.base, "", first, made); err != nil || t.AccessToken == "" {
		return Outcome{}, fmt.Errorf("the first site does not take its own code: %+v %w", t, err)
	}
	if made, err = code(other.URL(), their); err != nil {
		return Outcome{}, err
	}
	if t, err := exchange(other.URL(), "", their, made); err != nil || t.AccessToken == "" {
		return Outcome{}, fmt.Errorf("the second site does not take its own code: %+v %w", t, err)
	}
	return outcome, nil
}

// anotherReplay is a replay store that no other site has.
type anotherReplay struct{ *replay.Memory }

func init() { caddy.RegisterModule(anotherReplay{}) }

// CaddyModule returns the Caddy module information.
func (anotherReplay) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "http.identity_gateway.replay.another",
		New: func() caddy.Module { return &anotherReplay{replay.NewMemory(1000, time.Now)} },
	}
}

// UnmarshalCaddyfile takes no options.
func (*anotherReplay) UnmarshalCaddyfile(*caddyfile.Dispenser) error { return nil }
