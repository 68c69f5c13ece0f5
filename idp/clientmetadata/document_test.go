package clientmetadata

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
)

func TestClientIDs(t *testing.T) {
	for id, want := range map[string]string{
		"https://claude.ai/oauth/claude-code-client-metadata": "",
		"https://client.example/":                             "",
		"https://client.example/client.json?v=1":              "",
		"https://client.example:8443/client.json":             "",
		"https://xn--mnchen-3ya.example/c":                    "",
		"https://client.example/a%2Fb":                        "",
		"https://client.example/...":                          "",

		"":                                                     "is not an https URL",
		"http://client.example/c":                              "is not an https URL",
		"HTTPS://client.example/c":                             "is not an https URL",
		"https:client.example/c":                               "is not an https URL",
		"javascript:alert(1)":                                  "is not an https URL",
		"https://client.example":                               "has no path",
		"https://client.example?x":                             "has no path",
		"https://client.example/c#":                            "has a fragment",
		"https://client.example/c#x":                           "has a fragment",
		"https://user@client.example/c":                        "has user information",
		"https://@client.example/c":                            "has user information",
		"https://a:b@client.example/c":                         "has user information",
		"https://client.example/./c":                           "has a dot segment",
		"https://client.example/a/../c":                        "has a dot segment",
		"https://client.example/a/%2e%2E/c":                    "has a dot segment",
		"https://client.example/a/..":                          "has a dot segment",
		"https://Client.example/c":                             "has a host that is not a domain name",
		"https://127.0.0.1/c":                                  "has a host that is not a domain name",
		"https://2130706433/c":                                 "has a host that is not a domain name",
		"https://0x7f.1/c":                                     "has a host that is not a domain name",
		"https://127.1/c":                                      "has a host that is not a domain name",
		"https://[::1]/c":                                      "has a host that is not a domain name",
		"https://[::ffff:10.0.0.1]/c":                          "has a host that is not a domain name",
		"https://localhost/c":                                  "has a host that is not a domain name",
		"https://metadata/c":                                   "has a host that is not a domain name",
		"https://client.example./c":                            "has a host that is not a domain name",
		"https://client..example/c":                            "has a host that is not a domain name",
		"https://münchen.example/c":                            "is not a URL",
		"https://client.example:/c":                            "has a host that is not a domain name",
		"https://client.example:x/c":                           "is not a URL",
		"https://client.example\\@evil.test/c":                 "is not a URL",
		"https://client.example/c d":                           "is not a URL",
		"https://client.example/c\n":                           "is not a URL",
		"https://client.example/%zz":                           "is not a URL",
		"https://client.example/" + strings.Repeat("x", MaxID): "is longer than 1024 bytes",
	} {
		_, err := ParseID(id)
		if want == "" {
			require.NoError(t, err, id)
			continue
		}
		require.ErrorContains(t, err, want, id)
	}
}

const id = "https://client.example/client.json"

// The documents of published clients, shortened:
// https://github.com/anthropics/claude-code/issues/64705 and
// https://github.com/django-oauth/django-oauth-toolkit/issues/1857.
const (
	claudeCode = `{"client_id":"https://claude.ai/oauth/claude-code-client-metadata","client_name":"Claude Code","client_uri":"https://claude.ai",` +
		`"redirect_uris":["http://localhost/callback","http://127.0.0.1/callback"],"grant_types":["authorization_code","refresh_token"],"response_types":["code"],` +
		`"token_endpoint_auth_method":"none","logo_uri":"http://169.254.169.254/"}`
	chatGPT = `{"client_id":"https://chatgpt.com/oauth/client.json","client_uri":"https://chatgpt.com/","redirect_uris":["https://chatgpt.com/connector_platform_oauth_redirect"],` +
		`"token_endpoint_auth_method":"private_key_jwt","token_endpoint_auth_methods_supported":["none","private_key_jwt"],` +
		`"grant_types":["authorization_code","refresh_token"],"response_types":["code"],"client_name":"ChatGPT","token_endpoint_auth_signing_alg":"RS256","jwks_uri":"https://chatgpt.com/oauth/jwks.json"}`
)

func TestDocumentsOfPublishedClients(t *testing.T) {
	d := must.Have(Parse("https://claude.ai/oauth/claude-code-client-metadata", []byte(claudeCode)))(t)
	require.Equal(t, &Document{Host: "claude.ai", Name: "Claude Code", RedirectURIs: []string{"http://localhost/callback", "http://127.0.0.1/callback"}}, d)
	d = must.Have(Parse(id, []byte(`{"client_id":"`+id+`","redirect_uris":["https://client.example/cb"],"dpop_bound_access_tokens":true}`)))(t)
	require.True(t, d.DPoPBound)
	d = must.Have(Parse("https://chatgpt.com/oauth/client.json", []byte(chatGPT)))(t)
	require.Equal(t, &Document{Host: "chatgpt.com", Name: "ChatGPT", RedirectURIs: []string{"https://chatgpt.com/connector_platform_oauth_redirect"}}, d)
}

