package attacks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
)

// rotates is a gateway that replaces refresh tokens, with the shortest grace. Every
// use after that of one that was replaced comes late.
const (
	rotates   = "rotate_refresh {\n\t\tgrace 1s\n\t}"
	afterward = 1100 * time.Millisecond
	// With longer graces an attacker has time. A refresh replaces the token only when the
	// grace of the login, or of the refresh before, is over. underWay is longer than a token is good whose successor has been used.
	rotatesSlowly = "rotate_refresh {\n\t\tgrace 5s\n\t}"
	slowly        = 5100 * time.Millisecond
	rotatesSlower = "rotate_refresh {\n\t\tgrace 15s\n\t}"
	slower        = 15100 * time.Millisecond
	underWay      = 10100 * time.Millisecond
)

// refreshThief is the attacker who has a client's refresh token: from the storage
// of an app, a backup, a log of the app. He is not a client that has a secret.
func refreshThief() []Attack {
	return []Attack{
		{
			Name: "uses a stolen refresh token", Means: "the client's refresh token", Goal: "a token of the victim",
			succeeds: func(m Mode) bool { return m.Protection == WithCallback || publicOnly(m) },
			why:      "A public client's refresh token is good for whoever has it (RFC 9700 section 2.2.2). IdPs that rotate them notice a second use.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.refreshAs(ctx, appID, nil)
			},
		},
		{
			Name: "the same; the client has `dpop`. He has no key, one of his own, or the owner's last proof", Means: "the client's refresh token, and a whole request of it", Goal: "a token of the victim",
			setup: setup{sealed: "public_url {base}", client: "dpop required"}, only: withCallback,
			run: func(ctx context.Context, s *stage) (Outcome, error) { return s.refreshWithoutKey(ctx) },
		},
		{
			Name: "uses a stolen refresh token as another client that is registered at the gateway", Means: "the client's refresh token", Goal: "a token of the victim, with what the other client may ask for",
			setup:    setup{idp: takesCodesOfOtherClients},
			succeeds: noCallback,
			why:      "The IdP gives a client the tokens of another client's logins. With `callback` a refresh token is sealed to its client.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.refreshAs(ctx, ownID, nil)
			},
		},
		{
			Name: "the same where both clients are one at the IdP", Means: "the client's refresh token", Goal: "a token of the victim, with what the other client may ask for",
			setup: setup{sharedIdPClient: true}, only: confidentialCallback,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.refreshAs(ctx, ownID, nil)
			},
		},
		{
			Name: "uses the IdP's own refresh token", Means: "a refresh token of the IdP, from elsewhere", Goal: "a token of the victim",
			setup: setup{sharedIdPClient: true}, only: confidentialCallback,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.refreshUnsealed(ctx)
			},
		},
		{
			Name: "asks for a resource with a refresh token that the client may not ask for", Means: "the client's refresh token", Goal: "a token for another API",
			setup: setup{client: "audience https://api.example/"},
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.refreshAs(ctx, appID, url.Values{"resource": {"https://admin.example/"}})
			},
		},
		{
			Name: "asks for an audience with a refresh token that the client may not ask for", Means: "the client's refresh token", Goal: "a token for another API",
			setup: setup{client: "audience https://api.example/"},
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.refreshAs(ctx, appID, url.Values{"audience": {"https://admin.example/"}})
			},
		},
		{
			Name: "uses a stolen refresh token after the client has used it; the gateway has `rotate_refresh`", Means: "the client's refresh token", Goal: "a token of the victim",
			setup: setup{sealed: rotates}, only: withCallback, patient: true,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.rotated(ctx, func(stolen, current string) (*tokens, error) {
					time.Sleep(afterward)
					return s.refresh(ctx, stolen)
				})
			},
		},
		{
			Name: "the same, and keeps the token that the victim's client got meanwhile", Means: "the client's refresh tokens", Goal: "a token of the victim",
			setup: setup{sealed: rotates}, only: withCallback, patient: true,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.rotated(ctx, func(stolen, current string) (*tokens, error) {
					time.Sleep(afterward)
					if t, err := s.refresh(ctx, stolen); err != nil || t.AccessToken != "" {
						return t, err
					}
					return s.refresh(ctx, current)
				})
			},
		},
		{
			Name: "uses it before the client does, and again after; the gateway has `rotate_refresh`", Means: "the client's refresh token", Goal: "to go on as the victim",
			setup: setup{sealed: rotates}, only: withCallback, patient: true,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.rotated(ctx, func(_, current string) (*tokens, error) {
					time.Sleep(afterward)
					thiefs, err := s.refresh(ctx, current)
					if err != nil || thiefs.AccessToken == "" {
						return nil, fmt.Errorf("the thief's first use fails: %s %w", thiefs.Error, err)
					}
					time.Sleep(afterward)
					if t, err := s.refresh(ctx, current); err != nil || t.AccessToken != "" { // the client, who is logged out
						return t, err
					}
					return s.refresh(ctx, thiefs.RefreshToken)
				})
			},
		},
		{
			Name: "uses a stolen refresh token within the grace of the client's use; the gateway has `rotate_refresh`", Means: "the client's refresh token", Goal: "a token of the victim",
			setup: setup{sealed: rotatesSlowly}, only: withCallback, patient: true,
			succeeds: always,
			why:      "Within the grace nobody can tell a thief from a second tab. Whichever of both comes later than the grace with a token that the other has had replaced ends the login for both.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.rotated(ctx, func(_, stolen string) (*tokens, error) {
					time.Sleep(slowly)
					if t, err := s.refresh(ctx, stolen); err != nil || t.AccessToken == "" {
						return t, err
					}
					return s.refresh(ctx, stolen)
				})
			},
		},
		{
			Name: "the same, and follows each refresh of the client within the grace", Means: "the client's refresh token, and when it refreshes", Goal: "to go on as the victim",
			setup: setup{sealed: rotatesSlowly}, only: withCallback, patient: true,
			succeeds: always,
			why:      "He is a second tab that is never late. A shorter `grace` leaves him less time; only a client with a secret of its own stops him.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.rotated(ctx, func(_, stolen string) (*tokens, error) {
					thiefs, clients := &tokens{RefreshToken: stolen}, &tokens{RefreshToken: stolen}
					for range 3 {
						time.Sleep(slowly)
						var err error
						if clients, err = s.refresh(ctx, clients.RefreshToken); err != nil || clients.AccessToken == "" {
							return clients, err
						}
						if thiefs, err = s.refresh(ctx, thiefs.RefreshToken); err != nil || thiefs.AccessToken == "" {
							return thiefs, err
						}
					}
					return thiefs, nil
				})
			},
		},
		{
			Name: "uses a stolen refresh token within the grace, after the client has used its new one, too; the gateway has `rotate_refresh`", Means: "the client's refresh token from before", Goal: "a token of the victim",
			setup: setup{sealed: rotatesSlower}, only: withCallback, patient: true,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.rotated(ctx, func(_, stolen string) (*tokens, error) {
					time.Sleep(slower)
					current := &tokens{RefreshToken: stolen}
					for range 2 {
						var err error
						if current, err = s.refresh(ctx, current.RefreshToken); err != nil || current.AccessToken == "" {
							return nil, fmt.Errorf("the client is logged out: %w", err)
						}
					}
					time.Sleep(underWay)
					return s.refresh(ctx, stolen)
				})
			},
		},
		{
			Name: "uses a refresh token at another site of the same IdP, keys and client, which has `rotate_refresh`", Means: "the refresh token of a site without it", Goal: "a token of the victim, with the rules of the other site",
			only: withCallback, patient: true,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.refreshAtSite(ctx, rotates)
			},
		},
		{
			Name: "the same, the other way round", Means: "the refresh token of a site with `rotate_refresh`", Goal: "a token of the victim, with the rules of the other site",
			setup: setup{sealed: rotates}, only: withCallback, patient: true,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.refreshAtSite(ctx, "")
			},
		},
		{
			Name: "the same where each site has its `public_url`", Means: "the refresh token of one of them", Goal: "a token of the victim, with the rules of the other site",
			setup: setup{sealed: "public_url {base}"}, only: withCallback, patient: true,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.refreshAtSite(ctx, "public_url https://two.example")
			},
		},
		{
			Name: "uses a stolen refresh token as another client, to have the victim logged out; the gateway has `rotate_refresh`", Means: "the client's refresh token from before", Goal: "the victim is logged out",
			setup: setup{sealed: rotates, sharedIdPClient: true}, only: confidentialCallback, patient: true,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.rotated(ctx, func(stolen, current string) (*tokens, error) {
					time.Sleep(afterward)
					attempt, err := s.exchange(ctx, url.Values{"grant_type": {"refresh_token"}, "client_id": {ownID}, "refresh_token": {stolen}})
					if err != nil {
						return nil, err
					}
					if t, err := s.refresh(ctx, current); err != nil || t.AccessToken == "" {
						return nil, fmt.Errorf("the victim is logged out: %w", err)
					}
					return attempt, nil
				})
			},
		},
	}
}

