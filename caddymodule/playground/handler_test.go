package playground_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/playground"
	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

func provision(t *testing.T, h *playground.Handler) *playground.Handler {
	t.Helper()
	ctx, cancel := caddy.NewContext(caddy.Context{Context: t.Context()})
	t.Cleanup(cancel)
	require.NoError(t, h.Provision(ctx))
	require.NoError(t, h.Validate())
	return h
}

// next is the handler after the page: 418 says that a request came through.
var next = caddyhttp.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) error {
	w.WriteHeader(http.StatusTeapot)
	return nil
})

func call(t *testing.T, h *playground.Handler, method, target string) *http.Response {
	t.Helper()
	w := httptest.NewRecorder()
	require.NoError(t, h.ServeHTTP(w, httptest.NewRequest(method, target, nil), next))
	return w.Result()
}

func read(t *testing.T, response *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(body)
}

// elements are the page's elements with a name, and the attributes of each.
func elements(t *testing.T, page string, names ...string) []map[string]string {
	t.Helper()
	document, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	var found []map[string]string
	for node := range document.Descendants() {
		for _, name := range names {
			if node.Type == html.ElementNode && (node.Data == name || name == "*") {
				attributes := make(map[string]string)
				for _, attribute := range node.Attr {
					attributes[attribute.Key] = attribute.Val
				}
				found = append(found, attributes)
			}
		}
	}
	return found
}

func TestThePageIsServedAtItsPathOnly(t *testing.T) {
	for configured, path := range map[string]string{"": "/playground", "/team/try": "/team/try", "/": "/"} {
		h := provision(t, &playground.Handler{Path: configured})
		response := call(t, h, http.MethodGet, path)
		require.Equal(t, http.StatusOK, response.StatusCode)
		require.Equal(t, "text/html; charset=utf-8", response.Header.Get("Content-Type"))
		require.Equal(t, "no-store", response.Header.Get("Cache-Control"), "its URL may have had a code in it")
		require.Empty(t, read(t, call(t, h, http.MethodHead, path)))

		refused := call(t, h, http.MethodPost, path)
		require.Equal(t, http.StatusMethodNotAllowed, refused.StatusCode)
		require.Equal(t, "GET, HEAD", refused.Header.Get("Allow"))
		for _, other := range []string{path + "/x", path + "/index.html", path + "//main.js", "/other", strings.ToUpper(path) + "X", "/%70layground"} {
			require.Equal(t, http.StatusTeapot, call(t, h, http.MethodGet, other).StatusCode, other)
		}
	}
}