func TestDocumentsThatAreRejected(t *testing.T) {
	with := func(members string) string {
		return `{"client_id":"` + id + `","redirect_uris":["https://client.example/cb"]` + members + `}`
	}
	_, err := Parse(id, []byte(with("")))
	require.NoError(t, err, "RFC 7591 requires no more")
	for body, want := range map[string]string{
		"":                          "is not a JSON object",
		"[]":                        "is not a JSON object",
		"<html>":                    "is not a JSON object",
		with("") + "{}":             "is not a JSON object",
		with(`,"redirect_uris":[]`): "is not a JSON object",
		`{"client_id":"` + id + `","redirect_uris":"https://client.example/cb"}`:                           "is not a JSON object",
		`{"redirect_uris":["https://client.example/cb"]}`:                                                  "is for another client_id",
		`{"client_id":"` + id + `/","redirect_uris":["https://client.example/cb"]}`:                        "is for another client_id",
		`{"client_id":"https://CLIENT.example/client.json","redirect_uris":["https://client.example/cb"]}`: "is for another client_id",
		`{"client_id":"` + id + `"}`:                                "has no redirect_uris",
		with(`,"client_secret":"s"`):                                "has a client secret",
		with(`,"client_secret":""`):                                 "has a client secret",
		with(`,"client_secret_expires_at":0`):                       "has a client secret",
		with(`,"token_endpoint_auth_method":"client_secret_basic"`): "does not let the client do without authentication",
		with(`,"token_endpoint_auth_method":"client_secret_post"`):  "does not let the client do without authentication",
		with(`,"token_endpoint_auth_method":"client_secret_jwt"`):   "does not let the client do without authentication",
		with(`,"token_endpoint_auth_method":"private_key_jwt"`):     "does not let the client do without authentication",
		with(`,"token_endpoint_auth_method":"tls_client_auth","token_endpoint_auth_methods_supported":["none"]`):            "does not let the client do without authentication",
		with(`,"token_endpoint_auth_method":"none","token_endpoint_auth_methods_supported":["none","client_secret_basic"]`): "does not let the client do without authentication",
		with(`,"x":"` + strings.Repeat("x", MaxDocument) + `"`):                                                             "is longer than 5120 bytes",
	} {
		_, err := Parse(id, []byte(body))
		require.ErrorContains(t, err, want, body)
	}
}

// FuzzParseID: an id that passes goes where Go's and everybody else's parser says, and
// nowhere else.
func FuzzParseID(f *testing.F) {
	for _, seed := range []string{
		id, "https://claude.ai/oauth/claude-code-client-metadata", "https://client.example:8443/a?b=c", "https://0x7f.1/", "https://a@b.example/",
		"https://b.example\\@c.example/", "https://b.example/%2e%2e/", "https://b.example#@c.example/", "//b.example/", "https://xn--a.example/",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := ParseID(s)
		if err != nil {
			return
		}
		again, err := url.Parse(s)
		switch {
		case err != nil || again.Host != u.Host || u.Scheme != "https" || u.User != nil || u.Fragment != "":
			t.Fatalf("%q passes as %q", s, u)
		case !strings.HasPrefix(s, "https://"+u.Host+"/") && !strings.HasPrefix(s, "https://"+u.Host+"?"):
			t.Fatalf("%q has the host %q", s, u.Host)
		case strings.Contains(u.Path+"/", "/../") || strings.Contains(u.Path+"/", "/./"):
			t.Fatalf("%q has a dot segment", s)
		}
		if host := u.Hostname(); strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" || !strings.Contains(host, ".") || strings.Trim(host[strings.LastIndex(host, ".")+1:], "0123456789") == "" {
			t.Fatalf("%q has the host %q", s, host)
		}
	})
}

// FuzzParse: a document that passes is that of the id, and has somewhere to go.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{claudeCode, chatGPT, `{"client_id":"` + id + `","redirect_uris":["https://client.example/cb"]}`, `{"client_id":1}`, `{}`, `null`} {
		f.Add(id, []byte(seed))
		f.Add("https://claude.ai/oauth/claude-code-client-metadata", []byte(seed))
	}
	f.Fuzz(func(t *testing.T, id string, raw []byte) {
		d, err := Parse(id, raw)
		if err == nil && (len(d.RedirectURIs) == 0 || !strings.HasPrefix(id, "https://"+d.Host) || !strings.Contains(strings.ReplaceAll(string(raw), `\`, ""), "client_id") || len(raw) > MaxDocument) {
			t.Fatalf("%q at %q passes as %+v", raw, id, d)
		}
	})
}
