package lifecycle_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/oauth2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

// The registrations: of the application at the gateway, and of the gateway at the IdP.
const (
	clientID    = "app"
	redirectURI = "https://app.example/callback"
	callbackURI = "/oauth/callback"
	secret      = "the secret of the gateway"
	user        = "user-1"
)

// login is one login. Its steps go in this order: authorize, atIdP, callback, exchange.
type login struct {
	node            *node
	app             oauth2.Config
	verifier, state string
	at              string // where the browser is to go next
	code, token     string // what the application got
}

func (n *node) login() *login {
	return &login{node: n, verifier: oauth2.GenerateVerifier(), state: rand.Text(), app: oauth2.Config{
		ClientID: clientID, RedirectURL: redirectURI, Scopes: []string{"openid"},
		Endpoint: oauth2.Endpoint{AuthURL: n.url() + "/authorize", TokenURL: n.url() + "/oauth/token", AuthStyle: oauth2.AuthStyleInParams},
	}}
}

// authorize asks the gateway, which sends the browser to the IdP.
func (l *login) authorize() error {
	return l.open("authorize", l.app.AuthCodeURL(l.state, oauth2.S256ChallengeOption(l.verifier)))
}

// atIdP lets the user log in at the IdP, which sends the browser to the callback.
func (l *login) atIdP() error { return l.open("at the IdP", l.at) }

// callback opens the gateway's callback, which sends the browser to the application with a code.
func (l *login) callback() error {
	if err := l.open("callback", l.at); err != nil {
		return err
	}
	back, err := url.Parse(l.at)
	if err != nil {
		return err
	}
	query := back.Query()
	if l.code = query.Get("code"); l.code == "" || !strings.HasPrefix(l.at, redirectURI+"?") || query.Get("state") != l.state {
		return fmt.Errorf("callback: %s %s", query.Get("error"), query.Get("error_description"))
	}
	return nil
}

func (l *login) exchange() error {
	ctx := context.WithValue(l.node.tr.Context(), oauth2.HTTPClient, l.node.client)
	token, err := l.app.Exchange(ctx, l.code, oauth2.VerifierOption(l.verifier))
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		return fmt.Errorf("exchange: %s: %w", refused.Response.Status, err)
	}
	if err == nil {
		l.token = token.AccessToken
	}
	return err
}

// begin goes up to where the IdP sends the browser back to the callback.
func (l *login) begin() error { return inTurn(l.authorize, l.atIdP) }

// finish goes on from there to the token.
func (l *login) finish() error { return inTurn(l.callback, l.exchange) }

func (l *login) run() error { return inTurn(l.begin, l.finish) }

// inTurn takes steps up to the first one that fails.
func inTurn(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (l *login) open(step, address string) error {
	r, err := http.NewRequestWithContext(l.node.tr.Context(), http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	r.AddCookie(testidp.UserCookie(user))
	response, _, err := send(l.node.client, r, step, http.StatusFound, http.StatusSeeOther)
	if err != nil {
		return err
	}
	if l.at = response.Header.Get("Location"); l.at == "" {
		return fmt.Errorf("%s: the redirect leads nowhere", step)
	}
	return nil
}

// send sends a request. A response with another status is an error, with its beginning.
func send(client *http.Client, r *http.Request, step string, statuses ...int) (*http.Response, []byte, error) {
	response, err := client.Do(r)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err // its URL may hold a code
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", step, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && !slices.Contains(statuses, response.StatusCode) {
		err = fmt.Errorf("status %d %.300s", response.StatusCode, body)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", step, err)
	}
	return response, body, nil
}

// again sends a request again whose connection was dropped, as browsers do: Caddy
// opens its sockets anew with each configuration, and the kernel resets what waits
// at those that are closed.
type again struct{ http.RoundTripper }

func (a again) RoundTrip(r *http.Request) (*http.Response, error) {
	for tries := 0; ; tries++ {
		response, err := a.RoundTripper.RoundTrip(r)
		if tries == 3 || !isDropped(err) || r.Body != nil && r.GetBody == nil {
			return response, err
		}
		if r.GetBody != nil {
			r = r.Clone(r.Context())
			if r.Body, err = r.GetBody(); err != nil {
				return nil, err
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// isDropped reports that a connection was closed before an answer began.
func isDropped(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.EPIPE) ||
		err != nil && strings.Contains(err.Error(), "server closed idle connection") // net/http has no name for it
}
