package identity

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	allEndpoints = "/authorize /oauth/token /userinfo /v2/logout"
	proxied      = "reverse_proxy 127.0.0.1:9"
)

// reachSource is a Caddyfile with a log in folder.
func reachSource(folder, global, sites string) string {
	return strings.ReplaceAll("{\n{admin}\nauto_https off\nstorage file_system {folder}/data\nlog default {\noutput file {folder}/log\nlevel INFO\n}\n"+global+"\n}\n"+sites, "{folder}", folder)
}

func onSite(block string) string {
	return "http://login.example:{port} {\nbind 127.0.0.1\n" + block + "\n}\n"
}

// TestWhatAGatewayDoesNotGetIsAWarning loads configurations, one after the other, and
// reads the warnings in the log of each.
func TestWhatAGatewayDoesNotGetIsAWarning(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process")
	}
	const (
		gateway = "identity_gateway https://idp.example"
		lost    = "requests that this gateway has to check do not reach it"
		never   = "this gateway is never reached"
		two     = "two gateways have this callback"
		guard   = " before this gateway responds"
		prefix  = "public_url does not have the path that handle_path removes"
		unfound = "agents, and others that discover the gateway by RFC 8414, do not find its metadata"
		host    = "public_url is at no host of this site"
		user    = "a $2a$14$Zkx19XLiW6VYouLHR5NmfOFU0z2GTNmpkT/5qqR7hx4IjWJPDhjvG"
		renamed = "rewrite before this gateway changes the paths of its requests"
		chosen  = "reverse_proxy before this gateway gets requests"
	)
	callback := func(idp string) string { return "identity_gateway https://" + idp + ".example {\ncallback\n}" }
	const issuing = "identity_gateway https://idp.example {\ndiscover\ncallback\npublic_url https://login.example/id\n}"
	without := func(paths string) string {
		return strings.Join(strings.Fields(strings.NewReplacer(paths, "").Replace(allEndpoints+" /oauth/token.json")), " ")
	}
	tests := []struct {
		name, global, sites string
		want                []string // message: paths by handler
	}{
		{"first in the site", "", onSite(gateway + "\n" + proxied), nil},
		{"in a handle for everything", "", onSite("handle {\n" + gateway + "\n" + proxied + "\n}"), nil},
		{"in a handle for one path", "", onSite("handle /authorize {\n" + gateway + "\n}\nhandle {\n" + proxied + "\n}"), []string{lost + ": " + without("/authorize ") + " by reverse_proxy"}},
		{"in a handle, and nobody else", "", onSite("handle /oauth/* {\n" + gateway + "\n}"), []string{lost + ": /authorize /userinfo /v2/logout by nobody"}},
		{"after a handle for one path", "", onSite("handle /oauth/token {\nrespond hello\n}\nhandle {\n" + gateway + "\n" + proxied + "\n}"), []string{lost + ": /oauth/token by static_response"}},
		{"in a nested handle", "", onSite("handle {\nhandle /userinfo {\n" + proxied + "\n}\nhandle {\n" + gateway + "\n}\n}"), []string{lost + ": /userinfo by reverse_proxy"}},
		{"after respond, in a route", "", onSite("route {\nrespond hello\n" + gateway + "\n}"), []string{lost + ": " + without("") + " by static_response"}},
		{"after a respond for one path", "", onSite("route {\nrespond /authorize hello\n" + gateway + "\n}"), []string{lost + ": /authorize by static_response"}},
		{"after an error, in a route", "", onSite("route {\nerror 404\n" + gateway + "\n}"), []string{lost + ": " + without("") + " by error"}},
		{"after files", "", onSite("route {\nfile_server\n" + gateway + "\n}"), []string{lost + ": " + without("") + " by file_server"}},
		{"after files that are passed on", "", onSite("route {\nfile_server {\npass_thru\n}\n" + gateway + "\n}"), nil},
		{"ordered last", "order identity_gateway last", onSite(gateway + "\n" + proxied), []string{lost + ": " + without("") + " by reverse_proxy"}},
		{"ordered last, in a route", "order identity_gateway last", onSite("route {\n" + gateway + "\n" + proxied + "\n}"), nil},
		{"ordered first", "order identity_gateway first", onSite(gateway + "\n" + proxied), nil},
		{"in a handle_path", "", onSite("handle_path /id/* {\n" + gateway + "\n}\n" + proxied), nil},
		{"in two of them", "", onSite("handle_path /id/* {\nhandle_path /a/* {\n" + gateway + "\n}\n}\n" + proxied), nil},
		{"in a handle_path for one path", "", onSite("handle_path /id/oauth/* {\nhandle /token {\n" + gateway + "\n}\nrespond hello\n}"), []string{lost + ": " + without("") + " by static_response"}},
		{"after a rewrite", "", onSite("rewrite /login /authorize\n" + gateway + "\n" + proxied), nil},
		{"after a rewrite of all", "", onSite("rewrite * /x\n" + gateway + "\n" + proxied), []string{renamed + ": " + without("")}},
		{"after a rewrite that is not followed", "", onSite("@x header X *\nrewrite @x /{header.X}\n" + gateway + "\n" + proxied), nil},
		{"after a rewrite, in a route", "", onSite("route {\n" + gateway + "\nrewrite * /x\n" + proxied + "\n}"), nil},
		{"in a named route", "", "&(login) {\n" + gateway + "\n" + proxied + "\n}\n" + onSite("invoke login"), nil},
		{"in a named route after another", "", "&(login) {\n" + gateway + "\n}\n&(app) {\nrespond hello\n}\n" + onSite("route {\ninvoke app\ninvoke login\n}"), []string{lost + ": " + without("") + " by static_response"}},
		{"after forward_auth", "", onSite("forward_auth 127.0.0.1:9 {\nuri /\n}\n" + gateway + "\n" + proxied), []string{"forward_auth" + guard + ": " + without("")}},
		{"after basic_auth", "", onSite("basic_auth {\n" + user + "\n}\n" + gateway + "\n" + proxied), []string{"basic_auth" + guard + ": " + without("")}},
		{"in a handle after basic_auth", "", onSite("basic_auth {\n" + user + "\n}\nhandle {\n" + gateway + "\n}"), []string{"basic_auth" + guard + ": " + without("")}},
		{"after basic_auth for others", "", onSite("basic_auth /admin/* {\n" + user + "\n}\n" + gateway + "\n" + proxied), nil},
		{"after basic_auth for one path", "", onSite("basic_auth /userinfo {\n" + user + "\n}\n" + gateway + "\n" + proxied), []string{"basic_auth" + guard + ": /userinfo"}},
		{"before basic_auth, in a route", "", onSite("route {\n" + gateway + "\nbasic_auth {\n" + user + "\n}\n" + proxied + "\n}"), nil},
		{"in a handle_path that its public_url lacks", "", onSite("handle_path /id/* {\n" + gateway + " {\npublic_url https://login.example\n}\n}"), []string{prefix}},
		{"at another host than its public_url", "", onSite(gateway + " {\npublic_url https://www.example\n}"), []string{host}},
		{"in a handle_path that its public_url has", "", onSite("handle_path /id/* {\n" + gateway + " {\npublic_url https://login.example/id/\n}\n}"), nil},
		{"an issuer in a handle_path", "", onSite("handle_path /id/* {\n" + issuing + "\n}"), []string{unfound}},
		{"an issuer in a handle_path, and its metadata beside", "", onSite("@login path /id/* /.well-known/oauth-authorization-server/id\nhandle @login {\nuri strip_prefix /id\n" + issuing + "\n}"), nil},
		{"after what looks at headers", "", onSite("@old header X-Old *\nhandle @old {\n" + proxied + "\n}\nhandle {\n" + gateway + "\n}"), nil},
		{"after an expression", "", onSite("@a expression {remote_host}.startsWith(\"192.\")\nhandle @a {\n" + proxied + "\n}\nhandle {\n" + gateway + "\n}"), nil},
		{"after an expression of the path", "", onSite("@a expression {path}.startsWith(\"/authorize\")\nhandle @a {\n" + proxied + "\n}\nhandle {\n" + gateway + "\n}"), []string{lost + ": /authorize by reverse_proxy"}},
		{"after a proxy to the same place, by a header", "", onSite("@old header X-Old *\nhandle @old {\nreverse_proxy https://idp.example\n}\nhandle {\n" + gateway + "\n}"), []string{chosen + ": " + without("")}},
		{"after a proxy to the same place, by another path", "", onSite("handle /old/* {\nreverse_proxy https://idp.example\n}\nhandle {\n" + gateway + "\n}"), nil},
		{"after a site for a path of the same host", "", "http://login.example:{port}/oauth/* {\nbind 127.0.0.1\nrespond hello\n}\n" + onSite(gateway), []string{lost + ": /oauth/token /oauth/token.json by static_response"}},
		{"not for assets", "", onSite("@pages not path /assets/*\nhandle @pages {\n" + gateway + "\n}\nhandle {\n" + proxied + "\n}"), nil},
		{"by an expression of paths", "", onSite("@one path_regexp ^/authorize\nhandle @one {\n" + gateway + "\n}\nhandle {\n" + proxied + "\n}"), []string{lost + ": " + without("/authorize ") + " by reverse_proxy"}},
		{"another host is redirected", "", "http://login.example:{port}, http://www.example:{port} {\nbind 127.0.0.1\n@www host www.example\nredir @www https://login.example{uri}\n" + gateway + "\n}", nil},
		{"not at another host", "", "http://login.example:{port}, http://www.example:{port} {\nbind 127.0.0.1\n@login not host www.example\n" + gateway[:17] + "@login" + gateway[16:] + "\n}", nil},
		{"any host", "", "http://:{port} {\nbind 127.0.0.1\nhandle /authorize {\n" + gateway + "\n}\n" + proxied + "\n}", []string{lost + ": " + without("/authorize ") + " by reverse_proxy"}},
		{"any subdomain", "", "http://*.login.example:{port} {\nbind 127.0.0.1\nhandle /authorize {\n" + gateway + "\n}\n" + proxied + "\n}", []string{lost + ": " + without("/authorize ") + " by reverse_proxy"}},

		{"two sites with a bare callback", "", onSite(callback("a")) + "http://other.example:{port} {\nbind 127.0.0.1\n" + callback("b") + "\n}", nil},
		{"two hosts of a site", "", "http://a.example:{port}, http://b.example:{port} {\nbind 127.0.0.1\n@a host a.example\n@b host b.example\nidentity_gateway @a https://a.example {\ncallback\n}\nidentity_gateway @b https://b.example {\ncallback\n}\n}", nil},
		{"two hosts by expression", "", onSite("@a expression {host} == \"login.example\"\nhandle @a {\n" + callback("a") + "\n}\nhandle {\n" + callback("b") + "\n}"), []string{two, two}},
		{"two handle_path", "", onSite("handle_path /a/* {\n" + callback("a") + "\n}\nhandle_path /b/* {\n" + callback("b") + "\n}"), nil},
		{"two callbacks", "", onSite("@a header X-A a\nidentity_gateway @a https://a.example {\ncallback /x\n}\nidentity_gateway https://b.example {\ncallback /y\n}"), nil},
		{"one callback, and headers", "", onSite("@a header X-A a\nidentity_gateway @a https://a.example {\ncallback /x\n}\nidentity_gateway https://b.example {\ncallback /x\n}"), []string{two, two}},
		{"two gateways", "", onSite(gateway + "\nidentity_gateway https://b.example"), []string{never}},
		{"two in a route", "", onSite("route {\n" + gateway + "\nidentity_gateway https://b.example\n}"), []string{never}},
		{"one in the site, one in a handle_path", "", onSite(gateway + "\nhandle_path /b/* {\nidentity_gateway https://b.example\n}"), nil},
		{"two with a header", "", onSite("@a header X-A a\n" + gateway[:17] + "@a" + gateway[16:] + "\nidentity_gateway https://b.example"), nil},
		{"each endpoint at one of two", "", onSite("handle /authorize {\n" + gateway + "\n}\nhandle {\nidentity_gateway https://idp.example\n}"), nil},
	}
	root := t.TempDir()
	folder := func(test int) string { return filepath.Join(root, strconv.Itoa(test)) }
	sources := make([]string, len(tests))
	for i, test := range tests {
		require.NoError(t, os.Mkdir(folder(i), 0o700))
		sources[i] = reachSource(folder(i), test.global, test.sites)
	}
	startNode(t, newRecorder(t, nil), root, sources...).stop()
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			type line struct {
				Level, Logger, Msg, Site, IdP string
				Paths                         []string
				By                            string `json:"served_by"`
			}
			lines := logLines[line](t, filepath.Join(folder(i), "log"))
			var got []string
			for _, entry := range lines {
				if entry.Logger != "identity_gateway" || entry.Level != "warn" {
					continue
				}
				message := entry.Msg
				for _, known := range []string{lost, never, two, chosen, renamed, "basic_auth" + guard, "forward_auth" + guard, prefix, host, unfound} {
					if strings.HasPrefix(message, known) {
						message = known
					}
				}
				if message == unfound {
					require.NotEmpty(t, entry.Site)
				} else if message != prefix && message != host {
					require.NotEmpty(t, entry.Site)
					require.NotEmpty(t, entry.IdP)
				}
				switch message {
				case lost:
					message += ": " + strings.Join(entry.Paths, " ") + " by " + entry.By
				case chosen, renamed, "basic_auth" + guard, "forward_auth" + guard:
					message += ": " + strings.Join(entry.Paths, " ")
				}
				got = append(got, message)
			}
			require.Equal(t, test.want, got, "%+v", lines)
		})
	}
}

