//go:build unix

package redis

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

// Most of what takes long here waits: for a Redis that comes back, and for graces that end.
func TestMain(m *testing.M) {
	testgateway.Main()
	flag.Parse()
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

const (
	publicURL   = "https://login.example.com"
	callbackURL = publicURL + "/oauth/callback"
	redirectURI = "https://app.example.com/callback"
)

// cluster is two gateways, each a process of its own, that share a replay store,
// in front of an IdP that gives a token for a code as often as it is asked.
type cluster struct {
	t     *testing.T
	idp   *testidp.Server
	nodes [2]*testgateway.Gateway
}

// startGateways starts them: store is the option replay, and options are more.
func startGateways(t *testing.T, store string, behavior testidp.Behavior, options string) *cluster {
	t.Helper()
	behavior.Clients = []testidp.Client{{ID: "app", RedirectURIs: []string{callbackURL}}}
	idp := testidp.Run(t, behavior)
	c := &cluster{t: t, idp: idp}
	for i := range c.nodes {
		var err error
		c.nodes[i], err = testgateway.StartProcess(testgateway.Config{AnyHost: true, Site: fmt.Sprintf(`identity_gateway %s {
			parameters  oauth
			callback
			public_url  %s
			sealing_key the-same-key-of-32-bytes-at-both-nodes
			id_tokens   idp
			replay      %s
			%s
			client app {
				redirect_uri %s
			}
		}`, idp.URL(), publicURL, store, options, redirectURI)})
		require.NoError(t, err)
		t.Cleanup(c.nodes[i].Kill)
	}
	return c
}

// at is a URL as one node serves it.
func (c *cluster) at(node int, address string) string {
	_, path, found := strings.Cut(address, "login.example.com")
	require.True(c.t, found, address)
	return c.nodes[node].URL() + path
}

// follow loads a page and returns where it redirects to.
func (c *cluster) follow(address string) *url.URL {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, address, nil)
	require.NoError(c.t, err)
	response, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(c.t, err)
	require.NoError(c.t, response.Body.Close())
	location, err := response.Location()
	require.NoError(c.t, err, "%s: %s", address, response.Status)
	return location
}

// login is one that the IdP has sent back with its code.
type login struct {
	*cluster
	verifier string
	callback string // with the IdP's code
}

// begin logs a user in at the IdP, by the first node.
func (c *cluster) begin() *login {
	c.t.Helper()
	verifier := oauth2.GenerateVerifier()
	request := url.Values{
		"response_type": {"code"}, "client_id": {"app"}, "redirect_uri": {redirectURI}, "scope": {"profile"}, "state": {"state"},
		"code_challenge": {oauth2.S256ChallengeFromVerifier(verifier)}, "code_challenge_method": {"S256"},
	}
	location := c.follow(c.at(0, "https://login.example.com/authorize?"+request.Encode()))
	return &login{cluster: c, verifier: verifier, callback: c.follow(location.String() + "&user=alice").String()}
}

// code loads the callback at a node and returns the client's code.
func (l *login) code(node int) string {
	l.t.Helper()
	code := l.follow(l.at(node, l.callback)).Query().Get("code")
	require.NotEmpty(l.t, code)
	return code
}

// What an exchange ends with.
const (
	granted     = "200 "
	redeemed    = "400 invalid_grant"
	unavailable = "503 temporarily_unavailable"
)

// exchange redeems a code at a node.
func (l *login) exchange(node int, code string) string {
	g := l.redeem(node, code)
	return fmt.Sprint(g.status, " ", g.Error)
}

func (l *login) redeem(node int, code string) grant {
	return l.post(node, url.Values{
		"grant_type": {"authorization_code"}, "client_id": {"app"}, "code": {code},
		"redirect_uri": {redirectURI}, "code_verifier": {l.verifier},
	})
}

// grant is a response of a token endpoint.
type grant struct {
	status       int
	Error        string `json:"error"`
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
}

// post sends a form to the token endpoint of a node. Failures are in the error code.
func (c *cluster) post(node int, form url.Values) grant {
	r, err := http.NewRequestWithContext(context.WithoutCancel(c.t.Context()), http.MethodPost, c.nodes[node].URL()+"/oauth/token", strings.NewReader(form.Encode()))
	if err != nil {
		return grant{Error: err.Error()}
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return grant{Error: err.Error()}
	}
	defer response.Body.Close()
	g := grant{status: response.StatusCode}
	if err := json.NewDecoder(response.Body).Decode(&g); err != nil {
		return grant{Error: err.Error()}
	}
	return g
}

