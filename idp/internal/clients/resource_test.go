package clients

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var resources = []ResourceConfig{
	{URI: "https://mcp.example.com/mcp", Tokens: IdPTokens},
	{URI: "https://other.example.com/", Tokens: IdPTokens},
	{URI: "https://third.example.com/a?b=c/", Tokens: IdPTokens},
}

// RFC 8707 section 2, RFC 3986 section 6.2.2.1: what names a resource, and what only looks like it.
func TestTheNamesOfAResource(t *testing.T) {
	known := registryWith(t, Config{Resources: resources})
	for found, uris := range map[string][]string{
		"https://mcp.example.com/mcp":      {"https://mcp.example.com/mcp", "HTTPS://MCP.Example.COM/mcp", "https://mcp.example.com/mcp/"},
		"https://other.example.com/":       {"https://other.example.com"},
		"https://third.example.com/a?b=c/": {"https://third.example.com/a?b=c/"},
		"": {
			"https://third.example.com/a?b=c", "https://third.example.com/a/?b=c/", "https://mcp.example.com/MCP", "https://mcp.example.com/mcp//", "https://mcp.example.com//mcp",
			"https://mcp.example.com/./mcp", "https://mcp.example.com/a/../mcp", "https://mcp.example.com/%6dcp", "https://mcp.example.com/mcp%2f", "https://mcp.example.com/mcp?",
			"https://mcp.example.com/mcp?a=b", "https://mcp.example.com/mcp#", "https://mcp.example.com/mcp#a", "https://mcp.example.com/mcp;a", "https://mcp.example.com/mcp/tools",
			"https://mcp.example.com", "https://mcp.example.com:443/mcp", "https://mcp.example.com:8443/mcp", "https://mcp.example.com:/mcp", "https://mcp.example.com./mcp",
			"https://mcp.example.com../mcp", "https://mcp%2eexample.com/mcp", "https://mcp.example.com%2f/mcp", "https://mcp。example.com/mcp", "https://user@mcp.example.com/mcp",
			"https://@mcp.example.com/mcp", "https://mcp.example.com@evil/mcp", "https://evil/mcp.example.com/mcp", "https:/mcp.example.com/mcp", "https:mcp.example.com/mcp",
			"https:\\\\mcp.example.com\\mcp", "http://mcp.example.com/mcp", "//mcp.example.com/mcp", "mcp.example.com/mcp", " https://mcp.example.com/mcp", "https://mcp.example.com/mcp ", "",
		},
	} {
		requireFinds(t, known.findResource, found, uris)
	}
}

// requireFinds requires that each of some URIs names a resource, "" for none.
func requireFinds(t *testing.T, find func(string) *Resource, resource string, uris []string) {
	t.Helper()
	for _, uri := range uris {
		got := ""
		if r := find(uri); r != nil {
			got = r.URI
		}
		require.Equal(t, resource, got, uri)
	}
}

// FuzzResource holds the names of a resource to Go's own parser: one that is found has
// the host, the port and the path of the configured one, and nothing else.
func FuzzResource(f *testing.F) {
	for _, uri := range []string{
		"https://mcp.example.com/mcp", "HTTPS://MCP.EXAMPLE.COM/mcp/", "https://mcp.example.com:443/mcp", "https://mcp.example.com./mcp", "https://user@mcp.example.com/mcp",
		"https://mcp%2eexample.com/mcp", "https://mcp.example.com/%6dcp", "https://mcp.example.com/mcp//", "https://mcp.example.com\\@evil/mcp", "https://third.example.com/a?b=c/", "https:mcp.example.com/mcp",
		"https://mcp.example.com\u0130/mcp", "https://other.example.com", "https://[::1]/", "https://mcp.example.com/mcp?", "https://mcp.example.com/mcp#/",
	} {
		f.Add(uri)
	}
	known := registryWith(f, Config{Resources: resources})
	f.Fuzz(func(t *testing.T, uri string) {
		r := known.findResource(uri)
		if r == nil {
			return
		}
		sent, err := url.Parse(uri)
		if err != nil {
			t.Fatal(err)
		}
		want, err := url.Parse(r.URI)
		if err != nil {
			t.Fatal(err)
		}
		sent.Scheme, sent.Host = want.Scheme, strings.ToLower(sent.Host)
		sent.Path, want.Path = strings.TrimSuffix(sent.Path, "/"), strings.TrimSuffix(want.Path, "/")
		if sent.String() != want.String() || sent.User != nil || strings.Contains(uri, "#") {
			t.Fatalf("%q is taken for %q", uri, r.URI)
		}
	})
}

// Some agents name the origin of a server at /mcp. The token is for that server, if there is no other
// at the origin.
func TestAResourceByItsOrigin(t *testing.T) {
	known := registryWith(t, Config{Resources: append(slices.Clone(resources),
		ResourceConfig{URI: "https://two.example.com/a/mcp", Tokens: IdPTokens}, ResourceConfig{URI: "https://two.example.com/b/mcp", Tokens: IdPTokens})})
	requireFinds(t, known.onlyResourceAt, "https://mcp.example.com/mcp", []string{"https://mcp.example.com", "https://MCP.example.com/"})
	requireFinds(t, known.onlyResourceAt, "", []string{
		"https://two.example.com", "https://two.example.com/a", "https://mcp.example.co", "https://mcp.example.com.evil", "https://mcp.example.com/m", "https://mcp.example.com:8443",
		"http://mcp.example.com", "https://example.com", "https://user@mcp.example.com", "https://mcp.example.com?", "https://mcp.example.com//", "https://evil@mcp.example.com/mcp",
	})
}