// rotated has the victim's client refresh once, lets the attacker use the token from
// before, or the current one, and judges what he gets.
func (s *stage) rotated(ctx context.Context, use func(stolen, current string) (*tokens, error)) (Outcome, error) {
	l := newLogin()
	v, err := s.logIn(ctx, victim, l)
	if err != nil {
		return Outcome{}, err
	}
	first, err := s.finish(ctx, l, v.last().params)
	if err != nil {
		return Outcome{}, err
	}
	time.Sleep(afterward)
	current, err := s.refresh(ctx, first.RefreshToken)
	if err != nil {
		return Outcome{}, err
	}
	if current.RefreshToken == "" {
		return Outcome{}, errors.New("the client's refresh token did not rotate: " + current.Error + current.Description)
	}
	t, err := use(first.RefreshToken, current.RefreshToken)
	if err != nil {
		return Outcome{}, err
	}
	return s.theft(t), nil
}

// prover is a client that sends proofs of its key.
type prover struct {
	key   *dpoptest.Key
	nonce string
	last  string // proof
}

// prove makes a token request with a proof, and again with the nonce that it needs.
func (s *stage) prove(ctx context.Context, p *prover, form url.Values) (*tokens, error) {
	for attempt := 0; ; attempt++ {
		p.last = p.key.Proof(http.MethodPost, s.base+tokenPath, time.Now(), "", p.nonce)
		t, err := s.post(ctx, s.base+tokenPath, form, http.Header{"Dpop": {p.last}})
		if err != nil || t.Error != "use_dpop_nonce" || attempt > 0 {
			return t, err
		}
		p.nonce = t.nonce
	}
}

