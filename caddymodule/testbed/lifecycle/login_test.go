package lifecycle_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/oauth2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

// The registrations: of the application at the gateway, and of the gateway at the IdP.
const (
	ClientID    = "app"
	RedirectURI = "https://app.example/callback"
	CallbackURI = "/oauth/callback"
	Secret      = "the secret of the gateway"
	User        = "user-1"
)

// Behavior is that of an IdP that knows the gateway, which is reached at a URL,
// and issues tokens once for each code.
func Behavior(gateway string) testidp.Behavior {
	return testidp.Behavior{
		Clients:   []testidp.Client{{ID: ClientID, RedirectURIs: []string{gateway + CallbackURI}, Auth: testidp.ClientSecretBasic, Secret: Secret}},
		SingleUse: true,
	}
}

// Directive is the directive of a gateway with its callback in front of an IdP, and
// with further options.
func Directive(idp, options string) string {
	return fmt.Sprintf(`identity_gateway %s {
	parameters oauth
	callback
	client %[2]s {
		redirect_uri %[3]s
		idp_client %[2]s {
			secret %[4]q
		}
	}
	%[5]s
}`, idp, ClientID, RedirectURI, Secret, strings.ReplaceAll(strings.TrimSpace(options), "\n", "\n\t"))
}

// Refusal is a response that is not what the step of a login should get.
type Refusal struct {
	Step        string
	Status      int
	Code        string // the OAuth error code, if there is one
	Description string
}

// Error implements error.
func (r *Refusal) Error() string {
	return fmt.Sprintf("%s: status %d %s %s", r.Step, r.Status, r.Code, r.Description)
}

// Login is one login. Its steps go in this order: Authorize, AtIdP, Callback,
// Exchange.
type Login struct {
	// Gateway is the address of the gateway, without a trailing slash. It may change between
	// steps, from one node to another. The IdP sends the browser to it, too, whatever
	// the host of the redirect URI.
	Gateway string
	// Client sends the requests, and follows no redirects.
	Client *http.Client

	verifier, state string
	// At is where the browser is to go next.
	At string
	// Code is the one that the application got.
	Code string
}

// NewClient makes a client that follows no redirects. Each request has a connection
// of its own unless keep is set.
func NewClient(keep bool) *http.Client {
	return &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: !keep, MaxIdleConnsPerHost: 64},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// NewLogin is a login that has not begun.
func NewLogin(client *http.Client, gateway string) *Login {
	return &Login{Gateway: gateway, Client: client, verifier: oauth2.GenerateVerifier(), state: rand.Text()}
}

// Authorize asks the gateway, which sends the browser to the IdP.
func (l *Login) Authorize(ctx context.Context) error {
	query := url.Values{
		"response_type": {"code"}, "client_id": {ClientID}, "redirect_uri": {RedirectURI}, "scope": {"openid"}, "state": {l.state},
		"code_challenge": {oauth2.S256ChallengeFromVerifier(l.verifier)}, "code_challenge_method": {"S256"},
	}
	return l.open(ctx, "authorize", l.Gateway+"/authorize?"+query.Encode())
}

// AtIdP lets the user log in at the IdP, which sends the browser to the callback.
func (l *Login) AtIdP(ctx context.Context) error { return l.open(ctx, "at the IdP", l.At) }

// Callback opens the gateway's callback, which sends the browser to the application with a code.
func (l *Login) Callback(ctx context.Context) error {
	u, err := url.Parse(l.At)
	if err != nil {
		return err
	}
	if err := l.open(ctx, "callback", l.Gateway+u.RequestURI()); err != nil {
		return err
	}
	back, err := url.Parse(l.At)
	if err != nil {
		return err
	}
	query := back.Query()
	if l.Code = query.Get("code"); l.Code == "" || !strings.HasPrefix(l.At, RedirectURI+"?") || query.Get("state") != l.state {
		return &Refusal{Step: "callback", Status: http.StatusSeeOther, Code: query.Get("error"), Description: query.Get("error_description")}
	}
	return nil
}

