package discovery_test

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
)

func TestAddresses(t *testing.T) {
	for issuer, want := range map[string][]string{
		// OpenID Connect Discovery 1.0 section 4, RFC 8414 section 3.1.
		"https://example.com":         {"https://example.com/.well-known/openid-configuration", "https://example.com/.well-known/oauth-authorization-server"},
		"https://example.com/":        {"https://example.com/.well-known/openid-configuration", "https://example.com/.well-known/oauth-authorization-server"},
		"https://example.com/issuer1": {"https://example.com/issuer1/.well-known/openid-configuration", "https://example.com/.well-known/oauth-authorization-server/issuer1"},
		"http://127.0.0.1:8081/a/b":   {"http://127.0.0.1:8081/a/b/.well-known/openid-configuration", "http://127.0.0.1:8081/.well-known/oauth-authorization-server/a/b"},
	} {
		addresses, err := discovery.Addresses(issuer)
		require.NoError(t, err, issuer)
		require.Equal(t, want, addresses, issuer)
	}
}

func TestIssuersThatAreNone(t *testing.T) {
	for issuer, reason := range map[string]string{
		"":                                     "is not an https URL",
		"example.com":                          "is not an https URL",
		"ftp://example.com":                    "is not an https URL",
		"http://example.com":                   "must be https",
		"http://10.0.0.1":                      "must be https",
		"http://localhost.example.com":         "must be https",
		"https://example.com?a=b":              "no query",
		"https://example.com/#x":               "fragment",
		"https://user@example.com":             "user information",
		"https://example.com/{tenant}":         "character",
		"https://example.com\n":                "character",
		"https://" + strings.Repeat("a", 3000): "longer",
	} {
		_, err := discovery.Addresses(issuer)
		require.ErrorContains(t, err, reason, issuer)
		_, err = discovery.Parse(issuer, []byte(`{}`))
		require.ErrorContains(t, err, reason, issuer)
	}
}

func TestTheIssuerOfAnAddress(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.com/.well-known/openid-configuration":               "https://example.com",
		"https://example.com/t/v2.0/.well-known/openid-configuration":        "https://example.com/t/v2.0",
		"https://example.com/.well-known/oauth-authorization-server":         "https://example.com",
		"https://example.com/.well-known/oauth-authorization-server/issuer1": "https://example.com/issuer1",
		"https://example.com/issuer1/.well-known/oauth-authorization-server": "https://example.com/issuer1",
	} {
		issuer, ok := discovery.IssuerOf(address)
		require.True(t, ok, address)
		require.Equal(t, want, issuer)
	}
	for _, address := range []string{
		"https://example.com", "https://example.com/.well-known/", "https://example.com/openid-configuration",
		"https://example.com/.well-known/openid-configuration/x", "https://example.com/.well-known/openid-configuration?x",
		"https://example.com/.well-known/oauth-authorization-servers",
	} {
		_, ok := discovery.IssuerOf(address)
		require.False(t, ok, address)
	}
}

func TestDocumentsOfVendors(t *testing.T) {
	for name, issuer := range vendors {
		m, err := discovery.Parse(issuer, read(t, name))
		require.NoError(t, err, name)
		require.Equal(t, issuer, m.Issuer)
		require.NotNil(t, m.JWKSURI, name)
	}
	google, err := discovery.Parse(vendors["google"], read(t, "google"))
	require.NoError(t, err)
	endpoints := make(map[string]string)
	for name, u := range google.Endpoints() {
		endpoints[name] = u.String()
	}
	require.Equal(t, map[string]string{
		"authorization_endpoint": "https://accounts.google.com/o/oauth2/v2/auth", "token_endpoint": "https://oauth2.googleapis.com/token",
		"userinfo_endpoint": "https://openidconnect.googleapis.com/v1/userinfo", "revocation_endpoint": "https://oauth2.googleapis.com/revoke",
		"jwks_uri": "https://www.googleapis.com/oauth2/v3/certs",
	}, endpoints)
	require.Equal(t, [][]string{{"query", "fragment", "form_post"}, {"plain", "S256"}, {"client_secret_post", "client_secret_basic"}, {"RS256"}},
		[][]string{google.ResponseModes, google.ChallengeMethods, google.TokenEndpointAuthMethods, google.IDTokenAlgorithms})
	require.False(t, google.SendsIssuer)
}

var vendors = map[string]string{
	"google":  "https://accounts.google.com",
	"entra":   "https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0",
	"cognito": "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_EXAMPLE",
	"okta":    "https://example.okta.com/oauth2/default",
}

