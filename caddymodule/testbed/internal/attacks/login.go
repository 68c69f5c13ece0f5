package attacks

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"golang.org/x/oauth2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

// login is one login of an application, from the point of view of who started
// it: it knows state, nonce and verifier. An honest application keeps it in its
// session with one browser.
type login struct {
	clientID, redirectURI  string
	state, nonce, verifier string
	scope                  string
	// checksState and checksNonce are what the application does with the response.
	checksState, checksNonce bool
}

// newLogin is a login as good applications begin it: with PKCE, state and nonce,
// all of which they check.
func newLogin() *login {
	return &login{
		clientID: appID, redirectURI: appRedirect, scope: "openid",
		state: rand.Text(), nonce: rand.Text(), verifier: oauth2.GenerateVerifier(),
		checksState: true, checksNonce: true,
	}
}

// withoutNonce is a login of an application that relies on PKCE and state.
func withoutNonce() *login {
	l := newLogin()
	l.nonce, l.checksNonce = "", false
	return l
}

// withoutIDToken is a login of an application that uses OAuth without OpenID Connect.
func withoutIDToken() *login {
	l := withoutNonce()
	l.scope = "profile"
	return l
}

// pkceOnly is a login of an application that relies on PKCE alone, which RFC 9700
// section 4.7.1 allows.
func pkceOnly() *login {
	l := withoutNonce()
	l.checksState = false
	return l
}

func (l *login) challenge() string { return oauth2.S256ChallengeFromVerifier(l.verifier) }

// request is the authorization request.
func (l *login) request() url.Values {
	q := url.Values{
		"response_type": {"code"}, "client_id": {l.clientID}, "redirect_uri": {l.redirectURI}, "scope": {l.scope},
		"state": {l.state}, "code_challenge": {l.challenge()}, "code_challenge_method": {"S256"}, "response_mode": {"query"},
	}
	if l.nonce != "" {
		q.Set("nonce", l.nonce)
	}
	return q
}

// authorizeURL is where the application sends the browser.
func (s *stage) authorizeURL(l *login) string { return at(s.base, authorizePath, l.request()) }

// logIn has a user go through a login up to the application's redirect URI. The
// application does not get the response.
func (s *stage) logIn(ctx context.Context, user string, l *login) (*visit, error) {
	b, err := s.browser(ctx, user)
	if err != nil {
		return nil, err
	}
	v, err := b.visit(ctx, s.authorizeURL(l))
	if err != nil {
		return nil, err
	}
	if v.last().String() != l.redirectURI || v.last().params.Get("code") == "" {
		return nil, v.describe("the login gave no code")
	}
	return v, nil
}

// logInUntilCode has a user go through a login up to where the IdP sends the
// code, which he never loads. With a callback that is the gateway's.
func (s *stage) logInUntilCode(ctx context.Context, user string, l *login) (hop, error) {
	return s.visitUntilCode(ctx, user, s.authorizeURL(l))
}

func (s *stage) visitUntilCode(ctx context.Context, user, address string) (hop, error) {
	b, err := s.browser(ctx, user)
	if err != nil {
		return hop{}, err
	}
	v, err := b.visitUntil(ctx, address, func(h hop) bool { return h.params.Get("code") != "" })
	if err != nil {
		return hop{}, err
	}
	return v.withCode()
}

// begin sends an authorization request without a browser, as the attacker does
// for logins of his own, and returns where the IdP is asked.
func (s *stage) begin(ctx context.Context, l *login) (hop, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.authorizeURL(l), nil)
	if err != nil {
		return hop{}, err
	}
	if s.mode.Protection == Nothing {
		return newHop(r.URL.String()) // it is asked already
	}
	got, err := s.do(r)
	if err != nil {
		return hop{}, err
	}
	next, err := got.leadsTo(r.URL)
	if err != nil || next == nil {
		return hop{}, fmt.Errorf("/authorize did not redirect: status %d, %.300s: %w", got.status, got.body, err)
	}
	return *next, nil
}

// deliver brings a code of the IdP to the callback, together with the state of a
// login of the attacker's own, and returns the code to exchange for that login:
// a sealed one, or the same one where there is no callback. "" means that the
// callback did not take it.
func (s *stage) deliver(ctx context.Context, code string, own *login) (string, error) {
	begun, err := s.begin(ctx, own)
	if err != nil || s.mode.Protection != WithCallback {
		return code, err
	}
	return s.deliverWithState(ctx, code, begun.params.Get("state"))
}

// redeemAsOwn delivers a code of the IdP in a login of the attacker's own,
// exchanges what comes of it, and judges the tokens.
func (s *stage) redeemAsOwn(ctx context.Context, code string, own *login) (Outcome, error) {
	delivered, err := s.deliver(ctx, code, own)
	if err != nil {
		return Outcome{}, err
	}
	t, err := s.exchange(ctx, s.exchangeForm(own, delivered))
	if err != nil {
		return Outcome{}, err
	}
	return s.theft(t), nil
}

