package attacks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy" // for sites that hand the rest to the IdP

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule" // the gateway
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
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

type setup struct {
	// idp changes what the IdP of the mode does.
	idp func(*testidp.Behavior)
	// options are added to the gateway's directive, sealed ones only where it
	// has a callback, with {base} for the gateway's public address; client to the registration of the victim's client, with {jwks} for the file with its keys; site
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

// env is an IdP and what stands in front of it. Its methods end the attack with a
// panic of [fail.Check] where they could not do what they are for, as those of
// testing.T do: that proves nothing either way.
type env struct {
	ctx   context.Context // of the attack that is being run
	mode  Mode
	setup setup
	idp   *testidp.Server
	// base is where clients talk to: the gateway's public address, or the IdP's.
	base string
	// nodes are the gateways by themselves. Requests to base go to the one
	// number front.
	nodes   []node
	front   atomic.Int32
	storage string
	// netHTTP: the gateways are the library's alone, served without Caddy. claims is their replay store.
	netHTTP bool
	claims  *replay.Memory
	client  *http.Client
	// key is that of a client which signs.
	key *dpoptest.Key
}

func newEnv(ctx context.Context, mode Mode, c setup, netHTTP bool) (*env, error) {
	idp, err := testidp.Start(testidp.Behavior{})
	if err != nil {
		return nil, err
	}
	e := &env{ctx: ctx, mode: mode, setup: c, idp: idp, base: idp.URL(), netHTTP: netHTTP, claims: replay.NewMemory(100_000, time.Now), key: dpoptest.NewKey(), client: newClient()}
	e.client.Transport.(*http.Transport).DialContext = e.dial
	if err := e.startGateways(); err != nil {
		return nil, errors.Join(err, e.close())
	}
	e.configureIdP()
	return e, nil
}

// newClient is an HTTP client that follows nothing. A node that was restarted has none of its connections.
func newClient() *http.Client {
	return &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       20 * time.Second,
	}
}

// dial connects to the node in front, for the public address.
func (e *env) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if len(e.nodes) > 0 && "http://"+address == e.base {
		address = e.nodes[e.front.Load()].Address()
	}
	return new(net.Dialer).DialContext(ctx, network, address)
}

func (e *env) startGateways() (err error) {
	defer fail.Catch(&err)
	if e.mode.Protection == Nothing {
		return nil
	}
	e.storage = fail.Must(os.MkdirTemp("", "attacks"))
	public := fail.Must(testgateway.FreeAddress())
	e.base = "http://" + public
	for address := public; len(e.nodes) < cmp.Or(e.setup.nodes, 1); address = "" {
		e.nodes = append(e.nodes, fail.Must(e.startNode(address)))
	}
	return nil
}

// startNode starts a gateway with the current setup; address "" is a new one.
func (e *env) startNode(address string) (node, error) {
	c := testgateway.Config{Site: e.site(), Address: address, Storage: e.storage, AnyHost: e.setup.anyHost}
	if e.setup.process && e.mode.Protection == WithCallback { // the others hold nothing that processes could share
		return testgateway.StartProcess(c)
	}
	return e.start(c)
}

// restart replaces a node by one with another setup and the same storage. The IdP
// alone has none.
func (e *env) restart(node int, change func(*setup)) {
	if e.mode.Protection == Nothing {
		return
	}
	e.nodes[node].Kill()
	change(&e.setup)
	e.nodes[node] = fail.Must(e.startNode(e.nodes[node].Address()))
}

func (e *env) close() error {
	var failures []error
	for _, node := range e.nodes {
		failures = append(failures, node.Stop())
	}
	if e.storage != "" {
		failures = append(failures, os.RemoveAll(e.storage))
	}
	return errors.Join(append(failures, e.idp.Close())...)
}