func read(t testing.TB, name string) []byte {
	content, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	require.NoError(t, err)
	return content
}

func TestASlashAtTheEndOfTheIssuerIsTheIdPsChoice(t *testing.T) {
	// Auth0 has one, and everybody writes the tenant without it.
	for _, asked := range []string{"https://tenant.eu.auth0.com", "https://tenant.eu.auth0.com/"} {
		m, err := discovery.Parse(asked, []byte(`{"issuer":"https://tenant.eu.auth0.com/"}`))
		require.NoError(t, err)
		require.Equal(t, "https://tenant.eu.auth0.com/", m.Issuer)
	}
}

func TestDocumentsThatAreNotBelieved(t *testing.T) {
	with := func(name string, value any) []byte {
		document := map[string]any{
			"issuer": "https://idp.example", "authorization_endpoint": "https://idp.example/authorize",
			"token_endpoint": "https://idp.example/token", "jwks_uri": "https://idp.example/keys",
		}
		document[name] = value
		raw, err := json.Marshal(document)
		require.NoError(t, err)
		return raw
	}
	_, err := discovery.Parse("https://idp.example", with("unknown", 1))
	require.NoError(t, err, "what the cases below begin with")
	m, err := discovery.Parse("https://idp.example", with("pushed_authorization_request_endpoint", "https://idp.example/par"))
	require.NoError(t, err)
	require.Equal(t, "https://idp.example/par", m.Endpoints()["pushed_authorization_request_endpoint"].String())
	require.False(t, m.RequiresPushedRequests)
	m, err = discovery.Parse("https://idp.example", with("require_pushed_authorization_requests", true))
	require.NoError(t, err)
	require.True(t, m.RequiresPushedRequests)

	m, err = discovery.Parse("https://idp.example", with("authorization_endpoint", "urn:kubernetes:programmatic_authorization"))
	require.NoError(t, err, "Kubernetes has no such endpoint, and says so")
	require.Nil(t, m.AuthorizationEndpoint)

	for _, test := range []struct {
		name   string
		raw    []byte
		reason string
	}{
		{"another issuer", with("issuer", "https://evil.example"), "of another issuer: it names https://evil.example"},
		{"another path", with("issuer", "https://idp.example/x"), "of another issuer"},
		{"another case", with("issuer", "https://IDP.example"), "of another issuer"},
		{"another port", with("issuer", "https://idp.example:444"), "of another issuer"},
		{"http in the place of https", with("issuer", "http://idp.example"), "of another issuer"},
		{"two slashes", with("issuer", "https://idp.example//"), "of another issuer"},
		{"no issuer", with("issuer", ""), "names no issuer"},
		{"an issuer that is no string", with("issuer", []string{"https://idp.example"}), "wrong type"},
		{"a control character in the issuer", with("issuer", "https://idp.example\nx"), "is of another issuer"},
		{"a document of every tenant", with("issuer", "https://login.microsoftonline.com/{tenantid}/v2.0"), "your tenant's id"},
		{"a token endpoint by http", with("token_endpoint", "http://idp.example/token"), "token_endpoint is not https"},
		{"a token endpoint on this machine", with("token_endpoint", "http://127.0.0.1:2019/load"), "token_endpoint is not https"},
		{"pushed requests by http", with("pushed_authorization_request_endpoint", "http://idp.example/par"), "pushed_authorization_request_endpoint is not https"},
		{"keys by http", with("jwks_uri", "http://idp.example/keys"), "jwks_uri is not https"},
		{"a script", with("end_session_endpoint", "javascript:alert(1)"), "end_session_endpoint is not an https URL"},
		{"a file", with("jwks_uri", "file:///etc/passwd"), "jwks_uri is not an https URL"},
		{"a relative endpoint", with("userinfo_endpoint", "/userinfo"), "userinfo_endpoint is not an https URL"},
		{"credentials", with("token_endpoint", "https://idp.example@evil.example/token"), "user information"},
		{"a fragment", with("authorization_endpoint", "https://idp.example/authorize#x"), "fragment"},
		{"a line break", with("authorization_endpoint", "https://idp.example/authorize\r\nX: y"), "character"},
		{"a backslash", with("authorization_endpoint", `https://idp.example\@evil.example/`), "character"},
		{"a long endpoint", with("token_endpoint", "https://idp.example/"+strings.Repeat("a", 3000)), "longer than"},
		{"a long list", with("scopes_supported", make([]string, 200)), "more than 128 entries"},
		{"a long entry", with("scopes_supported", []string{strings.Repeat("a", 300)}), "more than 256 bytes"},
		{"a list that is none", with("response_modes_supported", "query"), "wrong type"},
		{"a control character", with("grant_types_supported", []string{"a\x1b[2J"}), "printable ASCII"},
		{"two issuers", []byte(`{"issuer":"https://evil.example","issuer":"https://idp.example"}`), "does not parse"},
		{"nothing", nil, "does not parse"},
		{"null", []byte(`null`), "names no issuer"},
		{"an array", []byte(`[]`), "wrong type"},
		{"a page", []byte(`<!doctype html>`), "does not parse"},
		{"trailing bytes", []byte(`{"issuer":"https://idp.example"}{}`), "does not parse"},
		{"invalid UTF-8", []byte("{\"issuer\":\"https://idp.example\",\"x\":\"\xff\"}"), "does not parse"},
		{"too much", []byte(`{"issuer":"https://idp.example","x":"` + strings.Repeat("a", discovery.MaxDocument) + `"}`), "longer than"},
		{"deep nesting", []byte(`{"issuer":"https://idp.example","x":` + strings.Repeat("[", 60_000) + strings.Repeat("]", 60_000) + `}`), "does not parse"},
	} {
		m, err := discovery.Parse("https://idp.example", test.raw)
		require.ErrorContains(t, err, test.reason, test.name)
		require.Nil(t, m, test.name)
	}
}