// Token is what an exchange gives.
type Token struct {
	AccessToken string `json:"access_token"`
	IDToken     string `json:"id_token"`
}

// Exchange exchanges the code for a token.
func (l *Login) Exchange(ctx context.Context) (*Token, error) {
	form := url.Values{
		"grant_type": {"authorization_code"}, "client_id": {ClientID}, "redirect_uri": {RedirectURI}, "code": {l.Code}, "code_verifier": {l.verifier},
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.Gateway+"/oauth/token", strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	_, body, err := l.do(request, "exchange", http.StatusOK)
	if err != nil {
		return nil, err
	}
	token := new(Token)
	if err := json.Unmarshal(body, token); err != nil || token.AccessToken == "" {
		return nil, fmt.Errorf("exchange: no token in %q", body)
	}
	return token, nil
}

// Begin goes up to where the IdP sends the browser back to the callback.
func (l *Login) Begin(ctx context.Context) error {
	if err := l.Authorize(ctx); err != nil {
		return err
	}
	return l.AtIdP(ctx)
}

// Finish goes on from there to the token.
func (l *Login) Finish(ctx context.Context) (*Token, error) {
	if err := l.Callback(ctx); err != nil {
		return nil, err
	}
	return l.Exchange(ctx)
}

// Run is a whole login.
func (l *Login) Run(ctx context.Context) (*Token, error) {
	if err := l.Begin(ctx); err != nil {
		return nil, err
	}
	return l.Finish(ctx)
}

// UserInfo asks who the user of a token is. It must be [User].
func UserInfo(ctx context.Context, client *http.Client, gateway string, token *Token) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, gateway+"/userinfo", nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token.AccessToken)
	_, body, err := (&Login{Client: client}).do(request, "user info", http.StatusOK)
	if err != nil {
		return err
	}
	var user struct {
		Sub string `json:"sub"`
	}
	if err := json.Unmarshal(body, &user); err != nil || user.Sub != User {
		return fmt.Errorf("user info: it says %q", body)
	}
	return nil
}

// open has the browser open a URL, from which it is sent on.
func (l *Login) open(ctx context.Context, step, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	request.AddCookie(testidp.UserCookie(User))
	response, body, err := l.do(request, step, http.StatusFound, http.StatusSeeOther, http.StatusOK)
	if err != nil {
		return err
	}
	if l.At = cmp.Or(response.Header.Get("Location"), submitted(body)); l.At == "" {
		return fmt.Errorf("%s: the redirect leads nowhere", step)
	}
	return nil
}

// do sends a request. A response with another status is a [Refusal].
func (l *Login) do(request *http.Request, step string, statuses ...int) (*http.Response, []byte, error) {
	response, err := l.Client.Do(request)
	if err != nil {
		var where *url.Error
		if errors.As(err, &where) {
			err = where.Err // its URL may hold a code
		}
		return nil, nil, fmt.Errorf("%s: %w", step, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", step, err)
	}
	for _, status := range statuses {
		if response.StatusCode == status {
			return response, body, nil
		}
	}
	var said struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	if json.Unmarshal(body, &said) != nil {
		said.Description = strings.TrimSpace(string(body[:min(len(body), 300)]))
	}
	return nil, nil, &Refusal{Step: step, Status: response.StatusCode, Code: said.Error, Description: said.Description}
}

var (
	formAction = regexp.MustCompile(`<form method="post" action="([^"]+)"`)
	formField  = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)
)

// submitted is where the form of a page (OAuth 2.0 Form Post Response Mode) leads, with its
// fields as a query, which the callback takes, too; "" if there is none.
func submitted(page []byte) string {
	action := formAction.FindSubmatch(page)
	if action == nil {
		return ""
	}
	query := make(url.Values)
	for _, field := range formField.FindAllSubmatch(page, -1) {
		query.Set(html.UnescapeString(string(field[1])), html.UnescapeString(string(field[2])))
	}
	return html.UnescapeString(string(action[1])) + "?" + query.Encode()
}