// site is the gateway's part of the Caddyfile.
func (e *env) site() string {
	sealed := e.mode.Protection == WithCallback
	var b strings.Builder
	fmt.Fprintf(&b, "identity_gateway %s {\n\tparameters oauth\n\t%s\n", e.idp.URL(), e.setup.options)
	if sealed {
		fmt.Fprintf(&b, "\tcallback\n\t%s\n", strings.ReplaceAll(e.setup.sealed, "{base}", e.base))
		if !strings.Contains(e.setup.sealed, "replay ") { // stages are many, and side by side
			b.WriteString("\treplay memory\n")
		}
	}
	if e.setup.noClients {
		return b.String() + "}\n"
	}
	client := e.setup.client
	if strings.Contains(client, "{jwks}") {
		client = strings.ReplaceAll(client, "{jwks}", e.writeKeys())
	}
	e.writeClient(&b, appID, appSecret, fmt.Sprintf("redirect_uri %s %s %s\n\t\treturn_to %s\n\t\t%s",
		appRedirect, appRedirect2, loopbackURI, appReturnTo, client))
	e.writeClient(&b, ownID, ownSecret, "redirect_uri "+ownRedirect+"\n\t\t"+e.setup.own)
	b.WriteString("}\n" + strings.ReplaceAll(e.setup.site, "{idp}", e.idp.URL()))
	return b.String()
}

func (e *env) writeClient(b *strings.Builder, id, secret, options string) {
	fmt.Fprintf(b, "\tclient %s {\n\t\t%s\n", id, options)
	switch {
	case e.mode.Protection == WithCallback && e.setup.sharedIdPClient:
		fmt.Fprintf(b, "\t\tidp_client %s {\n\t\t\tsecret %q\n\t\t}\n", appID, appSecret)
	case e.mode.Confidential && (e.mode.Protection == WithCallback || e.setup.secretWithoutCallback):
		fmt.Fprintf(b, "\t\tidp_client %s {\n\t\t\tsecret %q\n\t\t}\n", id, secret)
	case e.mode.Confidential:
		b.WriteString("\t\ttoken_endpoint_auth client_secret_post\n")
	}
	b.WriteString("\t}\n")
}

// configureIdP gives the IdP the behavior of the mode, with the changes of the setup.
func (e *env) configureIdP() {
	app := testidp.Client{ID: appID, RedirectURIs: []string{appRedirect, appRedirect2, loopbackURI}, ReturnTo: []string{appReturnTo}}
	own := testidp.Client{ID: ownID, RedirectURIs: []string{ownRedirect}}
	if e.mode.Protection == WithCallback {
		// As the documentation says: the gateway's callback is the only redirect URI.
		app.RedirectURIs, own.RedirectURIs = []string{e.callback()}, []string{e.callback()}
	}
	if e.mode.Confidential {
		app.Auth, app.Secret = "client_secret_post", appSecret
		own.Auth, own.Secret = "client_secret_post", ownSecret
		if e.mode.Protection == WithCallback || e.setup.secretWithoutCallback {
			app.Auth, own.Auth = "client_secret_basic", "client_secret_basic"
		}
	}
	direct := testidp.Client{ID: directID, RedirectURIs: []string{ownRedirect}}
	e.idp.Change(func(b *testidp.Behavior) {
		*b = testidp.Behavior{
			Clients: []testidp.Client{app, own, direct}, RefreshTokens: true,
			// Who authenticates clients also knows whose code it is.
			ChecksClient: e.mode.Confidential,
			VerifiesPKCE: e.mode.VerifiesPKCE,
		}
		if e.setup.idp != nil {
			e.setup.idp(b)
		}
	})
}

func (e *env) callback() string { return e.base + callbackPath }

// redirectAtIdP is the redirect URI of a client as the IdP knows it.
func (e *env) redirectAtIdP(redirectURI string) string {
	if e.mode.Protection == WithCallback {
		return e.callback()
	}
	return redirectURI
}

func at(base, path string, query url.Values) string { return base + path + "?" + query.Encode() }