func (s *stage) deliverWithState(ctx context.Context, code, state string) (string, error) {
	next, err := s.loadCallback(ctx, url.Values{"code": {code}, "state": {state}})
	if err != nil || next == nil {
		return "", err
	}
	return next.params.Get("code"), nil
}

// loadCallback loads the gateway's callback and returns where it leads.
func (s *stage) loadCallback(ctx context.Context, params url.Values) (*hop, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at(s.base, callbackPath, params), nil)
	if err != nil {
		return nil, err
	}
	got, err := s.do(r)
	if err != nil {
		return nil, err
	}
	return got.leadsTo(r.URL)
}

// tokens is a response of a token endpoint, and how it came about.
type tokens struct {
	status       int
	Error        string `json:"error"`
	Description  string `json:"error_description"`
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
	IDToken      string `json:"id_token"`
	// stoppedBy is who refused.
	stoppedBy Party
	nonce     string // for the next DPoP proof
}

// exchangeForm is the body of an exchange by a login's application.
func (s *stage) exchangeForm(l *login, code string) url.Values {
	form := url.Values{
		"grant_type": {"authorization_code"}, "client_id": {l.clientID}, "code": {code},
		"redirect_uri": {l.redirectURI}, "code_verifier": {l.verifier},
	}
	return form
}

// withSecret adds the client's own secret, where it has one. Who has it: the
// application, and the attacker for his own client.
func (s *stage) withSecret(form url.Values) url.Values {
	if s.mode.Confidential && s.mode.Protection != WithCallback {
		switch form.Get("client_id") {
		case appID:
			form.Set("client_secret", appSecret)
		case ownID:
			form.Set("client_secret", ownSecret)
		}
	}
	return form
}

// exchange posts to the token endpoint that clients talk to.
func (s *stage) exchange(ctx context.Context, form url.Values) (*tokens, error) {
	return s.post(ctx, s.base+tokenPath, form, nil)
}

// exchangeAtIdP posts to the IdP's own token endpoint.
func (s *stage) exchangeAtIdP(ctx context.Context, form url.Values) (*tokens, error) {
	return s.post(ctx, s.idp.URL()+tokenPath, form, nil)
}

func (s *stage) post(ctx context.Context, address string, form url.Values, header http.Header) (*tokens, error) {
	s.idp.Requests()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for name, values := range header {
		r.Header[name] = values
	}
	got, err := s.do(r)
	if err != nil {
		return nil, err
	}
	t := &tokens{status: got.status, nonce: got.header.Get("DPoP-Nonce")}
	if err := json.Unmarshal([]byte(got.body), t); err != nil && got.status == http.StatusOK {
		return nil, fmt.Errorf("the token endpoint's response is not JSON: %w", err)
	}
	if t.AccessToken == "" {
		t.stoppedBy = s.whoStopped()
	}
	return t, nil
}

// whoStopped says who refused the exchange that was just made: the IdP, if it
// was asked and said no.
func (s *stage) whoStopped() Party {
	for _, r := range s.idp.Requests() {
		if strings.HasSuffix(r.Path, "token") && r.Status != http.StatusOK {
			return IdP
		}
	}
	if s.mode.Protection == Nothing {
		return IdP
	}
	return Gateway
}

// finish is what the application does with the response in its login's browser.
// Errors are failures of the attack's machinery; a refusal is in the tokens.
func (s *stage) finish(ctx context.Context, l *login, params url.Values) (*tokens, error) {
	refuse := func(code string) (*tokens, error) { return &tokens{Error: code, stoppedBy: Client}, nil }
	if params.Get("code") == "" {
		return refuse("no code")
	}
	if l.checksState && params.Get("state") != l.state {
		return refuse("another state")
	}
	t, err := s.exchange(ctx, s.withSecret(s.exchangeForm(l, params.Get("code"))))
	if err != nil || t.AccessToken == "" {
		return t, err
	}
	if l.checksNonce {
		nonce, err := nonceOf(t.IDToken)
		if err != nil {
			return nil, err
		}
		if nonce != l.nonce {
			return refuse("another nonce")
		}
	}
	return t, nil
}

func nonceOf(idToken string) (string, error) {
	token, err := jwt.ParseSigned(idToken, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		return "", err
	}
	var claims struct {
		Nonce string `json:"nonce"`
	}
	return claims.Nonce, errors.Join(token.UnsafeClaimsWithoutVerification(&claims), nil)
}

// owner is whose account an access token opens.
func (s *stage) owner(t *tokens) testidp.Token {
	token, _ := s.idp.Lookup(t.AccessToken)
	return token
}
