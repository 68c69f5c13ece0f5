package interop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/form"
)

// Who logs in at every provider.
const username, password = "ada", "lovelace"

// browserServer is the browser, and the person in front of it, of clients that
// have none: it follows redirects, keeps cookies, fills in login forms and
// presses the only button there is. It also serves the pages behind the clients'
// redirect URI and return URL, and takes requests to browse from scripts.
type browserServer struct {
	transport http.RoundTripper
	base      string
	current   *browser // of one person, from login to logout
	// atLogin is called once, before that person sends the login form.
	atLogin func()
}

func newBrowserServer(t *testing.T, transport http.RoundTripper) *browserServer {
	s := &browserServer{transport: transport}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /walk", s.serveWalk)
	mux.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "callback") })
	mux.HandleFunc("/goodbye", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "goodbye") })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.base = server.URL
	return s
}

// reset starts a browser without cookies, for the next person.
func (s *browserServer) reset() { s.current = s.newBrowser() }

func (s *browserServer) redirectURI() string { return s.base + "/callback" }
func (s *browserServer) returnTo() string    { return s.base + "/goodbye" }

// arrival is where a walk ended: at the client's own server, or on a page with
// nothing left to do.
type arrival struct {
	URL    string `json:"url"`
	Params string `json:"params"` // of the query, the fragment or the posted form
	Page   string `json:"page,omitempty"`
}

func (s *browserServer) serveWalk(w http.ResponseWriter, r *http.Request) {
	var ask struct{ URL string }
	if err := json.NewDecoder(r.Body).Decode(&ask); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	arrived, err := s.current.visit(r.Context(), ask.URL)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	json.NewEncoder(w).Encode(arrived)
}

type browser struct {
	server *browserServer
	client *http.Client
	until  string // where it stops, too
}

func (s *browserServer) newBrowser() *browser {
	jar, _ := cookiejar.New(nil) // without options it cannot fail
	return &browser{server: s, client: &http.Client{
		Jar: jar, Transport: s.transport, Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// visit opens a page and goes on until the client's own server is reached.
func (b *browser) visit(ctx context.Context, address string) (_ *arrival, err error) {
	defer fail.Catch(&err)
	request := fail.Must(http.NewRequestWithContext(ctx, http.MethodGet, address, nil))
	for range 30 {
		if at := request.URL.String(); strings.HasPrefix(at, b.server.base) || b.until != "" && strings.HasPrefix(at, b.until) {
			return arrive(request)
		}
		request.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
		response := fail.Must(b.client.Do(request))
		body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
		response.Body.Close()
		if err != nil {
			return nil, err
		}
		if location := response.Header.Get("Location"); location != "" && response.StatusCode/100 == 3 {
			target := fail.Must(request.URL.Parse(location))
			request = fail.Must(http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil))
			continue
		}
		next := fail.Must(b.next(ctx, request.URL, response, body))
		if next == nil {
			if response.StatusCode >= 400 {
				return nil, fmt.Errorf("%s responded %s: %.300s", request.URL.Redacted(), response.Status, body)
			}
			return &arrival{URL: request.URL.String(), Page: string(body)}, nil
		}
		request = next
	}
	return nil, errors.New("the redirects do not end: 30 pages and no end in sight")
}

func arrive(request *http.Request) (*arrival, error) {
	arrived := &arrival{URL: request.URL.String(), Params: request.URL.RawQuery}
	if request.URL.Fragment != "" {
		arrived.Params = request.URL.EscapedFragment()
	}
	if request.Body != nil {
		form, err := io.ReadAll(request.Body)
		if err != nil {
			return nil, err
		}
		arrived.Params = string(form)
	}
	return arrived, nil
}

// next is what a person does on a page: fill in the form and send it.
func (b *browser) next(ctx context.Context, page *url.URL, response *http.Response, body []byte) (*http.Request, error) {
	login, err := form.Read(body)
	if err != nil || login == nil || response.StatusCode >= 500 {
		return nil, err
	}
	if before := b.server.atLogin; before != nil {
		b.server.atLogin = nil
		before()
	}
	return login.Submit(ctx, page, username, password)
}