func TestGatewaysThatShareNoStoreGetATokenEach(t *testing.T) {
	t.Parallel()
	c := startGateways(t, "memory", testidp.Behavior{}, "")
	l := c.begin()
	code := l.code(0)
	require.Equal(t, granted, l.exchange(0, code))
	require.Equal(t, redeemed, l.exchange(0, code))
	require.Equal(t, granted, l.exchange(1, code), "without this, the tests below show nothing")
	require.Len(t, c.idp.Issued(), 2)
}

func TestTwoGatewaysGetOneTokenForEachCode(t *testing.T) {
	t.Parallel()
	const codes, parallel = 100, 20
	c := startGateways(t, "redis "+startServer(t).url(), testidp.Behavior{}, "")
	for i := range codes {
		l := c.begin()
		// The callback is loaded at both nodes, and each code is redeemed at both.
		code := []string{l.code(0), l.code(1)}
		var tokens, replays atomic.Int32
		var wg sync.WaitGroup
		for j := range parallel {
			wg.Go(func() {
				switch result := l.exchange(j%2, code[j/2%2]); result {
				case granted:
					tokens.Add(1)
				case redeemed:
					replays.Add(1)
				default:
					t.Log(result)
				}
			})
		}
		wg.Wait()
		require.EqualValues(t, 1, tokens.Load(), "login %d", i)
		require.EqualValues(t, parallel-1, replays.Load(), "login %d", i)
	}
	require.Len(t, c.idp.Issued(), codes)
}

func TestOnlyARejectionOfTheIdPGivesACodeBack(t *testing.T) {
	t.Parallel()
	c := startGateways(t, "redis "+startServer(t).url(), testidp.Behavior{}, "")
	tokenEndpoint := func(status int) {
		c.idp.Change(func(b *testidp.Behavior) { b.TokenOutage.Status = status })
	}
	l := c.begin()
	code := l.code(1)
	tokenEndpoint(http.StatusBadRequest)
	require.Equal(t, "400 temporarily_unavailable", l.exchange(0, code))
	tokenEndpoint(0)
	require.Equal(t, granted, l.exchange(1, code))
	require.Equal(t, redeemed, l.exchange(0, code))

	l = c.begin()
	code = l.code(1)
	tokenEndpoint(http.StatusInternalServerError)
	require.Contains(t, l.exchange(0, code), "50")
	tokenEndpoint(0)
	require.Equal(t, redeemed, l.exchange(1, code), "the IdP may have issued a token, which was lost")
	require.Len(t, c.idp.Issued(), 1)
}

func TestWithoutRedisTheIdPIsNotAsked(t *testing.T) {
	t.Parallel()
	server := startServer(t)
	c := startGateways(t, "redis "+server.url(), testidp.Behavior{}, "")
	before := c.begin()
	spent := before.code(0)
	require.Equal(t, granted, before.exchange(0, spent))

	paused := c.begin()
	pausedCode := paused.code(0)
	server.pause()
	for node := range c.nodes {
		// At the first node this uses the open connection: Redis will find the
		// command there when it goes on.
		require.Equal(t, unavailable, paused.exchange(node, pausedCode))
		require.Equal(t, unavailable, before.exchange(node, spent))
	}
	server.resume()
	server.do("ping") // after what waited

	stopped := c.begin()
	stoppedCode := stopped.code(0)
	server.stop()
	for node := range c.nodes {
		require.Equal(t, unavailable, before.exchange(node, spent))
		require.Equal(t, unavailable, stopped.exchange(node, stoppedCode))
	}
	require.Len(t, c.idp.Issued(), 1)

	server.start()
	for node := range c.nodes {
		require.Eventually(t, func() bool { return before.exchange(node, spent) == redeemed }, 20*time.Second, 50*time.Millisecond)
	}
	require.Equal(t, redeemed, paused.exchange(1, pausedCode), "Redis made the claim late, for nobody: a new login is needed")
	require.Equal(t, granted, stopped.exchange(1, stoppedCode), "Redis was never sent a claim")
	require.Equal(t, redeemed, stopped.exchange(0, stoppedCode))
	require.Len(t, c.idp.Issued(), 1)
}