func TestAnIssuerOnLoopbackMayHaveItsEndpointsThere(t *testing.T) {
	document := func(endpoint string) []byte {
		return []byte(`{"issuer":"http://localhost:8081","token_endpoint":"` + endpoint + `"}`)
	}
	for _, endpoint := range []string{"http://localhost:8081/token", "http://127.0.0.1:9000/token", "https://idp.example/token"} {
		_, err := discovery.Parse("http://localhost:8081", document(endpoint))
		require.NoError(t, err, endpoint)
	}
	_, err := discovery.Parse("http://localhost:8081", document("http://idp.example/token"))
	require.ErrorContains(t, err, "is not https")
}

func TestAnEndpointKeepsItsQuery(t *testing.T) {
	// Azure AD B2C names its policy there (RFC 6749 section 3.1 allows it).
	m, err := discovery.Parse("https://b.example", []byte(`{"issuer":"https://b.example","token_endpoint":"https://B.example/token?p=b2c_1_in"}`))
	require.NoError(t, err)
	require.Equal(t, "https://b.example/token?p=b2c_1_in", m.TokenEndpoint.String())
}

// What Parse believes is of the issuer, and every address in it is one that codes
// and secrets may be sent to.
func FuzzParse(f *testing.F) {
	for name, issuer := range vendors {
		f.Add(issuer, read(f, name))
	}
	f.Add("http://127.0.0.1:8081", []byte(`{"issuer":"http://127.0.0.1:8081/","token_endpoint":"http://[::1]:1/t?a#"}`))
	f.Add("https://a.example", []byte(`{"issuer":"https://a.example","jwks_uri":"https://a.example:0443/%2e%2e/keys"}`))
	f.Fuzz(func(t *testing.T, issuer string, raw []byte) {
		m, err := discovery.Parse(issuer, raw)
		if err != nil {
			require.Nil(t, m)
			return
		}
		require.Equal(t, strings.TrimSuffix(issuer, "/"), strings.TrimSuffix(m.Issuer, "/"))
		for _, u := range m.Endpoints() {
			require.Nil(t, u.User)
			require.Empty(t, u.Fragment)
			require.NotEmpty(t, u.Hostname())
			if u.Scheme != "https" {
				require.Equal(t, "http", u.Scheme)
				require.Contains(t, []string{"127.0.0.1", "::1", "localhost"}, u.Hostname())
				require.True(t, strings.HasPrefix(issuer, "http://") || strings.HasPrefix(strings.ToLower(issuer), "http://"))
			}
		}
	})
}

