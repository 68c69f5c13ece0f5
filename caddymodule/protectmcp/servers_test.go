package protectmcp_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/protectmcp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

const sealingKey = "l7Hq0nX2uVd5yBz8eKc3RfTgW9sJmPaO4iUxYvNbLwE="

// host is one with two MCP servers, /a/mcp and /b/mcp, in one process behind Caddy.
type host struct {
	t *testing.T
	*testgateway.Gateway
	keys *seal.Keys
}

// newHost runs a site; {self}, {idp} and {app} stand for addresses, {keys} for options that
// have the test make tokens.
func newHost(t *testing.T, app http.Handler, site string) *host {
	address := testgateway.NewAddress(t)
	idp := testidp.Run(t, testidp.Behavior{Clients: []testidp.Client{{ID: "gateway", Secret: "s3cret", RedirectURIs: []string{"http://" + address + "/oauth/callback"}}}})
	behind := httptest.NewServer(app)
	t.Cleanup(behind.Close)
	g := testgateway.Run(t, testgateway.Config{Address: address, Site: strings.NewReplacer("{self}", "http://"+address, "{idp}", idp.IssuerURL(),
		"{app}", strings.TrimPrefix(behind.URL, "http://"), "{keys}", "sealing_key "+sealingKey+"\nid_tokens idp").Replace(site)})
	return &host{t, g, sealingKeys(t)}
}

func sealingKeys(t *testing.T) *seal.Keys {
	key, _, err := seal.ParseMaster([]byte(sealingKey))
	require.NoError(t, err)
	keys, err := seal.NewKeys([][]byte{key}, time.Now)
	require.NoError(t, err)
	return keys
}

// token is one for a server.
func (h *host) token(path string) string {
	t := gatewaytoken.Token{Issuer: h.URL(), Resource: h.URL() + path, Subject: "ada", ClientID: "agent", Issued: time.Now(), Expires: time.Now().Add(time.Hour)}
	return t.Seal(h.keys)
}

