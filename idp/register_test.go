package idp

import (
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// What published clients send: https://github.com/erp-mafia/accounted/pull/2225 and
// https://github.com/microsoft/vscode/issues/278512.
const (
	cursorRegistration = `{"client_name":"Cursor","redirect_uris":["cursor://anysphere.cursor-mcp/oauth/callback",` +
		`"https://www.cursor.com/agents/mcp/oauth/callback","http://localhost:8787/callback"],"grant_types":["authorization_code","refresh_token"],` +
		`"response_types":["code"],"token_endpoint_auth_method":"none"}`
	vscodeRegistration = `{"client_name":"Visual Studio Code","client_uri":"https://code.visualstudio.com","grant_types":["authorization_code","refresh_token"],` +
		`"response_types":["code"],"redirect_uris":["https://insiders.vscode.dev/redirect","https://vscode.dev/redirect","http://127.0.0.1/","http://127.0.0.1:33418/"],` +
		`"scope":"mcp.read","token_endpoint_auth_method":"none","application_type":"native"}`
)

func TestARegistration(t *testing.T) {
	s := newUnseen(t)
	r, result := s.register(cursorRegistration)
	require.Equal(t, http.StatusCreated, result.Status, string(result.Body))
	require.Equal(t, "no-store", result.Header.Get("Cache-Control"))
	require.Equal(t, "application/json", result.Header.Get("Content-Type"))
	require.LessOrEqual(t, len(r.ClientID), 300, r.ClientID)
	require.Equal(t, registrationResponse{
		ClientID: r.ClientID, IssuedAt: s.sealed.now.Unix(), Name: "Cursor",
		RedirectURIs: []string{"cursor://anysphere.cursor-mcp/oauth/callback", "https://www.cursor.com/agents/mcp/oauth/callback", "http://localhost:8787/callback"},
		GrantTypes:   []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"}, AuthMethod: "none",
	}, r)
	require.NotContains(t, string(result.Body), "secret")
	require.NotContains(t, string(result.Body), "gateway", "nothing of the identity provider")

	r, result = s.register(vscodeRegistration)
	require.Equal(t, http.StatusCreated, result.Status)
	require.Equal(t, []string{"http://127.0.0.1/", "http://127.0.0.1:33418/"}, r.RedirectURIs, "vscode is not allowed here")
}

func TestRegistrationsThatAreRejected(t *testing.T) {
	s := newUnseen(t)
	for body, want := range map[string]string{
		"":                                      "invalid_client_metadata",
		"redirect_uris=http://localhost/":       "invalid_client_metadata",
		`[]`:                                    "invalid_client_metadata",
		`{"redirect_uris":"http://localhost/"}`: "invalid_client_metadata",
		`{"redirect_uris":["http://localhost/"],"redirect_uris":[]}`:         "invalid_client_metadata",
		`{"redirect_uris":["http://localhost/"],"client_name":"` + "\xff\"}": "invalid_client_metadata",
		`{"redirect_uris":["http://localhost/"]} {}`:                         "invalid_client_metadata",
		`{}`:                   "invalid_redirect_uri",
		`{"redirect_uris":[]}`: "invalid_redirect_uri",
		`{"redirect_uris":["http://localhost/` + strings.Repeat("x", 1024) + `"]}`:                  "invalid_redirect_uri",
		`{"redirect_uris":[` + strings.Repeat(`"http://localhost/",`, 32) + `"http://localhost/"]}`: "invalid_redirect_uri",
	} {
		_, result := s.register(body)
		require.Equal(t, http.StatusBadRequest, result.Status, body)
		require.Equal(t, want, errorOf(result), body)
		require.Equal(t, "no-store", result.Header.Get("Cache-Control"))
	}
	_, result := s.register(`{"redirect_uris":["http://localhost/"],"x":"` + strings.Repeat("x", 16<<10) + `"}`)
	require.Equal(t, http.StatusRequestEntityTooLarge, result.Status)
	require.Contains(t, string(result.Body), "16384 bytes")
	for _, header := range [][]string{{"Content-Type", "text/plain"}, {"Content-Encoding", "gzip"}, {"Content-Type", "application/json; charset=utf-16"}} {
		r := s.json(cursorRegistration)
		r.Header.Set(header[0], header[1])
		require.Equal(t, "invalid_client_metadata", errorOf(s.Serve(r)), header)
	}
	require.Equal(t, http.StatusMethodNotAllowed, s.do("GET", "/oauth/register", "").Status)
	require.Equal(t, http.StatusNotFound, s.do("POST", "/oauth/Register", "").Status)
	require.Nil(t, newServed(t).do("POST", "/oauth/register", ""), "off, which is the next handler's")
}

// What is remembered of a name is what fits on a page.
func TestNamesOfClients(t *testing.T) {
	s := newUnseen(t)
	for name, want := range map[string]string{
		"Claude Code (my-server)":     "Claude Code (my-server)",
		"  two\n\tlines ":             "two lines",
		strings.Repeat("ü", 64):       strings.Repeat("ü", 64),
		strings.Repeat("ü", 65):       strings.Repeat("ü", 63) + "…",
		"":                            "",
		`"><script>alert(1)</script>`: `"><script>alert(1)</script>`,
	} {
		body, err := json.Marshal(map[string]any{"redirect_uris": []string{"http://localhost/"}, "client_name": name})
		require.NoError(t, err)
		r, _ := s.register(string(body))
		require.Equal(t, want, r.Name)
		page := string((&unseenAgent{served: s, id: r.ClientID, redirectURI: "http://localhost/"}).open().Body)
		require.NotContains(t, page, "<script>alert")
	}
}

// Scripts of any origin may register: Inspector is one.
func TestRegistrationFromScripts(t *testing.T) {
	s := newUnseen(t)
	preflight := s.Serve(s.request("OPTIONS", "/oauth/register", "", "Origin", "http://localhost:6274", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type"))
	require.Equal(t, http.StatusNoContent, preflight.Status)
	require.Equal(t, "http://localhost:6274", preflight.Header.Get("Access-Control-Allow-Origin"))
	require.Contains(t, preflight.Header.Get("Access-Control-Allow-Headers"), "Content-Type")
	require.Empty(t, preflight.Header.Get("Access-Control-Allow-Credentials"))
	result := s.Serve(s.json(cursorRegistration, "Origin", "http://localhost:6274"))
	require.Equal(t, "http://localhost:6274", result.Header.Get("Access-Control-Allow-Origin"))
}

func TestMetadataSaysHowClientsBecomeKnown(t *testing.T) {
	document := func(with ...func(*Config)) string {
		return string(newUnseen(t, with...).do("GET", "/.well-known/oauth-authorization-server", "").Body)
	}
	both := document()
	require.Contains(t, both, `"registration_endpoint":"https://gateway.example/oauth/register"`)
	require.Contains(t, both, `"client_id_metadata_document_supported":true`)
	require.Contains(t, both, `"token_endpoint_auth_methods_supported":["none"]`)
	require.Contains(t, both, `"scopes_supported":["mcp.read"]`)
	require.NotContains(t, document(func(c *Config) { c.DynamicClients.Registration = nil }), "registration_endpoint")
	require.NotContains(t, document(func(c *Config) { c.DynamicClients.MetadataDocuments = nil }), "client_id_metadata_document_supported")
}

// A flood of registrations fills nothing.
func TestAFloodOfRegistrations(t *testing.T) {
	s := newUnseen(t)
	s.register(cursorRegistration)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range 20_000 {
		if _, result := s.register(fmt.Sprintf(`{"client_name":"flood %d","redirect_uris":["http://localhost:%d/callback"]}`, i, 1024+i)); result.Status != http.StatusCreated {
			t.Fatal(string(result.Body))
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(1<<20), "bytes that a gateway keeps of 20,000 registrations")
}

func BenchmarkRegister(b *testing.B) {
	s := newUnseen(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, result := s.register(cursorRegistration); result.Status != http.StatusCreated {
			b.Fatal(string(result.Body))
		}
	}
}

// FuzzRegistration: what is registered can be opened, has no address but allowed ones, and
// is where codes may go.
func FuzzRegistration(f *testing.F) {
	for _, seed := range []string{
		cursorRegistration, vscodeRegistration, `{"redirect_uris":["http://localhost@evil.example/"]}`, `{"redirect_uris":["javascript:alert(1)","http://localhost/"]}`,
		`{"client_name":"\u202eClaude","redirect_uris":["http://127.0.0.1:80/cb?x#"]}`, `{"redirect_uris":["cursor://anysphere.cursor-mcp/oauth/callback#x"]}`, `{"redirect_uris":null}`,
	} {
		f.Add(seed)
	}
	s := newUnseen(f, func(c *Config) { c.DynamicClients.Allow = append(uris.Published(), "windsurf:") })
	hosts := make(map[string]bool)
	for _, name := range uris.Published() {
		redirects, _ := uris.PublishedClient(name)
		for _, redirect := range redirects {
			u, err := url.Parse(redirect)
			require.NoError(f, err)
			hosts[u.Host] = true
		}
	}
	f.Fuzz(func(t *testing.T, body string) {
		r, err := s.configured.registry.Dynamic.ParseRegistration(http.Header{"Content-Type": {"application/json"}}, body)
		if err != nil {
			requireWellFormed(t, err)
			return
		}
		id := s.configured.codec.SealClientID(s.sealed.s.Keys, &login.Registration{DPoPBound: r.DPoPBound, Issued: s.sealed.now, Name: r.Name, RedirectURIs: slices.Clone(r.RedirectURIs)})
		c, err := s.configured.openClientID(s.sealed.s, id, Token)
		if err != nil || c.Name != r.Name || len(c.Redirects) != len(r.RedirectURIs) || !c.Unverified || !c.Consent {
			t.Fatalf("%+v opens as %+v: %v", r, c, err)
		}
		for _, uri := range r.RedirectURIs {
			u, err := url.Parse(uri)
			switch {
			case err != nil || u.User != nil || strings.Contains(uri, "#") || strings.ContainsAny(uri, " \\\"<>\n"):
				t.Fatalf("%q is registered", uri)
			case (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "localhost" && u.Hostname() != "127.0.0.1" && u.Hostname() != "::1" && !hosts[u.Host]:
				t.Fatalf("%q is registered", uri)
			case u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "cursor" && u.Scheme != "windsurf":
				t.Fatalf("%q is registered", uri)
			}
			if utf8.RuneCountInString(r.Name) > clients.MaxClientName {
				t.Fatalf("the name has %q", r.Name)
			}
		}
	})
}

// FuzzClientID reads what could be sealed by another version of the gateway, and what
// nobody has sealed: what opens has somewhere to go that is allowed.
func FuzzClientID(f *testing.F) {
	s := newUnseen(f)
	r, _ := s.register(cursorRegistration)
	f.Add(r.ClientID, []byte("\x6b\x49\xd2\x00\x06Cursor\x2ccursor://anysphere.cursor-mcp/oauth/callback\x1ehttp://localhost:8787/callback"))
	f.Add("AgAA", []byte("\x6b\x49\xd2\x00\x00"))
	f.Add("", []byte("\x6b\x49\xd2\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Add(strings.Repeat("A", 300), []byte("\x6b\x49\xd2\x00\x00\x17https://evil.example/cb"))
	site := strings.Join([]string{s.configured.idp.AuthURL().String(), s.configured.callback.path, s.configured.public.url}, "\x00")
	f.Fuzz(func(t *testing.T, id string, plain []byte) {
		for _, id := range []string{id, string(s.sealed.s.Keys.SealLasting(nil, "client id", site, plain))} {
			c, err := s.configured.openClientID(s.sealed.s, id, Authorize)
			if err != nil {
				requireWellFormed(t, err)
				continue
			}
			if len(c.Redirects) == 0 {
				t.Fatalf("%q opens, and goes nowhere", id)
			}
			for _, redirect := range c.Redirects {
				if !s.configured.registry.Dynamic.Allowed.MayRegister(redirect.Exact) {
					t.Fatalf("%q has %q", id, redirect.Exact)
				}
			}
		}
	})
}

// A client that says that its tokens are bound to its key gets no others (RFC 9449 section
// 5.2): whoever has stolen its code can't leave out the proof.
func TestClientsThatAskForBoundTokens(t *testing.T) {
	bound := strings.Replace(cursorRegistration, "{", `{"dpop_bound_access_tokens":true,`, 1)
	document := strings.Replace(claudeCodeDocument, "{", `{"dpop_bound_access_tokens":true,`, 1)
	with := func(mode oauth.Mode) *served {
		return newUnseen(t, func(c *Config) { c.DynamicClients.DPoP = mode })
	}
	for _, mode := range []oauth.Mode{oauth.Optional, oauth.Required} {
		s := with(mode)
		for registration, required := range map[string]bool{bound: true, cursorRegistration: mode == oauth.Required} {
			r, result := s.register(registration)
			require.Equal(t, http.StatusCreated, result.Status, string(result.Body))
			require.Equal(t, required, r.DPoPBound)
			a := &unseenAgent{served: s, id: r.ClientID, redirectURI: "http://localhost:8787/callback"}
			require.Equal(t, required, errorOf(a.exchange(a.code())) == string(oauth.InvalidDPoPProof))
		}
		s.parts.Documents = documents{claudeCode: document}
		a := &unseenAgent{served: s, id: claudeCode, redirectURI: "http://localhost:1/callback"}
		require.Equal(t, string(oauth.InvalidDPoPProof), errorOf(a.exchange(a.code())))
	}
	off := with(oauth.Off)
	_, result := off.register(bound)
	require.Equal(t, string(oauth.InvalidClientMetadata), errorOf(result))
	off.parts.Documents = documents{claudeCode: document}
	require.Contains(t, string((&unseenAgent{served: off, id: claudeCode, redirectURI: "http://localhost:1/callback"}).open().Body), "dpop_bound_access_tokens")
	r, _ := with(oauth.Optional).register(bound)
	gone := (&unseenAgent{served: off, id: r.ClientID, redirectURI: "http://localhost:8787/callback"}).open()
	require.Contains(t, string(gone.Body), "register again", "dpop was taken out of the configuration")
}