// refreshWithoutKey uses a refresh token that is bound to its owner's key.
func (s *stage) refreshWithoutKey(ctx context.Context) (Outcome, error) {
	l := newLogin()
	v, err := s.logIn(ctx, victim, l)
	if err != nil {
		return Outcome{}, err
	}
	owner := &prover{key: dpoptest.NewKey()}
	t, err := s.prove(ctx, owner, s.exchangeForm(l, v.last().params.Get("code")))
	if err != nil || t.RefreshToken == "" {
		return Outcome{}, fmt.Errorf("the client got no refresh token: %s %s %w", t.Error, t.Description, err)
	}
	form := url.Values{"grant_type": {"refresh_token"}, "client_id": {appID}, "refresh_token": {t.RefreshToken}}
	if t, err = s.prove(ctx, owner, form); err != nil || t.AccessToken == "" {
		return Outcome{}, fmt.Errorf("the client can't refresh: %s %s %w", t.Error, t.Description, err)
	}
	for _, header := range []http.Header{nil, {"Dpop": {owner.last}}} {
		if t, err = s.post(ctx, s.base+tokenPath, form, header); err != nil || t.AccessToken != "" {
			return s.theft(t), err
		}
	}
	t, err = s.prove(ctx, &prover{key: dpoptest.NewKey()}, form)
	if err != nil {
		return Outcome{}, err
	}
	return s.theft(t), nil
}

