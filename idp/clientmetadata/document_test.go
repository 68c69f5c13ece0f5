package clientmetadata

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
)

func TestClientIDs(t *testing.T) {
	for says, ids := range map[string][]string{
		"": {
			"https://claude.ai/oauth/claude-code-client-metadata", "https://client.example/", "https://client.example/client.json?v=1", "https://client.example:8443/client.json",
			"https://xn--mnchen-3ya.example/c", "https://client.example/a%2Fb", "https://client.example/...",
		},
		"is not an https URL":  {"", "http://client.example/c", "HTTPS://client.example/c", "https:client.example/c", "javascript:alert(1)"},
		"has no path":          {"https://client.example", "https://client.example?x"},
		"has a fragment":       {"https://client.example/c#", "https://client.example/c#x"},
		"has user information": {"https://user@client.example/c", "https://@client.example/c", "https://a:b@client.example/c"},
		"has a dot segment": {
			"https://client.example/./c", "https://client.example/a/../c", "https://client.example/a/%2e%2E/c", "https://client.example/a/..",
		},
		"has a host that is not a domain name": {
			"https://Client.example/c", "https://127.0.0.1/c", "https://2130706433/c", "https://0x7f.1/c", "https://127.1/c", "https://[::1]/c", "https://[::ffff:10.0.0.1]/c",
			"https://localhost/c", "https://metadata/c", "https://client.example./c", "https://client..example/c", "https://client.example:/c",
		},
		"is not a URL": {
			"https://münchen.example/c", "https://client.example:x/c", "https://client.example\\@evil.test/c", "https://client.example/c d", "https://client.example/c\n", "https://client.example/%zz",
		},
		"is longer than 1024 bytes": {"https://client.example/" + strings.Repeat("x", MaxID)},
	} {
		for _, id := range ids {
			if _, err := ParseID(id); says == "" {
				require.NoError(t, err, id)
			} else {
				require.ErrorContains(t, err, says, id)
			}
		}
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
	for says, bodies := range map[string][]string{
		"is not a JSON object": {
			"", "[]", "<html>", with("") + "{}", with(`,"redirect_uris":[]`), `{"client_id":"` + id + `","redirect_uris":"https://client.example/cb"}`,
		},
		"is for another client_id": {
			`{"redirect_uris":["https://client.example/cb"]}`, `{"client_id":"` + id + `/","redirect_uris":["https://client.example/cb"]}`,
			`{"client_id":"https://CLIENT.example/client.json","redirect_uris":["https://client.example/cb"]}`,
		},
		"has no redirect_uris": {`{"client_id":"` + id + `"}`},
		"has a client secret":  {with(`,"client_secret":"s"`), with(`,"client_secret":""`), with(`,"client_secret_expires_at":0`)},
		"does not let the client do without authentication": {
			with(`,"token_endpoint_auth_method":"client_secret_basic"`), with(`,"token_endpoint_auth_method":"client_secret_post"`),
			with(`,"token_endpoint_auth_method":"client_secret_jwt"`), with(`,"token_endpoint_auth_method":"private_key_jwt"`),
			with(`,"token_endpoint_auth_method":"tls_client_auth","token_endpoint_auth_methods_supported":["none"]`),
			with(`,"token_endpoint_auth_method":"none","token_endpoint_auth_methods_supported":["none","client_secret_basic"]`),
		},
		"is longer than 5120 bytes": {with(`,"x":"` + strings.Repeat("x", MaxDocument) + `"`)},
	} {
		for _, body := range bodies {
			_, err := Parse(id, []byte(body))
			require.ErrorContains(t, err, says, body)
		}
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
