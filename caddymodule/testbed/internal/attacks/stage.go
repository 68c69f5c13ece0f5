package attacks

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy" // for sites that hand the rest to the IdP

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule" // the gateway
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// The cast. The attacker has an account at the IdP and a client of his own at
// the gateway and at the IdP, as anybody may.
const (
	victim   = "victim"
	attacker = "attacker"

	appID         = "app" // the client that the victim uses
	appRedirect   = "https://app.example/callback"
	appRedirect2  = "https://app.example/second-callback"
	appReturnTo   = "https://app.example/goodbye"
	appSecret     = "the secret of app"
	ownID         = "attackers-app"
	ownRedirect   = "https://attackers-app.example/callback"
	ownSecret     = "the secret of attackers-app"
	directID      = "attackers-app-at-the-idp" // registered at the IdP only
	evilRedirect  = "https://evil.example/callback"
	loopbackURI   = "http://127.0.0.1/callback"
	callbackPath  = "/oauth/callback"
	tokenPath     = "/oauth/token"
	authorizePath = "/authorize"
)

// setup is how one attack wants its stage.
type setup struct {
	// idp changes what the IdP of the mode does.
	idp func(*testidp.Behavior)
	// options are added to the gateway's directive, sealed ones only where it
	// has a callback, with {base} for the gateway's public address; client to the registration of the victim's client; site
	// comes after the directive, with {idp} for the address of the IdP.
	options, sealed, client, site string
	// own are options of the registration of the attacker's client.
	own string
	// sharedIdPClient registers both clients of the gateway as one at the IdP.
	sharedIdPClient bool
	// secretWithoutCallback gives the gateway the clients' secrets where it has no callback.
	secretWithoutCallback bool
	// noClients leaves out the registrations at the gateway.
	noClients bool
	// nodes is the number of gateways behind one address; 0 stands for one.
	nodes int
	// process runs them as processes: gateways in one process share their memory.
	process bool
	// anyHost has the site answer for every host name.
	anyHost bool
	// needsCaddy says what of Caddy the attack needs that does not follow from the above.
	needsCaddy string
}

// stage is an IdP and what stands in front of it.
type stage struct {
	mode  Mode
	setup setup
	idp   *testidp.Server
	// base is where clients talk to: the gateway's public address, or the IdP's.
	base string
	// nodes are the gateways by themselves. Requests to base go to the one
	// number front.
	nodes   []node
	front   atomic.Int32
	proxy   *httptest.Server
	toNodes *http.Transport
	storage string
	// claims is the replay store of gateways without Caddy.
	claims *replay.Memory
	client *http.Client
}

// newStage starts everything.
func newStage(mode Mode, c setup) (*stage, error) {
	idp, err := testidp.Start(testidp.Behavior{})
	if err != nil {
		return nil, err
	}
	s := &stage{mode: mode, setup: c, idp: idp, base: idp.URL(), claims: replay.NewMemory(100_000, time.Now)}
	s.client = &http.Client{
		Transport:     &http.Transport{MaxIdleConnsPerHost: 32},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       20 * time.Second,
	}
	if err := s.startGateways(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	s.reset(c)
	return s, nil
}

func (s *stage) startGateways() error {
	if s.mode.Protection == Nothing {
		return nil
	}
	var err error
	if s.storage, err = os.MkdirTemp("", "attacks"); err != nil {
		return err
	}
	s.toNodes = &http.Transport{MaxIdleConnsPerHost: 32}
	// All nodes are known under the address of this load balancer.
	s.proxy = httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = "http", s.nodes[s.front.Load()].Address()
			r.Out.Host = r.In.Host
		},
		Transport:    s.toNodes,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	})
	s.base = s.proxy.URL
	for range cmp.Or(s.setup.nodes, 1) {
		node, err := s.startNode("")
		if err != nil {
			return err
		}
		s.nodes = append(s.nodes, node)
	}
	return nil
}

// startNode starts a gateway with the stage's current setup; address "" is a new one.
func (s *stage) startNode(address string) (node, error) {
	c := testgateway.Config{Site: s.site(), Address: address, Storage: s.storage, AnyHost: s.setup.anyHost}
	if s.setup.process && s.mode.Protection == WithCallback { // the others hold nothing that processes could share
		return testgateway.StartProcess(c)
	}
	return s.start(c)
}

// restart replaces a node by one with another setup and the same storage.
func (s *stage) restart(node int, change func(*setup)) error {
	s.nodes[node].Kill()
	change(&s.setup)
	fresh, err := s.startNode(s.nodes[node].Address())
	if err != nil {
		return err
	}
	s.nodes[node] = fresh
	s.toNodes.CloseIdleConnections()
	return nil
}