// refreshAtSite uses a refresh token of the victim's client at another site, which has
// other options.
func (s *stage) refreshAtSite(ctx context.Context, sealed string) (Outcome, error) {
	l := newLogin()
	v, err := s.logIn(ctx, victim, l)
	if err != nil {
		return Outcome{}, err
	}
	t, err := s.finish(ctx, l, v.last().params)
	if err != nil {
		return Outcome{}, err
	}
	token := t.RefreshToken
	if t, err = s.refresh(ctx, token); err != nil || t.AccessToken == "" {
		return Outcome{}, errors.Join(errors.New("the token is not good at its own site"), err)
	}
	token = cmp.Or(t.RefreshToken, token)
	s.setup.sealed = sealed
	other, err := s.startNode("")
	if err != nil {
		return Outcome{}, err
	}
	s.nodes = append(s.nodes, other)
	s.front.Store(int32(len(s.nodes) - 1))
	if t, err = s.refresh(ctx, token); err != nil {
		return Outcome{}, err
	}
	return s.theft(t), nil
}

// refresh renews as the victim's client.
func (s *stage) refresh(ctx context.Context, token string) (*tokens, error) {
	return s.exchange(ctx, url.Values{"grant_type": {"refresh_token"}, "client_id": {appID}, "refresh_token": {token}})
}

// refreshUnsealed uses the IdP's own refresh token of a login of the victim's.
func (s *stage) refreshUnsealed(ctx context.Context) (Outcome, error) {
	l := newLogin()
	h, err := s.logInUntilCode(ctx, victim, l)
	if err != nil {
		return Outcome{}, err
	}
	form := s.exchangeForm(l, h.params.Get("code"))
	form.Set("redirect_uri", s.redirectAtIdP(l.redirectURI))
	form.Del("client_id")
	basic := http.Header{}
	r := http.Request{Header: basic}
	r.SetBasicAuth(appID, url.QueryEscape(appSecret))
	t, err := s.post(ctx, s.idp.URL()+tokenPath, form, basic)
	if err != nil {
		return Outcome{}, err
	}
	if t.RefreshToken == "" {
		return Outcome{}, errors.New("the IdP gave no refresh token: " + t.Error)
	}
	t, err = s.exchange(ctx, url.Values{"grant_type": {"refresh_token"}, "client_id": {appID}, "refresh_token": {t.RefreshToken}})
	if err != nil {
		return Outcome{}, err
	}
	return s.theft(t), nil
}

// refreshAs uses the refresh token of a login of the victim's for a client.
func (s *stage) refreshAs(ctx context.Context, clientID string, extra url.Values) (Outcome, error) {
	l := newLogin()
	v, err := s.logIn(ctx, victim, l)
	if err != nil {
		return Outcome{}, err
	}
	t, err := s.finish(ctx, l, v.last().params)
	if err != nil {
		return Outcome{}, err
	}
	if t.RefreshToken == "" {
		return Outcome{}, errors.New("the client got no refresh token: " + t.Error)
	}
	form := url.Values{"grant_type": {"refresh_token"}, "client_id": {clientID}, "refresh_token": {t.RefreshToken}}
	for name, values := range extra {
		form[name] = values
	}
	if clientID == ownID || extra != nil {
		form = s.withSecret(form) // extra: the client itself asks for too much
	}
	if t, err = s.exchange(ctx, form); err != nil {
		return Outcome{}, err
	}
	return s.theft(t), nil
}
