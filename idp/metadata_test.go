package idp

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// vendor is the policy for an IdP whose document is in the folder of discovery.
func vendor(t *testing.T, name, issuer string, change func(*Config)) *Policy {
	raw, err := os.ReadFile(filepath.Join("discovery", "testdata", name+".json"))
	require.NoError(t, err)
	m, err := discovery.Parse(issuer, raw)
	require.NoError(t, err)
	config := Config{AuthURL: issuer, Discover: true, Parameters: OAuthParameters, Callback: new(CallbackConfig)}
	config.Clients = []ClientConfig{{
		ID: "app", RedirectURIs: []string{"https://app.example/cb"}, ReturnTo: []string{"https://app.example/bye"},
		IdPClient: &IdPClientConfig{ID: "gateway", Secret: "s"},
	}}
	if change != nil {
		change(&config)
	}
	p, err := NewPolicy(config)
	require.NoError(t, err)
	return p.withMetadata(m)
}

func TestIdPsWithOtherPathsNeedDiscovery(t *testing.T) {
	for address, want := range map[string]bool{
		"https://accounts.google.com":                             true,
		"https://login.microsoftonline.com/tenant/v2.0":           true,
		"https://example.okta.com/oauth2/default":                 true,
		"https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_A": true,
		"https://github.com":                                      true,
		"https://keycloak.example.com/realms/staff":               true,
		"https://tenant.eu.auth0.com":                             false,
		"https://idp.example.com":                                 false,
	} {
		p, err := NewPolicy(Config{AuthURL: address})
		require.NoError(t, err)
		require.Equal(t, want, p.idp.NeedsDiscovery(), address)
		for name, c := range map[string]Config{
			"with discover":    {AuthURL: address, Discover: true},
			"with an endpoint": {AuthURL: address, Endpoints: map[Endpoint]string{Authorize: "/login/oauth/authorize"}},
		} {
			p, err := NewPolicy(c)
			require.NoError(t, err)
			require.False(t, p.idp.NeedsDiscovery(), "%s %s", address, name)
		}
	}
}

func TestWhatFollowsFromTheMetadataOfVendors(t *testing.T) {
	const tenant = "https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490"
	const returnTo = "https%3A%2F%2Fapp.example%2Fbye"
	for _, test := range []struct {
		name, issuer           string
		authorize, token, user string
		mode                   oauth.ResponseMode
		logout, secretIn       string
	}{
		{
			"google", "https://accounts.google.com",
			"https://accounts.google.com/o/oauth2/v2/auth", "https://oauth2.googleapis.com/token", "https://openidconnect.googleapis.com/v1/userinfo",
			oauth.FormPostMode, "https://app.example/bye", AuthSecretBasic,
		},
		{
			"entra", tenant + "/v2.0",
			tenant + "/oauth2/v2.0/authorize", tenant + "/oauth2/v2.0/token", "https://graph.microsoft.com/oidc/userinfo",
			oauth.FormPostMode, tenant + "/oauth2/v2.0/logout?client_id=gateway&post_logout_redirect_uri=" + returnTo, AuthSecretBasic,
		},
		{
			"okta", "https://example.okta.com/oauth2/default",
			"https://example.okta.com/oauth2/default/v1/authorize", "https://example.okta.com/oauth2/default/v1/token", "https://example.okta.com/oauth2/default/v1/userinfo",
			oauth.FormPostMode, "https://example.okta.com/oauth2/default/v1/logout?client_id=gateway&post_logout_redirect_uri=" + returnTo, AuthSecretBasic,
		},
		{
			"cognito", "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_EXAMPLE",
			"https://example.auth.eu-west-1.amazoncognito.com/oauth2/authorize", "https://example.auth.eu-west-1.amazoncognito.com/oauth2/token", "https://example.auth.eu-west-1.amazoncognito.com/oauth2/userInfo",
			oauth.QueryMode, "https://example.auth.eu-west-1.amazoncognito.com/logout?client_id=gateway&logout_uri=" + returnTo, AuthSecretBasic,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := vendor(t, test.name, test.issuer, nil)
			require.Equal(t, test.authorize, p.idp.At(Authorize).String())
			require.Equal(t, test.token, p.idp.At(Token).String())
			require.Equal(t, test.user, p.idp.At(UserInfo).String())
			require.Equal(t, test.mode, p.idp.ResponseMode())
			require.Equal(t, test.issuer, p.idp.Issuer())
			logout, err := p.parseLogout("client_id=app&returnTo=" + returnTo)
			require.NoError(t, err)
			require.Equal(t, test.logout, logout.logoutURL(p))
			require.Equal(t, test.secretIn, p.idp.AuthMethod(p.registry.Find("app").Client.Credentials))
		})
	}
}