func (s *stage) close() error {
	var failures []error
	for _, node := range s.nodes {
		failures = append(failures, node.Stop())
	}
	if s.proxy != nil {
		s.proxy.Close()
		s.toNodes.CloseIdleConnections()
	}
	s.client.CloseIdleConnections()
	if s.storage != "" {
		failures = append(failures, os.RemoveAll(s.storage))
	}
	return errors.Join(append(failures, s.idp.Close())...)
}

// site is the gateway's part of the Caddyfile.
func (s *stage) site() string {
	sealed := s.mode.Protection == WithCallback
	var b strings.Builder
	fmt.Fprintf(&b, "identity_gateway %s {\n\tparameters oauth\n\t%s\n", s.idp.URL(), s.setup.options)
	if sealed {
		fmt.Fprintf(&b, "\tcallback\n\t%s\n", strings.ReplaceAll(s.setup.sealed, "{base}", s.base))
		if !strings.Contains(s.setup.sealed, "replay ") { // stages are many, and side by side
			b.WriteString("\treplay memory\n")
		}
	}
	if s.setup.noClients {
		return b.String() + "}\n"
	}
	s.writeClient(&b, appID, appSecret, fmt.Sprintf("redirect_uri %s %s %s\n\t\treturn_to %s\n\t\t%s",
		appRedirect, appRedirect2, loopbackURI, appReturnTo, s.setup.client))
	s.writeClient(&b, ownID, ownSecret, "redirect_uri "+ownRedirect+"\n\t\t"+s.setup.own)
	b.WriteString("}\n" + strings.ReplaceAll(s.setup.site, "{idp}", s.idp.URL()))
	return b.String()
}

func (s *stage) writeClient(b *strings.Builder, id, secret, options string) {
	fmt.Fprintf(b, "\tclient %s {\n\t\t%s\n", id, options)
	switch {
	case s.mode.Protection == WithCallback && s.setup.sharedIdPClient:
		fmt.Fprintf(b, "\t\tidp_client %s {\n\t\t\tsecret %q\n\t\t}\n", appID, appSecret)
	case s.mode.Confidential && (s.mode.Protection == WithCallback || s.setup.secretWithoutCallback):
		fmt.Fprintf(b, "\t\tidp_client %s {\n\t\t\tsecret %q\n\t\t}\n", id, secret)
	case s.mode.Confidential:
		b.WriteString("\t\ttoken_endpoint_auth client_secret_post\n")
	}
	b.WriteString("\t}\n")
}

// reset gives the IdP the behavior of the mode, with the changes of a setup.
func (s *stage) reset(c setup) {
	app := testidp.Client{ID: appID, RedirectURIs: []string{appRedirect, appRedirect2, loopbackURI}, ReturnTo: []string{appReturnTo}}
	own := testidp.Client{ID: ownID, RedirectURIs: []string{ownRedirect}}
	if s.mode.Protection == WithCallback {
		// As the documentation says: the gateway's callback is the only redirect URI.
		app.RedirectURIs, own.RedirectURIs = []string{s.callback()}, []string{s.callback()}
	}
	if s.mode.Confidential {
		app.Auth, app.Secret = testidp.ClientSecretPost, appSecret
		own.Auth, own.Secret = testidp.ClientSecretPost, ownSecret
		if s.mode.Protection == WithCallback || c.secretWithoutCallback {
			app.Auth, own.Auth = testidp.ClientSecretBasic, testidp.ClientSecretBasic
		}
	}
	direct := testidp.Client{ID: directID, RedirectURIs: []string{ownRedirect}}
	s.idp.Change(func(b *testidp.Behavior) {
		*b = testidp.Behavior{
			Clients: []testidp.Client{app, own, direct}, RefreshTokens: true,
			// Who authenticates clients also knows whose code it is.
			ChecksClient: s.mode.Confidential,
		}
		if s.mode.VerifiesPKCE {
			b.PKCE = testidp.VerifiesPKCE
		}
		if c.idp != nil {
			c.idp(b)
		}
	})
	s.idp.Forget()
	s.front.Store(0)
}

// callback is the gateway's redirect URI at the IdP.
func (s *stage) callback() string { return s.base + callbackPath }

// redirectAtIdP is the redirect URI of a client as the IdP knows it.
func (s *stage) redirectAtIdP(redirectURI string) string {
	if s.mode.Protection == WithCallback {
		return s.callback()
	}
	return redirectURI
}

// do sends a request as it is and follows nothing.
func (s *stage) do(r *http.Request) (*response, error) {
	got, err := s.client.Do(r)
	if err != nil {
		return nil, err
	}
	return readResponse(got)
}

// at is a URL of a base with a query.
func at(base, path string, query url.Values) string { return base + path + "?" + query.Encode() }