// What hands the identity provider's own host over unchecked does not load, nor do two
// gateways of which one gets the other's callback.
func TestWhatGoesAroundTheGatewayDoesNotLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	const domain = "identity_gateway {idp} {\nfront_channel proxy\n}"
	for name, test := range map[string]struct{ global, site, want string }{
		"a custom domain":            {"", "handle /authorize {\n" + domain + "\n}\nhandle {\nreverse_proxy {idp}\n}", "at login.example: /oauth/token, /userinfo, /v2/logout, /oauth/token.json reach the identity provider by reverse_proxy, unchecked; put identity_gateway before it"},
		"a list of paths":            {"", "@login path " + allEndpoints + "\nhandle @login {\n" + domain + "\n}\nreverse_proxy {idp}", "/oauth/token.json reach the identity provider"},
		"ordered last":               {"order identity_gateway last", domain + "\nreverse_proxy {idp}", "/authorize, /oauth/token, /userinfo, /v2/logout, /oauth/token.json reach the identity provider"},
		"known by its address":       {"", "handle /authorize {\nidentity_gateway {idp}\n}\nreverse_proxy {idp}", "/oauth/token.json reach the identity provider"},
		"known by deny_path":         {"", "handle /authorize {\nidentity_gateway {idp} {\ndeny_path keycloak\n}\n}\nreverse_proxy localhost:9", "reach the identity provider"},
		"some by others":             {"", "route {\nrespond /authorize hello\nreverse_proxy /oauth/token {idp}\nrespond /userinfo hello\n" + domain + "\n}", "at login.example: /oauth/token reach the identity provider"},
		"at one of two hosts":        {"", "@other host other.example\nhandle @other {\nreverse_proxy {idp}\n}\nhandle {\n" + domain + "\n}", "at other.example: /authorize, /oauth/token, /userinfo, /v2/logout, /oauth/token.json reach the identity provider"},
		"one callback":               {"", "identity_gateway https://a.example {\ncallback\n}\nidentity_gateway https://b.example {\ncallback\n}", "callback /oauth/callback of the identity_gateway for https://b.example at login.example is that of the one for https://a.example, too; give each its own"},
		"one callback in two blocks": {"", "handle {\nidentity_gateway https://a.example {\ncallback /x\n}\n}\nidentity_gateway https://b.example {\ncallback /x\n}", "callback /x of"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := tryNode(t, newRecorder(t, nil), t.TempDir(), "{\n{admin}\n}", reachSource(t.TempDir(), test.global, strings.Replace(onSite(test.site), " {", ", http://other.example:{port} {", 1)))
			require.ErrorContains(t, err, test.want)
		})
	}
}

