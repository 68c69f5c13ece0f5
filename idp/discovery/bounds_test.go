package discovery_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
)

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
