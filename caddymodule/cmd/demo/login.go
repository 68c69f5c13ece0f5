package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/oauth2"
)

const maxResponseBytes = 1 << 20

// gatewayClient is the application: a public native client (RFC 8252).
type gatewayClient struct {
	url      string // of the gateway, without a trailing slash
	clientID string
	audience string
}

// finishedLogin is the token and how it was obtained.
type finishedLogin struct {
	token    *oauth2.Token
	visited  []page
	attempts []attempt // none if the gateway has no callback
}

// attempt is what somebody could try with a stolen code, and the gateway's error code.
type attempt struct{ name, rejection string }

// logIn runs the authorization code flow with PKCE (RFC 7636). The response comes
// to a listener on a free loopback port (RFC 8252 section 7.3).
func (g gatewayClient) logIn(ctx context.Context, username string) (finishedLogin, error) {
	callback, err := listenForCallback()
	if err != nil {
		return finishedLogin{}, err
	}
	defer callback.close()

	config := oauth2.Config{
		ClientID:    g.clientID,
		RedirectURL: callback.url,
		Scopes:      []string{"openid", "profile", "email", "offline_access"},
		Endpoint: oauth2.Endpoint{
			AuthURL:   g.url + "/authorize",
			TokenURL:  g.url + "/oauth/token",
			AuthStyle: oauth2.AuthStyleInParams,
		},
	}
	state, verifier := rand.Text(), oauth2.GenerateVerifier()
	authorizeURL := config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier),
		oauth2.SetAuthURLParam("audience", g.audience),
		oauth2.SetAuthURLParam("response_mode", "query"))

	browser := newBrowser()
	if err := browser.walk(ctx, authorizeURL, username); err != nil {
		return finishedLogin{}, err
	}
	response, err := callback.wait(ctx)
	if err != nil {
		return finishedLogin{}, err
	}
	if problem := response.Get("error"); problem != "" {
		return finishedLogin{}, fmt.Errorf("the login was rejected: %s: %s", problem, response.Get("error_description"))
	}
	if response.Get("state") != state {
		return finishedLogin{}, errors.New("the state of the response is not the state of the request: the response belongs to another login")
	}
	login := finishedLogin{visited: browser.visited}
	code := response.Get("code")
	if own := browser.firstCode(); own != code {
		for _, theft := range []struct{ name, code, verifier string }{
			{"the identity provider's own code", own, verifier},
			{"the sealed code with the verifier of another login", code, oauth2.GenerateVerifier()},
		} {
			rejection, err := rejectionOf(config.Exchange(ctx, theft.code, oauth2.VerifierOption(theft.verifier)))
			if err != nil {
				return finishedLogin{}, fmt.Errorf("trying %s: %w", theft.name, err)
			}
			login.attempts = append(login.attempts, attempt{theft.name, rejection})
		}
	}
	if login.token, err = config.Exchange(ctx, code, oauth2.VerifierOption(verifier)); err != nil {
		return finishedLogin{}, fmt.Errorf("exchanging the code: %w", err)
	}
	return login, nil
}

// rejectionOf is the error code of an exchange that has to fail.
func rejectionOf(_ *oauth2.Token, err error) (string, error) {
	var rejected *oauth2.RetrieveError
	switch {
	case err == nil:
		return "", errors.New("the gateway handed out a token")
	case errors.As(err, &rejected) && rejected.ErrorCode != "":
		return rejected.ErrorCode, nil
	}
	return "", err
}

// userInfo reads the claims of the user that the token stands for.
func (g gatewayClient) userInfo(ctx context.Context, token *oauth2.Token) (map[string]any, error) {
	client := oauth2.NewClient(ctx, oauth2.StaticTokenSource(token))
	response, err := client.Get(g.url + "/userinfo")
	if err != nil {
		return nil, fmt.Errorf("reading the user info: %w", err)
	}
	body, err := readResponse(response, "reading the user info")
	if err != nil {
		return nil, err
	}
	var user map[string]any
	if err := json.Unmarshal(body, &user); err != nil {
		return nil, fmt.Errorf("the user info is not JSON: %w", err)
	}
	return user, nil
}