// The document of an issuer may be elsewhere (Azure AD B2C), or the IdP have a name that browsers do not
// know (Keycloak in Compose). What browsers are sent to never is at that name.
func TestADocumentAtAnotherAddress(t *testing.T) {
	const (
		b2c      = "https://contoso.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/"
		policy   = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_signin/v2.0/.well-known/openid-configuration"
		keycloak = "https://sso.example.com/realms/staff"
		inside   = "http://keycloak:8080/realms/staff/.well-known/openid-configuration"
		local    = "http://localhost:8080/realms/staff"
	)
	for name, tt := range map[string]struct {
		issuer, at, document string
		token, authorize     string
		says                 string
	}{
		"B2C": {
			b2c, policy, `"` + b2c + `","token_endpoint":"https://contoso.b2clogin.com/p/token","authorization_endpoint":"https://contoso.b2clogin.com/p/authorize"`,
			"https://contoso.b2clogin.com/p/token", "https://contoso.b2clogin.com/p/authorize", "",
		},
		"B2C, of another tenant": {b2c, policy, `"https://contoso.b2clogin.com/11111111-9a37-4307-8b3d-cc311f58d925/v2.0/"`, "", "", "of another issuer: it names"},
		"Keycloak with one name": {
			keycloak, inside, `"` + keycloak + `","token_endpoint":"` + keycloak + `/token","authorization_endpoint":"` + keycloak + `/auth"`,
			"http://keycloak:8080/realms/staff/token", keycloak + "/auth", "",
		},
		"Keycloak with hostname-backchannel-dynamic": {
			keycloak, inside, `"` + keycloak + `","token_endpoint":"http://keycloak:8080/realms/staff/token","authorization_endpoint":"` + keycloak + `/auth"`,
			"http://keycloak:8080/realms/staff/token", keycloak + "/auth", "",
		},
		"Keycloak on the developer's machine": {
			local, inside, `"` + local + `","token_endpoint":"` + local + `/token","authorization_endpoint":"` + local + `/auth"`,
			"http://keycloak:8080/realms/staff/token", local + "/auth", "",
		},
		"Keycloak without a public name": {keycloak, inside, `"http://keycloak:8080/realms/staff"`, "", "", "of another issuer: it names http://keycloak:8080/realms/staff"},
		"browsers sent inside":           {keycloak, inside, `"` + keycloak + `","authorization_endpoint":"http://keycloak:8080/auth"`, "", "", "authorization_endpoint is not https"},
		"tokens sent elsewhere by http":  {keycloak, inside, `"` + keycloak + `","token_endpoint":"http://evil:8080/token"`, "", "", "token_endpoint is not https"},
		"another host by https":          {keycloak, inside, `"` + keycloak + `","token_endpoint":"https://tokens.example.com/token"`, "https://tokens.example.com/token", "", ""},
		"an address that is none":        {keycloak, "keycloak", `""`, "", "", "the address of the metadata is not an https URL"},
	} {
		m, err := discovery.ParseAt(tt.issuer, tt.at, []byte(`{"issuer":`+tt.document+`}`))
		if tt.says != "" {
			require.ErrorContains(t, err, tt.says, name)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, tt.token, m.TokenEndpoint.String(), name)
		if tt.authorize != "" {
			require.Equal(t, tt.authorize, m.AuthorizationEndpoint.String(), name)
		}
	}
	addresses, err := discovery.AddressesAt(keycloak, inside)
	require.NoError(t, err)
	require.Equal(t, []string{inside}, addresses)
}

// Each bound of a document holds at its last value, and not at the next.
func TestBoundsOfADocument(t *testing.T) {
	parse := func(members string) (*discovery.Metadata, error) {
		return discovery.Parse("https://idp.example", []byte(`{"issuer":"https://idp.example"`+members+`}`))
	}
	long := func(length int) string {
		const begin = "https://idp.example/"
		return begin + strings.Repeat("a", length-len(begin))
	}
	_, err := parse(`,"token_endpoint":"` + long(2048) + `"`)
	require.NoError(t, err)
	_, err = parse(`,"token_endpoint":"` + long(2049) + `"`)
	require.ErrorContains(t, err, "token_endpoint is longer than 2048 bytes")

	entries := func(n int) string { return `,"scopes_supported":["` + strings.Repeat(`a","`, n-1) + `a"]` }
	_, err = parse(entries(128))
	require.NoError(t, err)
	_, err = parse(entries(129))
	require.ErrorContains(t, err, "more than 128 entries")
	for entry, good := range map[string]bool{
		strings.Repeat("a", 256): true, strings.Repeat("a", 257): false, "a b~": true, "!": true, `\u001fa`: false, `a\u001f`: false, `\u007f`: false, "\u00e4": false,
	} {
		_, err = parse(`,"scopes_supported":["` + entry + `"]`)
		require.Equal(t, good, err == nil, entry)
	}

	whole := `{"issuer":"https://idp.example","x":"`
	fill := strings.Repeat("a", discovery.MaxDocument-len(whole)-2)
	_, err = discovery.Parse("https://idp.example", []byte(whole+fill+`"}`))
	require.NoError(t, err)
	_, err = discovery.Parse("https://idp.example", []byte(whole+fill+`a"}`))
	require.EqualError(t, err, "the metadata is longer than 131072 bytes")
}