// get sends a path as it is written.
func (h *host) get(target, token string, header ...string) *http.Response {
	conn, err := net.Dial("tcp", h.Address())
	require.NoError(h.t, err)
	defer conn.Close()
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s", target, h.Address(), strings.Join(header, ""))
	if token != "" {
		fmt.Fprintf(conn, "Authorization: Bearer %s\r\n", token)
	}
	fmt.Fprint(conn, "\r\n")
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(h.t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(h.t, err)
	response.Body = io.NopCloser(strings.NewReader(string(body)))
	return response
}

// lenient is an app that reads paths as some servers do, and says which of its MCP servers
// answers.
var lenient = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	target := r.RequestURI
	if other := r.Header.Get("X-Original-Url"); other != "" {
		target = other
	}
	for range 3 {
		if decoded, err := url.PathUnescape(target); err == nil {
			target = decoded
		}
	}
	var segments []string
	for segment := range strings.SplitSeq(strings.ReplaceAll(strings.ToLower(target), `\`, "/"), "/") {
		segment, _, _ = strings.Cut(segment, ";")
		segments = append(segments, segment)
	}
	_, _ = io.WriteString(w, path.Clean(strings.Join(segments, "/")))
})

// byHand is what one writes first.
const byHand = `
identity_gateway {idp} {
	discover
	callback
	public_url {self}
	{keys}
	resource {self}/a/mcp
	resource {self}/b/mcp
	dynamic_clients {
		registration
		idp_client gateway {
			secret s3cret
		}
	}
}
@a path /a/mcp /a/mcp/*
@b path /b/mcp /b/mcp/*
require_token @a {self} {self}/a/mcp {
	tokens gateway
}
require_token @b {self} {self}/b/mcp {
	tokens gateway
}
reverse_proxy {app}`

const shorthand = `
protect_mcp {idp} {
	idp_client gateway s3cret
	{keys}
	public /health /b/mcp/health
	server {self}/a/mcp {
		scope files.read
		header X-User sub
	}
	server {self}/b/mcp {
		scope reports.read
	}
}
reverse_proxy {app}`

// Each server takes its own tokens, has metadata where clients look for it, and clients ask for
// its scopes; nothing else of the host is open.
func TestServersOnOneHost(t *testing.T) {
	h := newHost(t, lenient, shorthand)
	for name, test := range map[string]struct {
		path, token string
		status      int
	}{
		"the first one":                       {"/a/mcp", "/a/mcp", 200},
		"below it":                            {"/a/mcp/sse", "/a/mcp", 200},
		"the second one":                      {"/b/mcp", "/b/mcp", 200},
		"below it, with a query":              {"/b/mcp/messages?session=1", "/b/mcp", 200},
		"without a token":                     {"/b/mcp", "", 401},
		"a token of the first at the second":  {"/b/mcp", "/a/mcp", 401},
		"a token of the second at the first":  {"/a/mcp", "/b/mcp", 401},
		"what is public for all":              {"/health", "", 200},
		"what is public below one":            {"/b/mcp/health", "", 200},
		"what is nobody's":                    {"/", "/a/mcp", 404},
		"what is nobody's, without a token":   {"/admin", "", 404},
		"a path that begins as a server's":    {"/a/mcpx", "/a/mcp", 404},
		"the login":                           {"/oauth/token", "", 405},
		"the metadata of the gateway":         {"/.well-known/oauth-authorization-server", "", 200},
		"the metadata of no server":           {"/.well-known/oauth-protected-resource/c/mcp", "", 404},
		"the metadata of none":                {"/.well-known/oauth-protected-resource", "", 404},
		"an endpoint of the gateway, spelled": {"/a/mcp/../../oauth/token", "/a/mcp", 404},
	} {
		t.Run(name, func(t *testing.T) {
			token := ""
			if test.token != "" {
				token = h.token(test.token)
			}
			require.Equal(t, test.status, h.get(test.path, token).StatusCode)
		})
	}
	for _, server := range [...]string{"/a/mcp", "/b/mcp"} {
		var described struct {
			Resource string   `json:"resource"`
			Servers  []string `json:"authorization_servers"`
		}
		require.NoError(t, json.NewDecoder(h.get("/.well-known/oauth-protected-resource"+server, "").Body).Decode(&described))
		require.Equal(t, h.URL()+server, described.Resource)
		require.Equal(t, []string{h.URL()}, described.Servers)
		challenge := h.get(server, "").Header.Get("WWW-Authenticate")
		require.Contains(t, challenge, `resource_metadata="`+h.URL()+"/.well-known/oauth-protected-resource"+server+`"`)
	}
}

// An agent with a token for one server writes its path so that the gateway takes it for that of
// this server, and the app for that of the other. He wins at a configuration by hand.
func TestATokenOfAnotherServerOnTheHost(t *testing.T) {
	naive, ours := newHost(t, lenient, byHand), newHost(t, lenient, shorthand)
	for name, test := range map[string]struct {
		target, header string
		// stopped: Caddy's matchers stop it already.
		stopped bool
	}{
		"parameters of segments":       {target: "/a/mcp/..;/..;/b/mcp"},
		"dots, encoded twice":          {target: "/a/mcp/%252e%252e/%252e%252e/b/mcp"},
		"a backslash":                  {target: `/a/mcp/..\..\b\mcp`},
		"an encoded backslash":         {target: "/a/mcp/..%5c..%5cb%5cmcp"},
		"a field with another path":    {target: "/a/mcp", header: "X-Original-Url: /b/mcp\r\n"},
		"a field in another spelling":  {target: "/a/mcp", header: "X-ORIGINAL-URL: /b/mcp\r\n"},
		"dots":                         {target: "/a/mcp/../../b/mcp", stopped: true},
		"encoded slashes":              {target: "/a/mcp/..%2f..%2fb%2fmcp", stopped: true},
		"capitals":                     {target: "/B/MCP", stopped: true},
		"two slashes":                  {target: "//b//mcp", stopped: true},
		"what is public":               {target: "/health/..;/b/mcp", stopped: true},
		"a parameter of a public path": {target: "/health;/../b/mcp", stopped: true},
	} {
		t.Run(name, func(t *testing.T) {
			wins := func(h *host) bool {
				response := h.get(test.target, h.token("/a/mcp"), test.header)
				body, _ := io.ReadAll(response.Body)
				return response.StatusCode == http.StatusOK && string(body) == "/b/mcp"
			}
			if !test.stopped {
				require.True(t, wins(naive), "it has to succeed by hand")
			}
			require.False(t, wins(ours))
		})
	}
}

// A client that an operator names is what it is in identity_gateway: an agent that no page asks
// about, or a service, beside those that nobody has configured.
func TestRegisteredAgentsBesideTheOthers(t *testing.T) {
	secret := sha256.Sum256([]byte("of reports"))
	g, err := testgateway.Start(testgateway.Config{Site: `
		protect_mcp https://mcp.example/mcp https://idp.example {
			idp_client gateway s3cret
			discover off
			endpoint authorize /authorize
			endpoint token /token
			endpoint userinfo /userinfo
			replay memory
			scope read
			client reports {
				token_endpoint_auth client_secret_basic ` + hex.EncodeToString(secret[:]) + `
				client_credentials
			}
			header X-User sub
		}
		respond /mcp {http.auth.user.client_id}`})
	require.NoError(t, err)
	t.Cleanup(func() { _ = g.Stop() })
	answer := exchange(t, http.MethodPost, g.URL()+"/oauth/token", "grant_type=client_credentials&resource=https%3A%2F%2Fmcp.example%2Fmcp",
		"Content-Type", "application/x-www-form-urlencoded", "Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("reports:of+reports")))
	var granted struct {
		AccessToken string `json:"access_token"`
	}
	require.NoError(t, json.NewDecoder(answer.Body).Decode(&granted))
	require.Equal(t, 200, answer.StatusCode)
	body, err := io.ReadAll(exchange(t, http.MethodGet, g.URL()+"/mcp", "", "Authorization", "Bearer "+granted.AccessToken).Body)
	require.NoError(t, err)
	require.Equal(t, "reports", string(body))
}

// exchange sends a request with header fields, and returns what came back, whole.
func exchange(t *testing.T, method, address, content string, header ...string) *http.Response {
	t.Helper()
	r, err := http.NewRequest(method, address, strings.NewReader(content))
	require.NoError(t, err)
	for n := 0; n < len(header); n += 2 {
		r.Header.Set(header[n], header[n+1])
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

func TestMain(m *testing.M) {
	testgateway.Main()
	testgateway.MainWithoutLeaks(m)
}

// An IdP without metadata: with discover no login could begin there, ever.
func TestAnIdPWithoutMetadata(t *testing.T) {
	idp := testidp.Run(t, testidp.GitHub())
	for discover, status := range map[string]int{"discover off": http.StatusOK, "": http.StatusServiceUnavailable} {
		address := testgateway.NewAddress(t)
		g, err := testgateway.Start(testgateway.Config{Address: address, Site: "protect_mcp http://" + address + "/mcp " + idp.URL() + ` {
			idp_client gateway s3cret
			endpoint authorize /login/oauth/authorize
			endpoint token /login/oauth/access_token
			endpoint userinfo ` + idp.HostURL(testidp.UserInfoHost) + `/user
			endpoint logout none
			` + discover + `
		}
		respond /mcp 200`})
		require.NoError(t, err)
		var client struct {
			ID string `json:"client_id"`
		}
		require.NoError(t, json.NewDecoder(exchange(t, http.MethodPost, g.URL()+"/oauth/register", `{"redirect_uris":["http://127.0.0.1/cb"]}`, "Content-Type", "application/json").Body).Decode(&client))
		response := exchange(t, http.MethodGet, g.URL()+"/authorize?"+url.Values{
			"response_type": {"code"}, "client_id": {client.ID}, "redirect_uri": {"http://127.0.0.1:4711/cb"}, "state": {"s"},
			"code_challenge": {"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}, "code_challenge_method": {"S256"},
		}.Encode(), "")
		content, _ := io.ReadAll(response.Body)
		require.Equal(t, status, response.StatusCode, "%s %s", discover, content)
		require.NoError(t, g.Stop())
	}
}

// An operator ends a user by the command: his streams break off, also those from before a reload, and
// his tokens are 401, while others go on.
func TestTheCommandEndsAUser(t *testing.T) {
	behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range 200 { // until somebody ends it
			_, _ = io.WriteString(w, "data: x\n\n")
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}))
	t.Cleanup(behind.Close)
	address := testgateway.NewAddress(t)
	home, url := t.TempDir(), "http://"+address
	configuration := testgateway.Caddyfile(home, "", url+` {
		protect_mcp `+url+`/mcp https://idp.example {
			idp_client gateway s3cret
			sealing_key `+sealingKey+`
			id_tokens idp
		}
		reverse_proxy `+behind.URL+`
	}`)
	p, err := testgateway.StartCaddy(configuration, home, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Stop()) })
	keys := sealingKeys(t)
	open := func(user, login string) *http.Response {
		token := gatewaytoken.Token{
			Issuer: url, Resource: url + "/mcp", Subject: user, ClientID: "https://agent.example/client.json", LoginID: login,
			Issued: time.Now().Add(-time.Minute), Expires: time.Now().Add(time.Hour),
		}
		return exchange(t, http.MethodGet, url+"/mcp", "", "Authorization", "Bearer "+token.Seal(keys))
	}
	end := func(arguments ...string) (string, error) {
		executable, err := os.Executable()
		require.NoError(t, err)
		command := exec.Command(executable, append([]string{"identity-gateway", "end", "--address", p.Admin()}, arguments...)...)
		command.Env = append(os.Environ(), testgateway.ChildVariable+"=1", "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home)
		output, err := command.CombinedOutput()
		return string(output), err
	}
	// ends reports that a stream ends soon.
	ends := func(r *http.Response) bool {
		deadline := time.Now().Add(10 * time.Second)
		for lines := bufio.NewScanner(r.Body); time.Now().Before(deadline); {
			if !lines.Scan() {
				return true
			}
		}
		return false
	}
	ada, eve, other := open("ada", "AAAAAAAAAA"), open("eve", "BBBBBBBBBA"), open("eve", "CCCCCCCCCA")
	for _, stream := range []*http.Response{ada, eve, other} {
		require.Equal(t, http.StatusOK, stream.StatusCode)
	}
	require.NoError(t, p.Reload(configuration, true), "streams of the configuration before end, too")
	output, err := end("user", "ada")
	require.NoError(t, err, output)
	require.Contains(t, output, "ended: user ada\nWhether there was one is not checked: the name has to be the user's sub")
	require.True(t, ends(ada), "it went on")
	refused := open("ada", "DDDDDDDDDA")
	require.Equal(t, http.StatusUnauthorized, refused.StatusCode)
	require.Contains(t, refused.Header.Get("WWW-Authenticate"), "has ended; log in again")

	output, err = end("login", "BBBBBBBBBA")
	require.NoError(t, err, output)
	require.True(t, ends(eve))
	require.Equal(t, http.StatusOK, open("eve", "CCCCCCCCCA").StatusCode)
	output, err = end("agent", "https://agent.example/client.json")
	require.NoError(t, err, output)
	require.True(t, ends(other))
	require.Equal(t, http.StatusUnauthorized, open("eve", "CCCCCCCCCA").StatusCode)

	for says, arguments := range map[string][]string{
		"use login, user or agent": {"session", "x"},
		"accepts 2 arg":            {"user"},
		"the user is missing":      {"user", ""},
		"not the login_id":         {"login", "ada"},
	} {
		output, err := end(arguments...)
		require.Error(t, err)
		require.Contains(t, strings.ReplaceAll(output, `\"`, `"`), says)
	}
}