func TestTheConfigurationWinsOverTheMetadata(t *testing.T) {
	p := vendor(t, "okta", "https://example.okta.com/oauth2/default", func(c *Config) {
		c.Endpoints = map[Endpoint]string{Token: "/v2/token", UserInfo: "https://users.example/me"}
		c.LogoutProtocol, c.Issuer = NoLogout, "https://other.example"
		c.Clients[0].IdPClient.AuthMethod = AuthSecretPost
	})
	require.Equal(t, "https://example.okta.com/oauth2/default/v2/token", p.idp.At(Token).String())
	require.Equal(t, "https://users.example/me", p.idp.At(UserInfo).String())
	require.Equal(t, "https://example.okta.com/oauth2/default/v1/authorize", p.idp.At(Authorize).String())
	require.Equal(t, "https://other.example", p.idp.Issuer())
	require.Equal(t, AuthSecretPost, p.idp.AuthMethod(p.registry.Find("app").Client.Credentials))
	logout, err := p.parseLogout("client_id=app&state=x&returnTo=https%3A%2F%2Fapp.example%2Fbye")
	require.NoError(t, err)
	require.Equal(t, "https://app.example/bye?state=x", logout.logoutURL(p))
}

func TestASecretIsSentAsTheIdPSays(t *testing.T) {
	for methods, want := range map[string]string{
		`[]`:                     AuthSecretBasic,
		`["client_secret_post"]`: AuthSecretPost,
		`["client_secret_post","client_secret_basic"]`: AuthSecretBasic,
		`["private_key_jwt","client_secret_post"]`:     AuthSecretPost,
		`["private_key_jwt"]`:                          AuthSecretBasic,
	} {
		m, err := discovery.Parse("https://idp.example", []byte(`{"issuer":"https://idp.example","token_endpoint_auth_methods_supported":`+methods+`}`))
		require.NoError(t, err)
		p := vendor(t, "google", "https://accounts.google.com", nil).withMetadata(m)
		require.Equal(t, want, p.idp.AuthMethod(p.registry.Find("app").Client.Credentials), methods)
	}
}

