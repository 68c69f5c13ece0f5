package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
)

// Attack is one attempt against the gateway, and what came of it.
type Attack struct {
	Name     string
	Rejected bool
	Detail   string
}

// Hostile attacks the gateway in front of a provider that checks nothing: npm
// @simulacrum/auth0-simulator takes any verifier, takes a code as often as it
// is sent, and follows any returnTo. Each attack is also tried at the provider
// itself, where it must succeed: else the gateway's rejection would prove nothing.
func Hostile(ctx context.Context) ([]Attack, error) {
	e, running, err := start(ctx, IdP{Name: "auth0-simulator", start: startSimulator})
	if err != nil {
		return nil, err
	}
	defer e.close()
	registration := Registrations()[1]
	if err := startGateway(ctx, e, running, registration); err != nil {
		return nil, err
	}
	h := &attacker{
		e: e, s: e.session(running, registration), idp: running,
		client: &http.Client{
			Transport: e.authority.transport(), Timeout: 30 * time.Second,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}

	var attacks []Attack
	for _, attack := range []struct {
		name string
		run  func(context.Context) (string, error)
	}{
		{"an exchange with the verifier of the thief's own login", h.otherVerifier},
		{"an exchange without a verifier", h.noVerifier},
		{"a second exchange of a code", h.replay},
		{"a second code from a callback that is loaded again", h.callbackTwice},
		{"20 exchanges of one code at once", h.parallelExchanges},
		{"the IdP's own code, stolen at the callback", h.rawCode},
		{"a code from a login at the IdP without PKCE", h.downgrade},
		{"an exchange with another redirect_uri", h.otherRedirectURI},
		{"a login for an unregistered redirect_uri", h.unregisteredRedirectURI},
		{"a logout to an unregistered returnTo", h.unregisteredReturnTo},
	} {
		detail, err := attack.run(ctx)
		if err != nil {
			return attacks, fmt.Errorf("%s could not be tried: %w", attack.name, err)
		}
		attacks = append(attacks, Attack{Name: attack.name, Rejected: detail == "", Detail: detail})
	}
	leak, err := h.secretsInLog()
	if err != nil {
		return attacks, err
	}
	return append(attacks, Attack{Name: "reading codes, verifiers and tokens in the gateway's log", Rejected: leak == "", Detail: leak}), nil
}

// attacker remembers every secret it saw, to look for them in the log.
type attacker struct {
	e      *environment
	s      session
	idp    *runningIdP
	client *http.Client

	mu      sync.Mutex
	secrets []string
}

func (h *attacker) remember(secrets ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.secrets = append(h.secrets, secrets...)
}

// response of a token endpoint.
type tokenResponse struct {
	status       int
	Error        string `json:"error"`
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
	IDToken      string `json:"id_token"`
}

func (r tokenResponse) rejected() bool { return r.status >= 400 && r.AccessToken == "" }

// login is one that a person finished.
type login struct {
	code     string // the client's
	raw      string // the provider's, equal without the gateway
	callback string // the address with raw
	verifier string
}

// logIn has a person log in, through the gateway or at the provider itself.
func (h *attacker) logIn(ctx context.Context, base string) (login, error) {
	l := login{verifier: oauth2.GenerateVerifier()}
	query := url.Values{
		"client_id": {h.s.ClientID}, "redirect_uri": {h.s.RedirectURI}, "response_type": {"code"}, "response_mode": {"query"},
		"scope": {h.s.Scope}, "audience": {h.s.Audience}, "state": {rand.Text()}, "nonce": {rand.Text()},
	}
	if base == h.s.Gateway {
		query.Set("code_challenge", oauth2.S256ChallengeFromVerifier(l.verifier))
		query.Set("code_challenge_method", "S256")
	}
	arrived, err := h.e.browser.newBrowser().visit(ctx, base+"/authorize?"+query.Encode())
	if err != nil {
		return l, err
	}
	response, err := url.ParseQuery(arrived.Params)
	if err != nil {
		return l, err
	}
	l.code, l.raw, l.callback = response.Get("code"), response.Get("code"), arrived.callback
	if l.callback != "" {
		callback, err := url.Parse(l.callback)
		if err != nil {
			return l, err
		}
		l.raw = callback.Query().Get("code")
	}
	if l.code == "" || l.raw == "" {
		return l, errors.New("the login gave no code")
	}
	h.remember(l.code, l.raw)
	return l, nil
}

func (h *attacker) exchange(ctx context.Context, base, code, verifier, redirectURI string) (tokenResponse, error) {
	form := url.Values{"grant_type": {"authorization_code"}, "client_id": {h.s.ClientID}, "code": {code}, "redirect_uri": {redirectURI}}
	if verifier != "" {
		h.remember(verifier)
		form.Set("code_verifier", verifier)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/oauth/token", strings.NewReader(form.Encode()))
	if err != nil {
		return tokenResponse{}, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	httpResponse, err := h.client.Do(request)
	if err != nil {
		return tokenResponse{}, err
	}
	defer httpResponse.Body.Close()
	response := tokenResponse{status: httpResponse.StatusCode}
	if err := json.NewDecoder(httpResponse.Body).Decode(&response); err != nil {
		return response, fmt.Errorf("the response %s is not JSON: %w", httpResponse.Status, err)
	}
	for _, token := range []string{response.AccessToken, response.RefreshToken, response.IDToken} {
		if token != "" {
			h.remember(token)
		}
	}
	return response, nil
}

// attempt exchanges the client's code through the gateway, which must reject
// that, and the provider's code with the same verifier there, which must succeed.
func (h *attacker) attempt(ctx context.Context, l login, redirectURI string) (string, error) {
	through, err := h.exchange(ctx, h.s.Gateway, l.code, l.verifier, redirectURI)
	if err != nil {
		return "", err
	}
	direct, err := h.exchange(ctx, h.idp.authURL, l.raw, l.verifier, redirectURI)
	if err != nil {
		return "", err
	}
	if direct.AccessToken == "" {
		return "", fmt.Errorf("the provider itself rejects it (%s)", direct.Error)
	}
	if !through.rejected() {
		return "it got a token", nil
	}
	return "", nil
}

func (h *attacker) otherVerifier(ctx context.Context) (string, error) {
	own, err := h.logIn(ctx, h.s.Gateway)
	if err != nil {
		return "", err
	}
	victims, err := h.logIn(ctx, h.s.Gateway)
	if err != nil {
		return "", err
	}
	victims.verifier = own.verifier
	return h.attempt(ctx, victims, h.s.RedirectURI)
}

func (h *attacker) noVerifier(ctx context.Context) (string, error) {
	l, err := h.logIn(ctx, h.s.Gateway)
	if err != nil {
		return "", err
	}
	l.verifier = ""
	return h.attempt(ctx, l, h.s.RedirectURI)
}

// honestLogin is one that must succeed through the gateway.
func (h *attacker) honestLogin(ctx context.Context) (login, error) {
	l, err := h.logIn(ctx, h.s.Gateway)
	if err != nil {
		return l, err
	}
	response, err := h.exchange(ctx, h.s.Gateway, l.code, l.verifier, h.s.RedirectURI)
	if err == nil && response.AccessToken == "" {
		err = fmt.Errorf("an honest login was rejected: %s", response.Error)
	}
	return l, err
}

func (h *attacker) replay(ctx context.Context) (string, error) {
	l, err := h.honestLogin(ctx)
	if err != nil {
		return "", err
	}
	return h.attempt(ctx, l, h.s.RedirectURI)
}

func (h *attacker) callbackTwice(ctx context.Context) (string, error) {
	l, err := h.honestLogin(ctx)
	if err != nil {
		return "", err
	}
	arrived, err := h.e.browser.newBrowser().visit(ctx, l.callback)
	if err != nil {
		return "", err
	}
	response, err := url.ParseQuery(arrived.Params)
	if err != nil {
		return "", err
	}
	if l.code == response.Get("code") || response.Get("code") == "" {
		return "", errors.New("the callback gave no other code")
	}
	l.code = response.Get("code")
	h.remember(l.code)
	return h.attempt(ctx, l, h.s.RedirectURI)
}

func (h *attacker) parallelExchanges(ctx context.Context) (string, error) {
	l, err := h.logIn(ctx, h.s.Gateway)
	if err != nil {
		return "", err
	}
	const attempts = 20
	responses := make([]tokenResponse, attempts)
	failures := make([]error, attempts)
	var group sync.WaitGroup
	for i := range attempts {
		group.Go(func() { responses[i], failures[i] = h.exchange(ctx, h.s.Gateway, l.code, l.verifier, h.s.RedirectURI) })
	}
	group.Wait()
	if err := errors.Join(failures...); err != nil {
		return "", err
	}
	succeeded := 0
	for _, response := range responses {
		if !response.rejected() {
			succeeded++
		}
	}
	if succeeded != 1 {
		return fmt.Sprintf("%d of %d got a token, not one", succeeded, attempts), nil
	}
	return "", nil
}

func (h *attacker) rawCode(ctx context.Context) (string, error) {
	l, err := h.logIn(ctx, h.s.Gateway)
	if err != nil {
		return "", err
	}
	l.code = l.raw
	return h.attempt(ctx, l, h.s.RedirectURI)
}

func (h *attacker) downgrade(ctx context.Context) (string, error) {
	l, err := h.logIn(ctx, h.idp.authURL)
	if err != nil {
		return "", err
	}
	return h.attempt(ctx, l, h.s.RedirectURI)
}

func (h *attacker) otherRedirectURI(ctx context.Context) (string, error) {
	l, err := h.logIn(ctx, h.s.Gateway)
	if err != nil {
		return "", err
	}
	// Registered as well: a native application may use any loopback port.
	return h.attempt(ctx, l, "http://127.0.0.1:1/callback")
}

func (h *attacker) unregisteredRedirectURI(ctx context.Context) (string, error) {
	return h.follow(ctx, "/authorize?"+url.Values{
		"client_id": {h.s.ClientID}, "redirect_uri": {"https://evil.example/callback"}, "response_type": {"code"}, "response_mode": {"query"},
		"scope": {h.s.Scope}, "audience": {h.s.Audience}, "code_challenge_method": {"S256"},
		"code_challenge": {oauth2.S256ChallengeFromVerifier(oauth2.GenerateVerifier())},
	}.Encode())
}

func (h *attacker) unregisteredReturnTo(ctx context.Context) (string, error) {
	return h.follow(ctx, "/v2/logout?"+url.Values{"client_id": {h.s.ClientID}, "returnTo": {"https://evil.example/"}}.Encode())
}

// follow says whether a request is redirected by the gateway; at the IdP it must be.
func (h *attacker) follow(ctx context.Context, pathAndQuery string) (string, error) {
	status := func(base string) (int, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+pathAndQuery, nil)
		if err != nil {
			return 0, err
		}
		response, err := h.client.Do(request)
		if err != nil {
			return 0, err
		}
		return response.StatusCode, response.Body.Close()
	}
	direct, err := status(h.idp.authURL)
	if err != nil {
		return "", err
	}
	if direct/100 != 3 {
		return "", fmt.Errorf("the provider itself responses %d", direct)
	}
	through, err := status(h.s.Gateway)
	if err != nil {
		return "", err
	}
	if through != http.StatusBadRequest {
		return fmt.Sprintf("the gateway responded %d", through), nil
	}
	return "", nil
}

// secretsInLog looks for everything secret of this run in the gateway's log of
// access, error and debug lines.
func (h *attacker) secretsInLog() (string, error) {
	content, err := os.ReadFile(filepath.Join(h.e.dir, gatewayLog))
	if err != nil {
		return "", err
	}
	if len(content) == 0 {
		return "", errors.New("the log is empty")
	}
	for line := range strings.Lines(string(content)) {
		for _, secret := range h.secrets {
			if at := strings.Index(line, secret); at >= 0 || strings.Contains(line, url.QueryEscape(secret)) {
				return "found one in a line of " + loggerName(line), nil
			}
		}
	}
	return "", nil
}

func loggerName(line string) string {
	var entry struct{ Logger string }
	json.Unmarshal([]byte(line), &entry)
	return entry.Logger
}
