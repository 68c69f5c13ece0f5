// Package lifecycle tests what happens to a gateway as a process: reloads, stops,
// kills, and storage that fails. Each case says what must hold, and tries it with
// logins through a real process.
package lifecycle_test

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

var reloads = flag.Int("reloads", 40, "how often a configuration is reloaded, to see whether something grows")

func TestMain(m *testing.M) {
	testgateway.Main()
	os.Exit(m.Run())
}

type lifeCase struct {
	what, must string
	try        func(*env)
}

// when is what is done, as the rest of the sentence "The gateway ...", and what must hold.
func when(what, must string, try func(*env)) lifeCase { return lifeCase{what, must, try} }

func TestLifecycle(t *testing.T) {
	for _, group := range []struct {
		title string
		cases []lifeCase
	}{
		{"Reloads", whileReloading()},
		{"Stops and kills", ends()},
		{"Storage", storages()},
	} {
		for _, c := range group.cases {
			t.Run(group.title+"/"+c.what, func(t *testing.T) {
				t.Parallel()
				t.Log("must hold:", c.must)
				c.try(&env{t})
			})
		}
	}
}

// env is what a case is tried on.
type env struct{ *testing.T }

// holds records what must not be unless a condition holds.
func (tr *env) holds(condition bool, format string, values ...any) {
	tr.Helper()
	if !condition {
		tr.Errorf(format, values...)
	}
}

func (tr *env) must(doing string, err error) {
	tr.Helper()
	require.NoError(tr, err, doing)
}

// refused checks that something was refused, and that the message has these words.
func (tr *env) refused(what string, err error, words ...string) {
	tr.Helper()
	if !assert.Error(tr, err, "%s: it was not refused", what) {
		return
	}
	for _, word := range words {
		assert.ErrorContains(tr, err, word, what)
	}
}

// setup is a gateway as a case wants it. The zero value has a callback, and its keys
// in Caddy's storage.
type setup struct {
	// options are further ones of identity_gateway.
	options string
	// language adds the language endpoints, whose models take time to load.
	language bool
	// site comes after these, with {idp} for the address of the IdP.
	site string
	// global are further global options.
	global string
}

type node struct {
	*testgateway.Process
	tr      *env
	setup   setup
	idp     *testidp.Server
	address string
	home    string
	client  *http.Client // a new connection for each request
}

func (tr *env) gateway(s setup) *node {
	n := tr.prepare(s)
	tr.must("starting the gateway", n.start())
	return n
}

func (tr *env) prepare(s setup) *node {
	n := &node{tr: tr, setup: s}
	n.client = &http.Client{
		Transport:     again{&http.Transport{DisableKeepAlives: true, ExpectContinueTimeout: patience}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	var err error
	n.address, err = testgateway.FreeAddress()
	tr.must("finding an address", err)
	n.idp, err = testidp.Start(testidp.Behavior{
		Clients:   []testidp.Client{{ID: clientID, RedirectURIs: []string{n.url() + callbackURI}, Auth: "client_secret_basic", Secret: secret}},
		SingleUse: true, ResponseModes: []string{"query"},
	})
	tr.must("starting the IdP", err)
	tr.Cleanup(func() { _ = n.idp.Close() })
	n.home, err = os.MkdirTemp("", "caddy")
	tr.must("making a folder", err)
	tr.Cleanup(func() { _ = os.RemoveAll(n.home) })
	return n
}

func (n *node) url() string { return "http://" + n.address }

// caddyfile is the node's configuration. Comments make it another one.
func (n *node) caddyfile(comment string) string {
	site := strings.ReplaceAll(n.setup.site, "{idp}", n.idp.URL())
	if n.setup.language {
		site += "\n\ttext_segmentation\n\tpersonification"
	}
	if comment != "" {
		site += "\n\theader X-Configuration " + comment
	}
	return testgateway.Caddyfile(n.home, n.setup.global, fmt.Sprintf(`http://%s {
	identity_gateway %s {
		parameters oauth
		callback
		client %[3]s {
			redirect_uri %[4]s
			idp_client %[3]s {
				secret %[5]q
			}
		}
		%[6]s
	}
	%[7]s
}`, n.address, n.idp.URL(), clientID, redirectURI, secret, n.setup.options, site))
}

// start starts the node, again after its end: at the same address, with the same storage.
func (n *node) start() error {
	p, err := testgateway.StartCaddy(n.caddyfile(""), n.home, nil)
	if err != nil {
		return err
	}
	n.Process = p
	n.tr.Cleanup(p.Kill)
	return nil
}

func (n *node) await(what string, try func() error) {
	n.tr.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		err := try()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			n.tr.must("waiting for "+what, err)
		}
	}
}

const (
	segmentation    = "/machine_learning/text/technical_language/parsers/segmentation"
	personification = "/machine_learning/text/technical_language/generators/personification"
)

// serves checks that a whole login works, and so do the language endpoints.
func (n *node) serves(when string) {
	n.tr.Helper()
	l := n.login()
	assert.NoError(n.tr, l.run(), when)
	assert.NoError(n.tr, n.ask("/userinfo", l.token, "", user), when)
	if n.setup.language {
		assert.NoError(n.tr, n.ask(segmentation, "", `{"value":"Look at main.go:\n\nfunc main() {}\n"}`, `"iterable":[`), when)
		assert.NoError(n.tr, n.ask(personification, "", `{"languages":["Go","SQL"],"personas":["SRE"]}`, `"seeds":`), when)
	}
}

// ask asks with an access token, or sends a body, and checks that the answer has a text.
func (n *node) ask(path, token, body, want string) error {
	r, err := http.NewRequestWithContext(n.tr.Context(), map[bool]string{true: http.MethodGet, false: http.MethodPost}[body == ""], n.url()+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	_, answer, err := send(n.client, r, path, http.StatusOK)
	if err == nil && !strings.Contains(string(answer), want) {
		err = fmt.Errorf("%s: %.300s", path, answer)
	}
	return err
}

// says checks that the log has a line with these words, or gets one soon.
func (n *node) says(words ...string) {
	assert.Eventually(n.tr, func() bool {
		for line := range strings.Lines(n.Log()) {
			if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(line, word) }) {
				return true
			}
		}
		return false
	}, patience/4, 20*time.Millisecond, "no line of the log has %q", words)
}