func TestAPolicyThatIsReplacedStaysAsItIs(t *testing.T) {
	first := vendor(t, "okta", "https://example.okta.com/oauth2/default", nil)
	m, err := discovery.Parse("https://example.okta.com/oauth2/default",
		[]byte(`{"issuer":"https://example.okta.com/oauth2/default","authorization_endpoint":"https://new.example/a"}`))
	require.NoError(t, err)
	second := vendorBase(t).withMetadata(m)
	require.Equal(t, "https://new.example/a", second.idp.At(Authorize).String())
	require.Error(t, second.idp.CheckReachable(Token), "what the new document leaves out is gone")
	require.Equal(t, "https://example.okta.com/oauth2/default/v1/authorize", first.idp.At(Authorize).String())
	require.Equal(t, oauth.FormPostMode, first.idp.ResponseMode())
	require.Equal(t, oauth.QueryMode, second.idp.ResponseMode())

	// What the first one sealed, the second one opens, and the other way round.
	keys, err := seal.NewKeys([][]byte{[]byte(strings.Repeat("k", 32))}, time.Now)
	require.NoError(t, err)
	s := sealer{Keys: keys, Now: time.Now(), Callback: "https://gateway.example/oauth/callback"}
	for _, pair := range [][2]*Policy{{first, second}, {second, first}} {
		request, err := pair[0].parseAuthorize("client_id=app&response_type=code&code_challenge_method=S256&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
		require.NoError(t, err)
		sent, err := url.Parse(request.authorizeURL(pair[0], s))
		require.NoError(t, err)
		response, err := pair[1].takeCallback(s, callbackRequest{Code: "c", State: sent.Query().Get("state")})
		require.NoError(t, err)
		require.NoError(t, response.Err)
	}
}

// vendorBase is a policy that has not seen a document yet.
func vendorBase(t *testing.T) *Policy {
	p, err := NewPolicy(Config{
		AuthURL: "https://example.okta.com/oauth2/default", Discover: true, Parameters: OAuthParameters, Callback: new(CallbackConfig),
		Clients: []ClientConfig{{ID: "app", RedirectURIs: []string{"https://app.example/cb"}, IdPClient: &IdPClientConfig{ID: "gateway", Secret: "s"}}},
	})
	require.NoError(t, err)
	return p
}

func TestWhatIsNotKnownIsNotGuessed(t *testing.T) {
	p := vendorBase(t)
	for _, endpoint := range append(Endpoints[:], Callback) {
		e := oauth.AsError(p.idp.CheckReachable(endpoint))
		require.Equal(t, oauth.TemporarilyUnavailable, e.Code, endpoint)
		require.Equal(t, 503, e.Status)
		require.NotEmpty(t, e.RetryAfter)
	}
	m, err := discovery.Parse("https://example.okta.com/oauth2/default", []byte(`{"issuer":"https://example.okta.com/oauth2/default"}`))
	require.NoError(t, err)
	p = p.withMetadata(m)
	require.Equal(t, 501, oauth.AsError(p.idp.CheckReachable(UserInfo)).Status)
	require.NoError(t, p.idp.CheckReachable(Logout), "the gateway ends it by itself")
}

func TestAuth0IsKnownByItsIssuer(t *testing.T) {
	p, err := NewPolicy(Config{AuthURL: "https://tenant.eu.auth0.com", Discover: true})
	require.NoError(t, err)
	for document, want := range map[string]string{
		`{"issuer":"https://tenant.eu.auth0.com/"}`: "https://tenant.eu.auth0.com/v2/logout?client_id=app&returnTo=https%3A%2F%2Fapp.example%2F",
		`{"issuer":"https://tenant.eu.auth0.com/","end_session_endpoint":"https://tenant.eu.auth0.com/oidc/logout"}`: "https://tenant.eu.auth0.com/oidc/logout?client_id=app&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2F",
	} {
		m, err := discovery.Parse("https://tenant.eu.auth0.com", []byte(document))
		require.NoError(t, err)
		next := p.withMetadata(m)
		logout, err := next.parseLogout("client_id=app&returnTo=https%3A%2F%2Fapp.example%2F")
		require.NoError(t, err)
		require.Equal(t, want, logout.logoutURL(next))
	}
}

func TestEndpointsThatAreNone(t *testing.T) {
	for address, reason := range map[string]string{
		"token":                       "is not absolute",
		"/token?x":                    "no query",
		"/t\u00f6ken":                 "no query",
		"/to ken":                     "no query",
		"/%74oken":                    "escapes",
		"ftp://idp.example/token":     "neither a path",
		"https:///token":              "neither a path",
		"https:idp.example":           "neither a path",
		"https://a@idp.example/token": "user information",
		"https://idp.example/#x":      "fragment",
		"https://idp.example:0/token": "port",
		"https://idp.example/\\x":     "character",
	} {
		_, err := NewPolicy(Config{AuthURL: "https://idp.example", Endpoints: map[Endpoint]string{Token: address}})
		require.ErrorContains(t, err, "endpoint token: ", address)
		require.ErrorContains(t, err, reason, address)
	}
}

func TestCognitosLogoutTakesNothingElse(t *testing.T) {
	p, err := NewPolicy(Config{AuthURL: "https://idp.example", LogoutProtocol: CognitoLogout, Endpoints: map[Endpoint]string{Logout: "/logout"}})
	require.NoError(t, err)
	logout, err := p.parseLogout("client_id=app&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2F&id_token_hint=e30&state=x&federated")
	require.NoError(t, err)
	require.Equal(t, "https://idp.example/logout?client_id=app&logout_uri=https%3A%2F%2Fapp.example%2F", logout.logoutURL(p))
	_, err = p.parseLogout("returnTo=https%3A%2F%2Fapp.example%2F")
	require.ErrorContains(t, err, "the required parameter client_id is missing")
}

// withDocument is a policy that has seen a document of this issuer.
func withDocument(t *testing.T, issuer, members string, change func(*Config)) *Policy {
	m, err := discovery.Parse(issuer, []byte(`{"issuer":"`+issuer+`"`+members+`}`))
	require.NoError(t, err)
	config := Config{AuthURL: issuer, Discover: true, Parameters: OAuthParameters, Callback: new(CallbackConfig), Clients: []ClientConfig{{
		ID: "app", RedirectURIs: []string{"https://app.example/cb"}, IdPClient: &IdPClientConfig{ID: "gateway", Secret: "s"},
	}}}
	if change != nil {
		change(&config)
	}
	p, err := NewPolicy(config)
	require.NoError(t, err)
	return p.withMetadata(m)
}

func TestTheFormOfLogoutsThatFollows(t *testing.T) {
	at := func(address string) func(*Config) {
		return func(c *Config) { c.Endpoints = map[Endpoint]string{Logout: address} }
	}
	for _, tc := range []struct {
		issuer, members string
		change          func(*Config)
		protocol        LogoutProtocol
		at              string // "" if there is none
	}{
		{"https://idp.example", "", nil, NoLogout, ""},
		{"https://idp.example", "", at("/end"), RPInitiatedLogout, "https://idp.example/end"},
		{"https://idp.example", `,"end_session_endpoint":"https://idp.example/bye"`, nil, RPInitiatedLogout, "https://idp.example/bye"},
		{"https://tenant.eu.auth0.com", "", nil, Auth0Logout, "https://tenant.eu.auth0.com/v2/logout"},
		{"https://tenant.eu.auth0.com", "", at("/own"), Auth0Logout, "https://tenant.eu.auth0.com/own"},
		{"https://cognito-idp.eu-west-1.amazonaws.com/pool", "", at("https://pool.example/logout"), CognitoLogout, "https://pool.example/logout"},
		{"https://cognito-idp.cn-north-1.amazonaws.com.cn/pool", "", nil, CognitoLogout, ""},
		{"https://oidc.eks.eu-west-1.amazonaws.com/id/A", "", nil, NoLogout, ""},
		{"https://cognito-idp.example", "", nil, NoLogout, ""},
	} {
		p := withDocument(t, tc.issuer, tc.members, tc.change)
		require.Equal(t, tc.protocol, p.idp.Logout(), tc.issuer)
		if tc.at == "" {
			require.Nil(t, p.idp.At(Logout), tc.issuer)
		} else {
			require.Equal(t, tc.at, p.idp.At(Logout).String())
		}
	}
}

// RFC 9207 section 2.4.
func TestResponsesHaveTheIssuerThatTheDocumentPromises(t *testing.T) {
	const promise = `,"authorization_response_iss_parameter_supported":true`
	require.True(t, withDocument(t, "https://idp.example", promise, nil).idp.RequiresIssuer())
	require.False(t, withDocument(t, "https://idp.example", "", nil).idp.RequiresIssuer())
	require.False(t, withDocument(t, "https://idp.example", promise, func(c *Config) { c.Issuer = "https://other.example" }).idp.RequiresIssuer(),
		"it is not the document of the configured issuer")
}

func TestPathsThatTheDocumentNamesAreProtected(t *testing.T) {
	p := withDocument(t, "https://idp.example", `,"token_endpoint":"https://idp.example/t/issue"`, nil)
	_, verdict := p.route("POST", "/t/issue")
	require.Equal(t, pathConfusion, verdict)
	again := p.withMetadata(p.idp.Metadata())
	require.Equal(t, p.protected, again.protected, "each refresh of the document finds the same")
}

func TestWhatCanBeReached(t *testing.T) {
	base, err := NewPolicy(Config{AuthURL: "https://idp.example", Discover: true, Callback: new(CallbackConfig)})
	require.NoError(t, err)
	require.ErrorContains(t, base.idp.CheckReachable(Callback), "could not ask the identity provider yet")
	require.ErrorContains(t, base.idp.CheckReachable(Logout), "could not ask the identity provider yet")
	require.NoError(t, testPolicy(t).idp.CheckReachable(Logout))
	configured, err := NewPolicy(Config{AuthURL: "https://idp.example", Discover: true, Endpoints: map[Endpoint]string{Authorize: "/a", Logout: "/l"}, Callback: new(CallbackConfig)})
	require.NoError(t, err)
	require.ErrorContains(t, configured.idp.CheckReachable(Authorize), "could not ask the identity provider yet", "whether a login has a nonce of the gateway's own is not known")
	require.ErrorContains(t, configured.idp.CheckReachable(Callback), "could not ask the identity provider yet", "whether iss is required is not known")
	require.ErrorContains(t, configured.idp.CheckReachable(Logout), "could not ask the identity provider yet", "how it is asked is not known")
	require.ErrorContains(t, configured.idp.CheckReachable(Token), "could not ask the identity provider yet")
	require.ErrorContains(t, withDocument(t, "https://idp.example", "", nil).idp.CheckReachable(Callback), "has no authorize endpoint")
	direct, err := NewPolicy(Config{AuthURL: "https://idp.example", Discover: true, Endpoints: map[Endpoint]string{Authorize: "/a"}})
	require.NoError(t, err)
	require.NoError(t, direct.idp.CheckReachable(Authorize), "without callback the gateway binds nothing")
}
