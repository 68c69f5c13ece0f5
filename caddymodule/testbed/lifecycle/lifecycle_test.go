// Package lifecycle tests what happens to a gateway as a process: reloads, stops,
// kills, and storage that fails. Each case says what must hold, and tries it with
// logins through a real process.
//
// `make test` tries what is quick; `make lifecycle` (-all) tries the rest.
package lifecycle_test

import (
	"flag"
	"fmt"
	"io"
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

var (
	all     = flag.Bool("all", false, "try the long cases, too")
	reloads = flag.Int("reloads", 40, "how often a configuration is reloaded, to see whether something grows")
)

func TestMain(m *testing.M) {
	testgateway.Main()
	os.Exit(m.Run())
}

// lifeCase is something that happens to a gateway.
type lifeCase struct {
	// What is done, as the rest of the sentence "The gateway ...".
	What string
	// Must hold.
	Must string
	// Long cases measure, take what tests have not, or are like another one.
	Long bool
	try  func(*env)
}

func TestLifecycle(t *testing.T) {
	for _, group := range []struct {
		title string
		cases []lifeCase
	}{
		{"Reloads", whileReloading()},
		{"Configurations that are wrong", mistakes()},
		{"Stops", stops()},
		{"Kills", kills()},
		{"Storage", storages()},
	} {
		for _, c := range group.cases {
			t.Run(group.title+"/"+c.What, func(t *testing.T) {
				if c.Long && !*all {
					t.Skip("make lifecycle tries this")
				}
				if !*all { // which measures
					t.Parallel()
				}
				t.Log("must hold:", c.Must)
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

// must ends the case at an error.
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
	// language adds the language endpoints.
	language bool
	// site replaces the whole site.
	site func(address, idp string) string
	// global are further global options.
	global string
	// idp is shared with another gateway; nil stands for one of its own.
	idp *testidp.Server
}

// node is a gateway in front of an IdP.
type node struct {
	*testgateway.Process
	tr      *env
	setup   setup
	idp     *testidp.Server
	address string
	home    string
	client  *http.Client // a new connection for each request
}

// gateway starts a gateway in front of an IdP.
func (tr *env) gateway(s setup) *node {
	n := tr.prepare(s)
	tr.must("starting the gateway", n.start())
	return n
}

// prepare is a gateway that has not been started.
func (tr *env) prepare(s setup) *node {
	n := &node{tr: tr, setup: s, idp: s.idp, client: NewClient(false)}
	n.client.Transport = Again{RoundTripper: n.client.Transport}
	var err error
	n.address, err = testgateway.FreeAddress()
	tr.must("finding an address", err)
	if n.idp == nil {
		n.idp, err = testidp.Start(Behavior(n.url()))
		tr.must("starting the IdP", err)
		tr.Cleanup(func() { _ = n.idp.Close() })
	}
	n.home, err = os.MkdirTemp("", "caddy")
	tr.must("making a folder", err)
	tr.Cleanup(func() { _ = os.RemoveAll(n.home) })
	return n
}

func (n *node) url() string { return "http://" + n.address }

// site is the node's site, for an IdP.
func (n *node) site(idp string) string {
	switch {
	case n.setup.site != nil:
		return n.setup.site(n.address, idp)
	case n.setup.language:
		return Site(n.address, idp, n.setup.options)
	}
	return IdentitySite(n.address, idp, n.setup.options)
}

// caddyfile is the node's configuration. Comments make it another one.
func (n *node) caddyfile(comment string) string {
	text := n.site(n.idp.URL())
	if comment != "" {
		end := strings.LastIndexByte(text, '}')
		text = text[:end] + "\theader X-Configuration " + comment + "\n}"
	}
	return testgateway.Caddyfile(n.home, n.setup.global, text)
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

// login is a login that has not begun.
func (n *node) login() *Login { return NewLogin(n.client, n.url()) }

// get asks with an access token. Another status than 200 is an error.
func (n *node) get(path, token string) (string, error) {
	request, err := http.NewRequestWithContext(n.tr.Context(), http.MethodGet, n.url()+path, nil)
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := n.client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d: %s", response.StatusCode, body)
	}
	return string(body), err
}

// await tries something until it succeeds.
func (n *node) await(what string, try func() error) {
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

// serves checks that a whole login works, and a message.
func (n *node) serves(when string) {
	operations := Identity(n.client)
	if n.setup.language {
		operations = Mixed(n.client)
	}
	for _, operation := range operations {
		assert.NoError(n.tr, operation.Do(n.tr.Context(), n.url()), "%s: %s", when, operation.Name)
	}
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