// Everything that the page names is below its path, and is what it is said to be.
func TestTheFilesOfThePageAreServed(t *testing.T) {
	imports := regexp.MustCompile(`(?m)^import .* from '\./(\w+\.js)';$`)
	for _, path := range []string{"/playground", "/"} {
		h := provision(t, &playground.Handler{Path: path})
		base := strings.TrimSuffix(path, "/")
		var files []string
		for _, attributes := range elements(t, read(t, call(t, h, http.MethodGet, path)), "link", "script", "img") {
			if file := attributes["src"] + attributes["href"]; file != "" && !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
		require.Len(t, files, 3, "the icon, the style sheet and the first script")
		for i := 0; i < len(files); i++ { // scripts add those that they import
			file := files[i]
			require.True(t, strings.HasPrefix(file, base+"/"), file)
			response := call(t, h, http.MethodGet, file)
			require.Equal(t, http.StatusOK, response.StatusCode, file)
			require.Equal(t, "nosniff", response.Header.Get("X-Content-Type-Options"))
			kind := map[string]string{".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}[filepath.Ext(file)]
			require.Contains(t, response.Header.Get("Content-Type"), kind)
			source := read(t, response)
			require.NotRegexp(t, `\.(innerHTML|outerHTML|insertAdjacentHTML|cookie)\b|document\.write|\beval\(|new Function|localStorage`, source, file)
			for _, match := range imports.FindAllStringSubmatch(source, -1) {
				if imported := base + "/" + match[1]; !slices.Contains(files, imported) {
					files = append(files, imported)
				}
			}
		}
		require.Greater(t, len(files), 8)
	}
}

// What the page may do is what its scripts and styles carry the nonce for: it loads
// nothing else, calls no other site, can't be framed, and sends no form.
func TestThePolicyAllowsThePageAndNothingElse(t *testing.T) {
	nonces := make(map[string]bool)
	for mcp, connect := range map[string]string{"": "'self'", "https://mcp.example:8443/path": "'self' https://mcp.example:8443"} {
		h := provision(t, &playground.Handler{MCP: mcp})
		response := call(t, h, http.MethodGet, "/playground")
		policy := response.Header.Get("Content-Security-Policy")
		nonce := regexp.MustCompile(`script-src 'nonce-([^']+)'`).FindStringSubmatch(policy)
		require.NotNil(t, nonce, policy)
		nonces[nonce[1]] = true
		require.Equal(t, "default-src 'none'; script-src 'nonce-"+nonce[1]+"'; style-src 'nonce-"+nonce[1]+"'; img-src 'self'; connect-src "+connect+"; "+
			"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'", policy)
		for name, value := range map[string]string{
			"X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			require.Equal(t, value, response.Header.Get(name))
		}
		require.Empty(t, response.Header.Get("Access-Control-Allow-Origin"))

		page := read(t, response)
		for _, attributes := range elements(t, page, "script") {
			require.True(t, attributes["nonce"] == nonce[1] || attributes["type"] == "application/json")
		}
		for _, attributes := range elements(t, page, "*") {
			for name := range attributes {
				require.False(t, strings.HasPrefix(name, "on") || name == "style", "%s can't work under the policy", name)
			}
		}
	}
	require.Len(t, nonces, 2, "a nonce is used once")
}

// What an operator configures can't end the element that it stands in.
func TestSettingsAreData(t *testing.T) {
	const hostile = `</script><script>alert(1)</script>`
	t.Setenv("PLAYGROUND_CLIENT", hostile)
	h := provision(t, &playground.Handler{Client: "{env.PLAYGROUND_CLIENT}"})
	page := read(t, call(t, h, http.MethodGet, "/playground"))
	require.NotContains(t, page, hostile)
	require.Len(t, elements(t, page, "script"), 2)

	_, settings, _ := strings.Cut(page, `id="settings">`)
	settings, _, _ = strings.Cut(settings, "</script>")
	var decoded struct {
		Client, Scope, Path string
		Names               struct {
			Languages, Personas []struct {
				Name, Kind string
				Also       []string
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(settings), &decoded))
	require.Equal(t, hostile, decoded.Client)
	require.Equal(t, "openid profile email", decoded.Scope)
	require.Equal(t, "/playground", decoded.Path)

	catalogue := persona.Default()
	require.Len(t, decoded.Names.Personas, len(catalogue.Personas()))
	require.Len(t, decoded.Names.Languages, len(catalogue.Languages())+len(catalogue.Products()))
	require.Equal(t, catalogue.Languages()[0].Name, decoded.Names.Languages[0].Name)
}

func TestMistakesInTheConfiguration(t *testing.T) {
	for _, path := range []string{"playground", "/a/", "/a*", "/{env.X}", "/a/../b", `/a"b`, "/a b"} {
		require.ErrorContains(t, (&playground.Handler{Path: path}).Validate(), "must be a path such as /playground", path)
	}
	for _, mcp := range []string{"mcp.example.com", "/mcp", "https://a;b/mcp", "https://*/mcp", "https://a 'unsafe-inline'/", "https://user@a/", "ftp://a/mcp"} {
		require.ErrorContains(t, (&playground.Handler{Path: "/", MCP: mcp}).Validate(), "must be the URL of an MCP server", mcp)
	}
	ctx, cancel := caddy.NewContext(caddy.Context{Context: t.Context()})
	defer cancel()
	require.ErrorContains(t, (&playground.Handler{Client: "{env.PLAYGROUND_NOT_SET}"}).Provision(ctx), "playground: client: ")
}
