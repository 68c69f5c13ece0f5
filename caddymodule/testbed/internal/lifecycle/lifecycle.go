// Package lifecycle tries what happens to a gateway as a process: reloads, stops,
// kills, storage that fails, clocks that jump, and too little of the machine. Each
// [Case] says what must hold, and measures it with logins through a real process.
package lifecycle

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testlogin"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/traffic"
)

// Case is something that happens to a gateway.
type Case struct {
	// What is done, as the rest of the sentence "The gateway ...".
	What string
	// Must hold.
	Must string
	// Long cases measure, take what tests have not, or are like another one. The
	// others are tests, too.
	Long bool
	try  func(*trial)
}

// Group is a row of cases.
type Group struct {
	Title string
	Cases []Case
}

// Groups are all cases.
func Groups() []Group {
	return []Group{
		{"Reloads", reloads()},
		{"Configurations that are wrong", mistakes()},
		{"Stops", stops()},
		{"Kills", kills()},
		{"Storage", storages()},
		{"Clocks", clocks()},
		{"Too little of the machine", limits()},
	}
}

// Result is what came of a case.
type Result struct {
	// Measured are figures, for the table.
	Measured []string
	// Violations are what must not be, each a sentence.
	Violations []string
	// Skipped says why the case could not be tried here.
	Skipped string
}

// Trier tries cases.
type Trier struct {
	// Executable is the Caddy with the gateway; "" stands for this program.
	Executable string
	// Reloads is how often the cases reload that look for growth.
	Reloads int
	// Log gets the logs of all processes; nil throws them away.
	Log *os.File
}

// Try tries a case.
func (t *Trier) Try(ctx context.Context, c Case) Result {
	tr := &trial{Trier: t, ctx: ctx}
	tr.run(c)
	return tr.result
}

// trial is a case under trial.
type trial struct {
	*Trier
	ctx     context.Context
	cleanup []func()

	mu     sync.Mutex
	result Result
}

// stopped ends a trial whose result says why.
type stopped struct{}

func (tr *trial) run(c Case) {
	defer func() {
		ended := recover()
		for i := len(tr.cleanup) - 1; i >= 0; i-- {
			tr.cleanup[i]()
		}
		if _, ok := ended.(stopped); ended != nil && !ok {
			panic(ended)
		}
	}()
	c.try(tr)
}

// violates records what must not be.
func (tr *trial) violates(format string, values ...any) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.result.Violations = append(tr.result.Violations, fmt.Sprintf(format, values...))
}

// holds records what must not be unless a condition holds.
func (tr *trial) holds(condition bool, format string, values ...any) {
	if !condition {
		tr.violates(format, values...)
	}
}

// must ends the trial at an error.
func (tr *trial) must(doing string, err error) {
	if err != nil {
		tr.violates("%s: %v", doing, err)
		panic(stopped{})
	}
}

// skip ends a trial that cannot be made here.
func (tr *trial) skip(format string, values ...any) {
	tr.result.Skipped = fmt.Sprintf(format, values...)
	panic(stopped{})
}

// measured records a figure.
func (tr *trial) measured(format string, values ...any) {
	tr.result.Measured = append(tr.result.Measured, fmt.Sprintf(format, values...))
}

// refused checks that something was refused, and that the message has these words.
func (tr *trial) refused(what string, err error, words ...string) {
	if err == nil {
		tr.violates("%s: it was not refused", what)
		return
	}
	for _, word := range words {
		tr.holds(strings.Contains(err.Error(), word), "%s: the message does not say %q: %v", what, word, err)
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
	// prefix and env are those of [caddyprocess.Config].
	prefix, env []string
}

// node is a gateway in front of an IdP.
type node struct {
	*caddyprocess.Process
	tr      *trial
	setup   setup
	idp     *testidp.Server
	address string
	home    string
	client  *http.Client // a new connection for each request
	// executable replaces that of the trial.
	executable string
}

// gateway starts a gateway in front of an IdP of its own.
func (tr *trial) gateway(s setup) *node {
	n := tr.prepare(s)
	tr.must("starting the gateway", n.start())
	return n
}

// prepare is a gateway that has not been started.
func (tr *trial) prepare(s setup) *node {
	n := &node{tr: tr, setup: s, client: testlogin.NewClient(false)}
	n.client.Transport = traffic.Again{RoundTripper: n.client.Transport}
	var err error
	n.address, err = testgateway.FreeAddress()
	tr.must("finding an address", err)
	n.idp, err = testidp.Start(testlogin.Behavior(n.url()))
	tr.must("starting the IdP", err)
	tr.cleanup = append(tr.cleanup, func() { _ = n.idp.Close() })
	n.home, err = caddyprocess.NewHome()
	tr.must("making a folder", err)
	tr.cleanup = append(tr.cleanup, func() { _ = os.RemoveAll(n.home) })
	return n
}

func (n *node) url() string { return "http://" + n.address }

// site is the node's site, for an IdP.
func (n *node) site(idp string) string {
	switch {
	case n.setup.site != nil:
		return n.setup.site(n.address, idp)
	case n.setup.language:
		return traffic.Site(n.address, idp, n.setup.options)
	}
	return traffic.IdentitySite(n.address, idp, n.setup.options)
}

// caddyfile is the node's configuration. Comments make it another one.
func (n *node) caddyfile(comment string) string {
	text := n.site(n.idp.URL())
	if comment != "" {
		end := strings.LastIndexByte(text, '}')
		text = text[:end] + "\theader X-Configuration " + comment + "\n}"
	}
	return caddyprocess.Caddyfile(n.home, n.setup.global, text)
}

// start starts the node, again after its end: at the same address, with the same storage.
func (n *node) start() error {
	p, err := caddyprocess.Start(caddyprocess.Config{
		Caddyfile: n.caddyfile(""), Home: n.home, Executable: cmp.Or(n.executable, n.tr.Executable), Prefix: n.setup.prefix, Env: n.setup.env, Stderr: n.tr.Log,
	})
	if err != nil {
		return err
	}
	n.Process = p
	n.tr.cleanup = append(n.tr.cleanup, p.Kill)
	return nil
}

// login is a login that has not begun.
func (n *node) login() *testlogin.Login { return testlogin.New(n.client, n.url()) }

// get asks with an access token. Another status than 200 is an error.
func (n *node) get(path, token string) (string, error) {
	request, err := http.NewRequestWithContext(n.tr.ctx, http.MethodGet, n.url()+path, nil)
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
	operations := traffic.Identity(n.client)
	if n.setup.language {
		operations = traffic.Mixed(n.client)
	}
	for _, operation := range operations {
		if err := operation.Do(n.tr.ctx, n.url()); err != nil {
			n.tr.violates("%s: %s: %v", when, operation.Name, err)
		}
	}
}

// says checks that the log has a line with these words, or gets one soon.
func (n *node) says(words ...string) {
	for deadline := time.Now().Add(patience / 4); ; time.Sleep(20 * time.Millisecond) {
		for line := range strings.Lines(n.Log()) {
			if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(line, word) }) {
				return
			}
		}
		if time.Now().After(deadline) {
			n.tr.violates("no line of the log has %q", words)
			return
		}
	}
}