// A module does not see what logs look like.
func TestAccessLogsOfAGatewayAreMentionedOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process")
	}
	root := t.TempDir()
	tests := []struct {
		site string
		want int
	}{{"log\nidentity_gateway https://idp.example", 1}, {"identity_gateway https://idp.example", 0}, {"log\nrespond hello", 0}}
	sources := make([]string, len(tests))
	for i, test := range tests {
		sources[i] = reachSource(filepath.Join(root, strconv.Itoa(i)), "", onSite(test.site))
	}
	startNode(t, newRecorder(t, nil), root, sources...).stop()
	for i, test := range tests {
		mentions := 0
		for _, entry := range logLines[struct{ Msg string }](t, filepath.Join(root, strconv.Itoa(i), "log")) {
			mentions += strings.Count(entry.Msg, "unless each `log` block has `format oauth_redact`")
		}
		require.Equal(t, test.want, mentions, test.site)
	}
}

// A reload leaves nothing behind: the next configuration has connections of its own.
func TestConnectionsToTheIdPEndWithTheirConfiguration(t *testing.T) {
	closed := make(chan struct{})
	closeOnce := sync.OnceFunc(func() { close(closed) })
	idp := httptest.NewUnstartedServer(respondJSON(200, recordedToken))
	idp.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			closeOnce()
		}
	}
	idp.Start()
	t.Cleanup(idp.Close)
	handler, cleanup, err := provision(t, "identity_gateway "+idp.URL+" {\nparameters oauth\n}", t.TempDir())
	require.NoError(t, err)
	g := front(t, handler, nil)
	require.Equal(t, 200, g.post("/oauth/token", tokenBody(verifier1, "code-1")).StatusCode)
	select {
	case <-closed:
		t.Fatal("the connection is not kept for the next request")
	default:
	}
	cleanup()
	select {
	case <-closed:
	case <-time.After(time.Minute):
		t.Fatal("the connection stays open")
	}
}

