//go:build unix

package interop

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/command"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
)

func TestExampleCLI(t *testing.T) {
	e := newExample(t, "A command-line tool")
	e.serve()
	output, _ := e.runWithLogin(nil)
	require.Contains(t, output, "def read_rows(path):")
}

func TestExampleDesktop(t *testing.T) {
	e := newExample(t, "A desktop app")
	e.run() // npm ci
	e.serve()
	refreshToken := filepath.Join(e.dir, "gateway-example-desktop", "refresh_token")

	output, loggedIn := e.runWithLogin(nil)
	require.True(t, loggedIn)
	require.Equal(t, "Hello, Ada Lovelace\n", output)
	first := must.Have(os.ReadFile(refreshToken))(t)
	info := must.Have(os.Stat(refreshToken))(t)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	output, loggedIn = e.runWithLogin(nil)
	require.False(t, loggedIn, "the second start asks nobody")
	require.Equal(t, "Hello, Ada Lovelace\n", output)
	second := must.Have(os.ReadFile(refreshToken))(t)
	require.NotEqual(t, first, second, "refresh tokens rotate")

	require.Equal(t, "Logged out.\n", e.run())
	require.NoFileExists(t, refreshToken)
	response, err := http.PostForm(e.gateway+"/oauth/token", url.Values{
		"grant_type": {"refresh_token"}, "client_id": {"desktop"}, "refresh_token": {string(second)},
	})
	require.NoError(t, err)
	response.Body.Close()
	require.Equal(t, http.StatusBadRequest, response.StatusCode, "the login has ended at the gateway, too")
}

func TestExampleSPA(t *testing.T) {
	e := newExample(t, "A single-page app")
	if chromium() == "" {
		t.Skip("Chromium is not installed")
	}
	node := node(t)
	e.run() // npm ci
	e.run() // npm run build
	e.serve()
	command := exec.CommandContext(t.Context(), node, "example-spa.mjs", e.gateway, chromium())
	command.Dir = "clients"
	var problems bytes.Buffer
	command.Stderr = &problems
	output, err := command.Output()
	require.NoError(t, err, "%s", &problems)
	require.NotContains(t, problems.String(), "Content Security Policy")
	require.Contains(t, string(output), "logged in at "+e.gateway+"/\n", "without the code")
	require.Contains(t, string(output), "Code, py")
	require.Contains(t, string(output), "for i in range(3):")
	require.Contains(t, string(output), "logged out")
}

func TestExampleMCP(t *testing.T) {
	e := newExample(t, "An MCP server")
	port := e.freePorts(1)
	e.env = append(e.env, fmt.Sprintf("MCP_PORT=%d", port))
	e.serve()
	e.run() // npm ci
	e.start(fmt.Sprintf("http://localhost:%d/", port))
	output, loggedIn := e.runWithLogin(nil)
	require.True(t, loggedIn)
	require.Equal(t, "Bonjour, auth0|dev-ada\n", output)
}

func TestExampleModels(t *testing.T) {
	e := newExample(t, "Two language models")
	models := e.freePorts(2)
	e.env = append(e.env, fmt.Sprintf("CODE_MODEL_PORT=%d", models), fmt.Sprintf("CHAT_MODEL_PORT=%d", models+1))
	e.replace("http://localhost:8080", e.gateway)
	e.start(e.gateway)
	require.Contains(t, e.run(), "This is the model for chat.")
	require.Contains(t, e.run(), "This is the model for code.")
	require.Contains(t, e.run(), "Code stays in the company.")
}

func TestExampleCluster(t *testing.T) {
	e := newExample(t, "Two nodes")
	needs(t, "redis-server")
	redis := e.freePorts(3)
	ports := [2]int{redis + 1, redis + 2} // of the nodes
	e.replace("6379", redis, "9001", ports[0], "9002", ports[1])
	e.env = append(e.env, fmt.Sprintf("NODES=localhost:%d localhost:%d", ports[0], ports[1]))

	e.run() // the secrets
	// This test is a Caddy, too, and built already; .ci/run tests the production build.
	caddy := must.Have(os.Executable())(t)
	require.Equal(t, "make build", e.commands[0])
	e.commands = e.commands[1:]
	e.replace("bin/caddy", testgateway.ChildVariable+"=1 "+caddy)
	launch(t, e.command())     // which listens before anybody has logged in
	e.start(e.idp + wellKnown) // make run: the nodes come later
	var nodes [2]*process
	var ready [2]string
	for i := range nodes {
		ready[i] = fmt.Sprintf("http://localhost:%d%s", ports[i], wellKnown)
		nodes[i] = e.start(ready[i])
	}
	restarted := false
	output, loggedIn := e.runWithLogin(func() {
		for i := range nodes { // one after the other, in the middle of the login
			e.stop(nodes[i])
			nodes[i] = e.startAgain(e.shell(nodes[i].Args[2]), ready[i])
		}
		restarted = true
	})
	require.True(t, loggedIn)
	require.True(t, restarted)
	require.Contains(t, output, "def read_rows(path):")
}

// example types the commands of a section of the examples' README, in its order. Only ports and
// folders differ, so that it runs beside whatever else runs on this machine.
type example struct {
	*environment
	t        *testing.T
	gateway  string
	idp      string
	env      []string
	commands []string
}

var shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```")

func newExample(t *testing.T, title string) *example {
	t.Helper()
	e := &example{environment: newEnvironment(t), t: t}
	e.browser.reset()
	port := e.freePorts(2)
	e.gateway, e.idp = fmt.Sprintf("http://localhost:%d", port), fmt.Sprintf("http://localhost:%d", port+1)

	goEnv, err := exec.Command("go", "env", "GOENV").Output() // is below XDG_CONFIG_HOME
	require.NoError(t, err)
	e.env = append(os.Environ(), "ADDRESS="+e.gateway, "GATEWAY_ADDRESS="+e.gateway, "AUTH_URL="+e.idp, "BROWSER=true",
		"XDG_DATA_HOME="+e.dir, "XDG_CONFIG_HOME="+e.dir, "XDG_STATE_HOME="+e.dir, "GOENV="+strings.TrimSpace(string(goEnv)))

	readme := must.Have(os.ReadFile(root + "/caddymodule/examples/README.md"))(t)
	_, section, _ := strings.Cut(string(readme), "\n## "+title+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, block := range shellBlock.FindAllStringSubmatch(section, -1) {
		e.commands = append(e.commands, strings.Split(strings.TrimSpace(block[1]), "\n")...)
	}
	require.NotEmpty(t, e.commands, title)
	t.Cleanup(func() {
		if !t.Failed() && !t.Skipped() {
			require.Empty(t, e.commands, "commands of the README that were not run")
		}
	})
	for _, tool := range []string{"make", "npm", "node"} {
		if strings.Contains(strings.Join(e.commands, "\n"), tool+" ") {
			needs(t, tool)
		}
	}
	return e
}

// freePorts returns the first of n in a row.
func (e *example) freePorts(n int) int {
	e.t.Helper()
	return must.Have(testgateway.FreePorts(n))(e.t)
}

func (e *example) replace(pairs ...any) {
	for i := range e.commands {
		for j := 0; j < len(pairs); j += 2 {
			e.commands[i] = strings.ReplaceAll(e.commands[i], pairs[j].(string), fmt.Sprint(pairs[j+1]))
		}
	}
}

// command is the next one of the README.
func (e *example) command() *exec.Cmd {
	e.t.Helper()
	require.NotEmpty(e.t, e.commands)
	line := e.commands[0]
	e.commands = e.commands[1:]
	return e.shell(line)
}

func (e *example) shell(line string) *exec.Cmd {
	cmd := exec.CommandContext(e.t.Context(), "bash", "-c", line)
	cmd.Dir, cmd.Env = root, e.env
	command.EndWithChildren(cmd)
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// run runs the next command to its end and returns its standard output. What npm
// has installed before is not installed again.
func (e *example) run() string {
	e.t.Helper()
	command := e.command()
	if folder, ok := strings.CutPrefix(command.Args[2], "npm ci --prefix "); ok && upToDate(filepath.Join(root, folder)) {
		return ""
	}
	var problems bytes.Buffer
	command.Stderr = &problems
	output, err := command.Output()
	if code := unreachable.FindString(problems.String()); err != nil && code != "" {
		e.t.Skipf("npm's registry can't be reached (%s), so that nothing can be installed: %s", code, command.Args[2])
	}
	require.NoError(e.t, err, "%s\n%s%s", command.Args[2], output, &problems)
	return string(output)
}

// unreachable is what npm says of a registry that is not there, or that refuses.
var unreachable = regexp.MustCompile(`npm (error|ERR!) code (E[0-9]{3}|ENOTFOUND|EAI_AGAIN|ECONN[A-Z]+|ETIMEDOUT|ENETUNREACH)\b`)

// upToDate tells whether npm has installed what the lock file of a folder names.
func upToDate(folder string) bool {
	lock, err := os.Stat(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		return false
	}
	done, err := os.Stat(filepath.Join(folder, "node_modules", ".package-lock.json"))
	return err == nil && !done.ModTime().Before(lock.ModTime())
}

const wellKnown = "/.well-known/openid-configuration"

// serve starts the next command, which is `make run`, and waits for the gateway's
// metadata, which it has from the identity provider.
func (e *example) serve() {
	e.t.Helper()
	e.start(e.gateway + wellKnown)
}

// start starts the next command, and waits until a URL answers.
func (e *example) start(ready string) *process {
	e.t.Helper()
	return e.startAgain(e.command(), ready)
}

func (e *example) startAgain(command *exec.Cmd, ready string) *process {
	e.t.Helper()
	p := launch(e.t, command)
	p.await(e.t, ready, 5*time.Minute, http.DefaultTransport) // it may have to be built
	return p
}

// stop is Ctrl-C.
func (e *example) stop(p *process) {
	require.NoError(e.t, syscall.Kill(-p.Process.Pid, syscall.SIGINT))
	<-p.ended
	require.True(e.t, p.ProcessState.Success(), p.ProcessState)
}

var loginURL = regexp.MustCompile(`https?://\S+/authorize\?\S+`)

// runWithLogin runs the next command, and if it prints a URL to log in at, opens
// that and logs in as ada. atLoginPage is called before she does.
func (e *example) runWithLogin(atLoginPage func()) (output string, loggedIn bool) {
	e.t.Helper()
	command := e.command()
	var printed bytes.Buffer
	command.Stdout = &printed
	said := must.Have(command.StderrPipe())(e.t)
	require.NoError(e.t, command.Start())
	e.browser.atLogin = atLoginPage
	var problems strings.Builder
	for lines := bufio.NewScanner(io.TeeReader(said, &problems)); lines.Scan(); {
		if address := loginURL.FindString(lines.Text()); address != "" {
			arrived := must.Have(e.browser.current.visit(e.t.Context(), address))(e.t)
			require.Contains(e.t, arrived.Page, "You are logged in")
			loggedIn = true
		}
	}
	require.NoError(e.t, command.Wait(), "%s\n%s", command.Args[2], &problems)
	return printed.String(), loggedIn
}