// RFC 3986 section 2: what stands in a URL only escaped.
func TestCharactersOfURLs(t *testing.T) {
	for _, character := range []string{" ", "\x00", "\x1f", "\x7f", "\u00e4", `"`, "<", ">", `\`, "^", "`", "{", "|", "}"} {
		_, err := discovery.Addresses("https://idp.example/a" + character)
		require.ErrorContains(t, err, "has a character that a URL may not have", "%q", character)
		_, err = discovery.Addresses(character + "https://idp.example")
		require.ErrorContains(t, err, "has a character that a URL may not have", "%q", character)
	}
	for _, issuer := range []string{"https://idp.example/!~a_b", "http://[::1]:8081", "http://127.0.0.1", "http://localhost"} {
		_, err := discovery.Addresses(issuer)
		require.NoError(t, err, issuer)
	}
	for issuer, says := range map[string]string{"https://idp.example:x": "is not an https URL", "https:///x": "is not an https URL", "https://idp.example?": "no query"} {
		_, err := discovery.Addresses(issuer)
		require.ErrorContains(t, err, says, issuer)
	}
	for _, address := range []string{"https://idp.example:x/.well-known/oauth-authorization-server/a", "https://idp.example/.well-known/oauth-authorization-server/a?b"} {
		_, ok := discovery.IssuerOf(address)
		require.False(t, ok, address)
	}
}

func TestTheURLsOfADocument(t *testing.T) {
	m, err := discovery.Parse("https://idp.example", []byte(`{"issuer":"https://idp.example","token_endpoint":"https://idp.example/t","authorization_response_iss_parameter_supported":true}`))
	require.NoError(t, err)
	require.Equal(t, map[string]*url.URL{"token_endpoint": {Scheme: "https", Host: "idp.example", Path: "/t"}}, m.Endpoints())
	require.True(t, m.SendsIssuer, "RFC 9207 section 3")
}

// An error is for people and logs: it has nothing of a document that is not short and plain.
func TestAMismatchQuotesOnlyWhatIsPlain(t *testing.T) {
	for issuer, quoted := range map[string]bool{
		"https://other.example": true, "https://other.example/" + strings.Repeat("a", 256-22): true, "https://other.example/" + strings.Repeat("a", 257-22): false,
		`https://other.example/\u001b`: false,
	} {
		_, err := discovery.Parse("https://idp.example", []byte(`{"issuer":"`+issuer+`"}`))
		require.ErrorContains(t, err, "of another issuer")
		require.Equal(t, quoted, strings.Contains(err.Error(), "other.example"), issuer)
	}
}

func TestCheckIssuer(t *testing.T) {
	for address, says := range map[string]string{
		"https://idp.example": "",
		"https://idp.example/.well-known/openid-configuration":       "",
		"https://idp.example/.well-known/oauth-authorization-server": "",
		"idp.example":        "the issuer is not an https URL",
		"http://idp.example": "the issuer must be https",
		"http://idp.example/.well-known/openid-configuration":                                   "the issuer must be https",
		"https://idp.example?a=b":                                                               "the issuer must have no query",
		"https://idp.example/common/v2.0":                                                       "",
		"https://login.microsoftonline.com":                                                     "",
		"https://login.microsoftonline.com/commons/v2.0":                                        "",
		"https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0":           "",
		"https://login.microsoftonline.com/common":                                              "common is not a tenant: write your tenant's id instead, such as https://login.microsoftonline.com/aaaabbbb",
		"https://LOGIN.microsoftonline.com/Common/v2.0":                                         "Common is not a tenant",
		"https://login.microsoftonline.us/organizations/v2.0":                                   "organizations is not a tenant",
		"https://login.partner.microsoftonline.cn/consumers/v2.0":                               "consumers is not a tenant",
		"https://login.microsoftonline.com/organizations/v2.0/.well-known/openid-configuration": "organizations is not a tenant",
	} {
		err := discovery.CheckIssuer(address)
		if says == "" {
			require.NoError(t, err, address)
		} else {
			require.ErrorContains(t, err, says, address)
		}
	}
}