// callbackListener waits on a loopback port for the response to the login.
type callbackListener struct {
	url       string
	server    *http.Server
	responses chan url.Values
}

func listenForCallback() (*callbackListener, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening for the response to the login: %w", err)
	}
	c := &callbackListener{
		url:       "http://" + listener.Addr().String() + "/callback",
		responses: make(chan url.Values, 1),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /callback", func(w http.ResponseWriter, r *http.Request) {
		select {
		case c.responses <- r.URL.Query():
		default: // only the first response counts
		}
		io.WriteString(w, "You can close this page.\n")
	})
	c.server = &http.Server{Handler: mux}
	go c.server.Serve(listener)
	return c, nil
}

func (c *callbackListener) wait(ctx context.Context) (url.Values, error) {
	select {
	case response := <-c.responses:
		return response, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *callbackListener) close() { c.server.Close() }

// browser stands in for the user's: it keeps cookies, follows redirects and
// fills in the development login page.
type browser struct {
	client  *http.Client
	visited []page
}

// page is a page that the browser opened, without its query: code is the one in
// there, and not for the screen.
type page struct{ address, code string }

func newBrowser() *browser {
	jar, _ := cookiejar.New(nil) // without options it cannot fail
	b := &browser{}
	b.client = &http.Client{Jar: jar, CheckRedirect: func(request *http.Request, via []*http.Request) error {
		if len(via) >= 10 {
			return errors.New("more than 10 redirects")
		}
		b.visit(request.URL)
		return nil
	}}
	return b
}

func (b *browser) visit(u *url.URL) {
	b.visited = append(b.visited, page{u.Host + u.Path, u.Query().Get("code")})
}

// firstCode is the code of the identity provider, which a gateway with a callback
// replaces on the way to the app.
func (b *browser) firstCode() string {
	for _, p := range b.visited {
		if p.code != "" {
			return p.code
		}
	}
	return ""
}

var (
	loginForm  = regexp.MustCompile(`<form method="post" action="([^"]+)"`)
	loginState = regexp.MustCompile(`name="state" value="([^"]+)"`)
)

// walk opens the authorization URL and goes on until no form is left.
func (b *browser) walk(ctx context.Context, authorizeURL, username string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, authorizeURL, nil)
	if err != nil {
		return fmt.Errorf("the gateway's address cannot be used: %w", err)
	}
	b.visit(request.URL)
	request.Header.Set("Accept", "text/html")
	response, err := b.client.Do(request)
	if err != nil {
		return fmt.Errorf("opening the login page: %w", withoutQuery(err))
	}
	page, err := readResponse(response, "opening the login page")
	if err != nil {
		return err
	}
	form, state := loginForm.FindSubmatch(page), loginState.FindSubmatch(page)
	if form == nil || state == nil {
		return nil // finished without a page
	}
	action, err := response.Request.URL.Parse(string(form[1]))
	if err != nil {
		return fmt.Errorf("the login form's address cannot be used: %w", err)
	}
	request, err = http.NewRequestWithContext(ctx, http.MethodPost, action.String(),
		strings.NewReader(url.Values{"state": {string(state[1])}, "username": {username}}.Encode()))
	if err != nil {
		return fmt.Errorf("the login form's address cannot be used: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err = b.client.Do(request)
	if err != nil {
		return fmt.Errorf("logging in as %s: %w", username, withoutQuery(err))
	}
	_, err = readResponse(response, "logging in as "+username)
	return err
}

// withoutQuery drops the URL from an error of net/http: it may hold a code.
func withoutQuery(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

var pageText = regexp.MustCompile(`(?s)<h1>(.*?)</h1>\s*<p>(.*?)</p>`)

// readResponse reads a successful response; the error for another one holds what
// the server says about it.
func readResponse(response *http.Response, doing string) ([]byte, error) {
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxResponseBytes))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	if response.StatusCode == http.StatusOK {
		return body, nil
	}
	said := strings.TrimSpace(string(body))
	if text := pageText.FindSubmatch(body); text != nil {
		said = string(text[1]) + " " + string(text[2])
	}
	if len(said) > 300 {
		said = said[:300] + "..."
	}
	return nil, fmt.Errorf("%s: %s responded %s: %s", doing, response.Request.URL.Host, response.Status, said)
}