// silencing gives connections out that fall silent when it is told so: nothing that
// is sent to them arrives, as at an address that is gone after a failover.
type silencing struct {
	net.Listener
	generation atomic.Int32
}

type silenced struct {
	net.Conn
	listener *silencing
	born     int32
}

func (l *silencing) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &silenced{conn, l, l.generation.Load()}, nil
}

func (l *silencing) silence() { l.generation.Add(1) }

func (c *silenced) Read(p []byte) (int, error) {
	for {
		n, err := c.Conn.Read(p)
		if err != nil || c.born == c.listener.generation.Load() {
			return n, err
		}
	}
}

func (c *silenced) Write(p []byte) (int, error) {
	if c.born != c.listener.generation.Load() {
		return len(p), nil
	}
	return c.Conn.Write(p)
}

func TestAnHTTP2ConnectionThatFellSilentIsReplaced(t *testing.T) {
	idp := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			w.WriteHeader(http.StatusHTTPVersionNotSupported)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"sub":"user-1"}`)
	}))
	listener := &silencing{Listener: idp.Listener}
	idp.Listener, idp.EnableHTTP2 = listener, true
	idp.StartTLS()
	t.Cleanup(idp.Close)
	g := loaded(t, "identity_gateway "+idp.URL+" {\nresponse_timeout 1s\ntransport http {\ntls_insecure_skip_verify\n}\n}", t.TempDir())
	gateway := front(t, g, nil)
	ask := func() int { return gateway.get("/userinfo", "Authorization", "Bearer a").StatusCode }
	require.Equal(t, http.StatusOK, ask())

	listener.silence()
	require.NotEqual(t, http.StatusOK, ask(), "this one is lost")
	require.Eventually(t, func() bool { return ask() == http.StatusOK }, 20*time.Second, 10*time.Millisecond)
}
