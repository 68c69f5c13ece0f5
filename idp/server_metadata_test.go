package idp

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// discovering has one client, at an IdP that says of itself what it is.
func discovering(issuer string) func(*Config) {
	return func(c *Config) {
		c.AuthURL, c.Discover = issuer, true
		c.Clients = []ClientConfig{{
			ID: "app", RedirectURIs: []string{"https://app.example/cb"}, ReturnTo: []string{"https://app.example/bye"},
			IdPClient: &IdPClientConfig{ID: "gateway", Secret: "s"},
		}}
	}
}

// documented is a policy that has seen a document of its issuer.
func documented(t *testing.T, issuer, document string, change func(*Config)) *Policy {
	p := newSealedGateway(t, discovering(issuer), change).Policy
	return p.withMetadata(must.Have(discovery.Parse(issuer, []byte(document)))(t))
}

// vendor is the policy for an IdP whose document is in the folder of discovery.
func vendor(t *testing.T, name, issuer string, change func(*Config)) *Policy {
	return documented(t, issuer, string(must.Have(os.ReadFile(filepath.Join("discovery", "testdata", name+".json")))(t)), change)
}

// withDocument is a policy that has seen a document with these members.
func withDocument(t *testing.T, issuer, members string, change func(*Config)) *Policy {
	return documented(t, issuer, `{"issuer":"`+issuer+`"`+members+`}`, change)
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
		p := must.Have(NewPolicy(Config{AuthURL: address}))(t)
		require.Equal(t, want, p.idp.NeedsDiscovery(), address)
		for name, c := range map[string]Config{
			"with discover":    {AuthURL: address, Discover: true},
			"with an endpoint": {AuthURL: address, Endpoints: map[Endpoint]string{Authorize: "/login/oauth/authorize"}},
		} {
			p := must.Have(NewPolicy(c))(t)
			require.False(t, p.idp.NeedsDiscovery(), "%s %s", address, name)
		}
	}
}

func TestWhatFollowsFromTheMetadataOfVendors(t *testing.T) {
	const tenant = "https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490"
	const returnTo = "https%3A%2F%2Fapp.example%2Fbye"
	for _, test := range []struct {
		name, issuer, authorize, token, user string
		mode                                 oauth.ResponseMode
		logout, secretIn                     string
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
			logout := must.Have(p.parseLogout("client_id=app&returnTo=" + returnTo))(t)
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
	logout := must.Have(p.parseLogout("client_id=app&state=x&returnTo=https%3A%2F%2Fapp.example%2Fbye"))(t)
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
		m := must.Have(discovery.Parse("https://idp.example", []byte(`{"issuer":"https://idp.example","token_endpoint_auth_methods_supported":`+methods+`}`)))(t)
		p := vendor(t, "google", "https://accounts.google.com", nil).withMetadata(m)
		require.Equal(t, want, p.idp.AuthMethod(p.registry.Find("app").Client.Credentials), methods)
	}
}

func TestAPolicyThatIsReplacedStaysAsItIs(t *testing.T) {
	first := vendor(t, "okta", "https://example.okta.com/oauth2/default", nil)
	m := must.Have(discovery.Parse("https://example.okta.com/oauth2/default",
		[]byte(`{"issuer":"https://example.okta.com/oauth2/default","authorization_endpoint":"https://new.example/a"}`)))(t)
	second := vendorBase(t).withMetadata(m)
	require.Equal(t, "https://new.example/a", second.idp.At(Authorize).String())
	require.Error(t, second.idp.CheckReachable(Token), "what the new document leaves out is gone")
	require.Equal(t, "https://example.okta.com/oauth2/default/v1/authorize", first.idp.At(Authorize).String())
	require.Equal(t, oauth.FormPostMode, first.idp.ResponseMode())
	require.Equal(t, oauth.QueryMode, second.idp.ResponseMode())

	// What the first one sealed, the second one opens, and the other way round.
	keys := must.Have(seal.NewKeys([][]byte{[]byte(strings.Repeat("k", 32))}, time.Now))(t)
	s := sealer{Keys: keys, Now: time.Now(), Callback: "https://gateway.example/oauth/callback"}
	for _, pair := range [][2]*Policy{{first, second}, {second, first}} {
		request, err := pair[0].parseAuthorize("client_id=app&response_type=code&code_challenge_method=S256&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
		require.NoError(t, err)
		sent := must.Have(url.Parse(request.authorizeURL(pair[0], s)))(t)
		response := must.Have(pair[1].takeCallback(s, callbackRequest{Code: "c", State: sent.Query().Get("state")}))(t)
		require.NoError(t, response.Err)
	}
}

// vendorBase is a policy that has not seen a document yet.
func vendorBase(t *testing.T) *Policy {
	return newSealedGateway(t, discovering("https://example.okta.com/oauth2/default")).Policy
}

func TestWhatIsNotKnownIsNotGuessed(t *testing.T) {
	p := vendorBase(t)
	for _, endpoint := range append(Endpoints[:], Callback) {
		e := oauth.AsError(p.idp.CheckReachable(endpoint))
		require.Equal(t, oauth.TemporarilyUnavailable, e.Code, endpoint)
		require.Equal(t, 503, e.Status)
		require.NotEmpty(t, e.RetryAfter)
	}
	m := must.Have(discovery.Parse("https://example.okta.com/oauth2/default", []byte(`{"issuer":"https://example.okta.com/oauth2/default"}`)))(t)
	p = p.withMetadata(m)
	require.Equal(t, 501, oauth.AsError(p.idp.CheckReachable(UserInfo)).Status)
	require.NoError(t, p.idp.CheckReachable(Logout), "the gateway ends it by itself")
}

func TestAuth0IsKnownByItsIssuer(t *testing.T) {
	p := must.Have(NewPolicy(Config{AuthURL: "https://tenant.eu.auth0.com", Discover: true}))(t)
	for document, want := range map[string]string{
		`{"issuer":"https://tenant.eu.auth0.com/"}`: "https://tenant.eu.auth0.com/v2/logout?client_id=app&returnTo=https%3A%2F%2Fapp.example%2F",
		`{"issuer":"https://tenant.eu.auth0.com/","end_session_endpoint":"https://tenant.eu.auth0.com/oidc/logout"}`: "https://tenant.eu.auth0.com/oidc/logout?client_id=app&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2F",
	} {
		m := must.Have(discovery.Parse("https://tenant.eu.auth0.com", []byte(document)))(t)
		next := p.withMetadata(m)
		logout := must.Have(next.parseLogout("client_id=app&returnTo=https%3A%2F%2Fapp.example%2F"))(t)
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
	p := must.Have(NewPolicy(Config{AuthURL: "https://idp.example", LogoutProtocol: CognitoLogout, Endpoints: map[Endpoint]string{Logout: "/logout"}}))(t)
	logout := must.Have(p.parseLogout("client_id=app&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2F&id_token_hint=e30&state=x&federated"))(t)
	require.Equal(t, "https://idp.example/logout?client_id=app&logout_uri=https%3A%2F%2Fapp.example%2F", logout.logoutURL(p))
	_, err := p.parseLogout("returnTo=https%3A%2F%2Fapp.example%2F")
	require.ErrorContains(t, err, "the required parameter client_id is missing")
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
	base := must.Have(NewPolicy(Config{AuthURL: "https://idp.example", Discover: true, Callback: new(CallbackConfig)}))(t)
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
	direct := must.Have(NewPolicy(Config{AuthURL: "https://idp.example", Discover: true, Endpoints: map[Endpoint]string{Authorize: "/a"}}))(t)
	require.NoError(t, direct.idp.CheckReachable(Authorize), "without callback the gateway binds nothing")
}

func idTokensOfTheIdP(c *Config) { c.IDTokens = IdPIDTokens }

const publicIssuer = "https://login.example"

// published is a policy with a public URL; change changes its configuration.
func published(t *testing.T, change func(*Config)) *Policy {
	return documented(t, "https://idp.example", `{"issuer":"https://idp.example/","authorization_endpoint":"https://idp.example/auth",
		"token_endpoint":"https://idp.example/token","jwks_uri":"https://idp.example/keys","end_session_endpoint":"https://idp.example/end",
		"id_token_signing_alg_values_supported":["ES256"],"scopes_supported":["openid","profile"],"response_modes_supported":["query","form_post"]}`,
		func(c *Config) {
			c.PublicURL, c.IDTokens = publicIssuer, IdPIDTokens
			c.Clients = []ClientConfig{
				{ID: "app", RedirectURIs: []string{"https://app.example/cb"}, Scopes: []string{"openid", "email", "read"}},
				{ID: "other", RedirectURIs: []string{"https://app.example/cb"}, Scopes: []string{"read"}},
			}
			if change != nil {
				change(c)
			}
		})
}

func document(t *testing.T, p *Policy, which metadataDocument) map[string]any {
	return decoded[map[string]any](t, must.Have(p.serverMetadata(which))(t))
}

// RFC 8414 section 2, RFC 9207 section 3.
func TestMetadataOfTheGateway(t *testing.T) {
	require.Equal(t, map[string]any{
		"issuer":                                         publicIssuer,
		"authorization_endpoint":                         publicIssuer + "/authorize",
		"token_endpoint":                                 publicIssuer + "/oauth/token",
		"revocation_endpoint":                            publicIssuer + "/oauth/revoke",
		"response_types_supported":                       []any{"code"},
		"response_modes_supported":                       []any{"query", "fragment", "form_post", "web_message"},
		"grant_types_supported":                          []any{"authorization_code", "refresh_token"},
		"token_endpoint_auth_methods_supported":          []any{"none"},
		"code_challenge_methods_supported":               []any{"S256"},
		"scopes_supported":                               []any{"email", "read"},
		"authorization_response_iss_parameter_supported": true,
		"request_uri_parameter_supported":                false,
	}, document(t, published(t, nil), oauthMetadata))
}

// OpenID Connect Discovery 1.0 section 3: the issuer and the keys of ID tokens.
func TestMetadataForOpenIDConnect(t *testing.T) {
	d := document(t, published(t, nil), openIDMetadata)
	for name, want := range map[string]any{
		"issuer": "https://idp.example/", "jwks_uri": "https://idp.example/keys",
		"authorization_endpoint": publicIssuer + "/authorize", "token_endpoint": publicIssuer + "/oauth/token",
		"userinfo_endpoint": publicIssuer + "/userinfo", "end_session_endpoint": publicIssuer + "/v2/logout",
		"subject_types_supported": []any{"public"}, "id_token_signing_alg_values_supported": []any{"ES256"},
		"scopes_supported": []any{"email", "openid", "read"}, "code_challenge_methods_supported": []any{"S256"},
	} {
		require.Equal(t, want, d[name], name)
	}
}

// What clients find is what works: openid where there is a resource, and user info only where it takes
// one of their access tokens.
func TestMetadataSaysWhatWorks(t *testing.T) {
	for name, tt := range map[string]struct {
		with             []func(*Config)
		openID, userInfo bool
	}{
		"own ID tokens, own access tokens":       {[]func(*Config){issuing}, true, true},
		"own ID tokens, bound to a key":          {[]func(*Config){issuing, proving(oauth.Required)}, true, false},
		"own ID tokens, the IdP's access tokens": {[]func(*Config){issuing, passedThrough}, true, true},
		"the IdP's ID tokens, own access tokens": {[]func(*Config){idTokensOfTheIdP}, true, false},
		"the IdP's ID tokens and access tokens":  {[]func(*Config){idTokensOfTheIdP, passedThrough}, true, true},
		"the IdP's ID tokens, without resources": {[]func(*Config){idTokensOfTheIdP, withoutResources}, true, true},
	} {
		a := newAgent(t, true, tt.with...)
		m := openIDProvider()
		m.JWKSURI, m.Scopes = &url.URL{Scheme: "https", Host: "idp.example", Path: "/keys"}, []string{"openid", "profile"}
		d := document(t, a.sealed.withMetadata(m), openIDMetadata)
		require.Equal(t, tt.openID, slices.Contains(d["scopes_supported"].([]any), any("openid")), name)
		require.Equal(t, tt.userInfo, d["userinfo_endpoint"] != nil, name)
		require.Equal(t, false, d["request_uri_parameter_supported"], name)
	}
}

// Each option that a client has to know of is in the document, and is not there without.
func TestMetadataNamesTheOptions(t *testing.T) {
	grants := func(more string) string {
		return `"grant_types_supported":["authorization_code","refresh_token"` + more + `]`
	}
	const jwtBearer = `,"urn:ietf:params:oauth:grant-type:jwt-bearer"`
	without := func(change func(*DynamicClientsConfig)) []func(*Config) {
		return []func(*Config){unseen, func(c *Config) { change(c.DynamicClients) }}
	}
	for name, tt := range map[string]struct {
		with      []func(*Config)
		says, not []string
	}{
		"own tokens": {[]func(*Config){withOwnTokens}, []string{
			`"introspection_endpoint":"` + gatewayURL + `/oauth/introspect","introspection_endpoint_auth_methods_supported":["client_secret_basic"]`, grants(""),
		}, []string{"dpop", "pushed_authorization", "authorization_grant_profiles_supported"}},
		"no introspection": {[]func(*Config){withOwnTokens, passedThrough}, nil, []string{"introspection"}},
		"direct grants": {[]func(*Config){withOwnTokens, withDirectGrants}, []string{
			grants(jwtBearer + `,"client_credentials"`), `"authorization_grant_profiles_supported":["urn:ietf:params:oauth:grant-profile:id-jag"]`,
		}, nil},
		"workloads alone": {
			[]func(*Config){withOwnTokens, withDirectGrants, func(c *Config) { c.Trust, c.Clients = c.Trust[2:], c.Clients[:2] }},
			[]string{grants(jwtBearer)},
			[]string{"authorization_grant_profiles_supported"},
		},
		"keys of clients": {[]func(*Config){withOwnTokens, withKey(make(map[string]*keySet))}, []string{
			`"token_endpoint_auth_methods_supported":["private_key_jwt"],"token_endpoint_auth_signing_alg_values_supported":["ES256",`,
		}, nil},
		"certificates": {[]func(*Config){withOwnTokens, byCertificate, certificateBound}, []string{
			`"token_endpoint_auth_methods_supported":["tls_client_auth"]`, `"tls_client_certificate_bound_access_tokens":true`,
		}, nil},
		"proofs": {[]func(*Config){proving(oauth.Optional)}, []string{`"dpop_signing_alg_values_supported":["ES256","PS256","EdDSA"]`}, nil},
		"proofs of dynamic clients": {
			without(func(d *DynamicClientsConfig) { d.DPoP = oauth.Required }), []string{`"dpop_signing_alg_values_supported":["ES256","PS256","EdDSA"]`}, nil,
		},
		"pushed requests":          {[]func(*Config){pushingHere(oauth.Optional)}, []string{`"pushed_authorization_request_endpoint":"` + gatewayURL + `/oauth/par"`}, []string{"require_pushed"}},
		"pushed requests, and all": {[]func(*Config){pushingHere(oauth.Required)}, []string{`"require_pushed_authorization_requests":true`}, nil},
		"scopes of resources": {[]func(*Config){resources(func(c *Config) { c.PublicURL = gatewayURL })}, []string{
			`"scopes_supported":["mcp.read","mcp.write","offline_access","read"]`,
		}, nil},
		"dynamic clients": {[]func(*Config){unseen}, []string{
			`"registration_endpoint":"https://gateway.example/oauth/register"`, `"client_id_metadata_document_supported":true`,
			`"token_endpoint_auth_methods_supported":["none"]`, `"scopes_supported":["mcp.read"]`,
		}, nil},
		"no registration": {without(func(d *DynamicClientsConfig) { d.Registration = nil }), nil, []string{"registration_endpoint"}},
		"no documents":    {without(func(d *DynamicClientsConfig) { d.MetadataDocuments = nil }), nil, []string{"client_id_metadata_document_supported"}},
	} {
		document := string(must.Have(newSealedGateway(t, tt.with...).serverMetadata(oauthMetadata))(t))
		for _, member := range tt.says {
			require.Contains(t, document, member, name)
		}
		for _, member := range tt.not {
			require.NotContains(t, document, member, name)
		}
	}
}

func TestMetadataFollowsTheConfiguration(t *testing.T) {
	d := document(t, published(t, func(c *Config) { c.Clients, c.Callback = nil, nil }), oauthMetadata)
	require.Equal(t, []any{"query", "form_post"}, d["response_modes_supported"], "without a callback they are the IdP's")
	require.Equal(t, false, d["authorization_response_iss_parameter_supported"], "the IdP responds, in its own name")
	require.Equal(t, []any{"profile"}, d["scopes_supported"])
	d = document(t, published(t, func(c *Config) {
		c.Clients = []ClientConfig{{ID: "server", RedirectURIs: []string{"https://a.example/"}, AuthMethods: []string{"client_secret_basic"}}}
	}), oauthMetadata)
	require.Equal(t, []any{"client_secret_basic"}, d["token_endpoint_auth_methods_supported"])

	d = document(t, published(t, func(c *Config) { c.Clients = nil }), oauthMetadata)
	require.Equal(t, []any{"none"}, d["token_endpoint_auth_methods_supported"], "any client is a public one")
	require.Equal(t, []any{"authorization_code", "refresh_token"}, d["grant_types_supported"])
	d = document(t, published(t, func(c *Config) { c.Clients = c.Clients[:1] }), oauthMetadata)
	require.Equal(t, []any{"email", "read"}, d["scopes_supported"])
	d = document(t, published(t, func(c *Config) { c.Clients[1].Scopes = nil }), oauthMetadata)
	require.Equal(t, []any{"profile"}, d["scopes_supported"], "one client may ask for anything that the IdP has")
	require.NotContains(t, document(t, published(t, func(c *Config) { c.LogoutProtocol = NoLogout }), openIDMetadata), "end_session_endpoint")
	own := testPolicy(t, func(c *Config) { c.PublicURL = publicIssuer })
	d = document(t, own, oauthMetadata)
	for _, unknown := range []string{"revocation_endpoint", "response_modes_supported", "scopes_supported"} {
		require.NotContains(t, d, unknown)
	}
	for members, says := range map[string]string{
		``:                                       "does not know the issuer and the keys",
		`,"jwks_uri":"https://idp.example/keys"`: "",
	} {
		p := withDocument(t, "https://idp.example", members, func(c *Config) { c.PublicURL = publicIssuer })
		raw, err := p.serverMetadata(openIDMetadata)
		if says != "" {
			require.ErrorContains(t, err, says)
			continue
		}
		require.NoError(t, err)
		require.Contains(t, string(raw), `"id_token_signing_alg_values_supported":["RS256"]`, "OpenID Connect Core 1.0 section 15.1")
	}

	// Without discover nobody knows the keys.
	p := must.Have(NewPolicy(Config{AuthURL: "https://idp.example", PublicURL: publicIssuer}))(t)
	document(t, p, oauthMetadata)
	_, err := p.serverMetadata(openIDMetadata)
	require.ErrorContains(t, err, "discover")
	require.Equal(t, 404, oauth.AsError(err).Status)
}

// RFC 8414 section 3.1 and OpenID Connect Discovery 1.0 section 4.1.
func TestWhereTheMetadataIs(t *testing.T) {
	for public, paths := range map[string]map[string]metadataDocument{
		"": {"/.well-known/oauth-authorization-server": noMetadata, "/.well-known/openid-configuration": noMetadata},
		"https://login.example/": {
			"/.well-known/oauth-authorization-server": oauthMetadata, "/.well-known/openid-configuration": openIDMetadata,
			"/.well-known/oauth-authorization-server/x": noMetadata, "/.WELL-KNOWN/openid-configuration": noMetadata, "/": noMetadata,
		},
		"https://example.com/login": {
			"/.well-known/oauth-authorization-server/login": oauthMetadata, "/.well-known/oauth-authorization-server": noMetadata,
			"/login/.well-known/openid-configuration": openIDMetadata, "/.well-known/openid-configuration/login": openIDMetadata,
			"/.well-known/openid-configuration": openIDMetadata, // after handle_path /login/*
		},
	} {
		p := must.Have(NewPolicy(Config{AuthURL: "https://idp.example", PublicURL: public}))(t)
		for path, want := range paths {
			require.Equal(t, want, p.metadataAt(path), "%s at %s", path, public)
		}
	}
	for _, public := range []string{"login.example", "http://login.example", "https://login.example?x", "https://login.example?", "https://login.example/#x", "https://u@login.example", "https://login.example/%61"} {
		_, err := NewPolicy(Config{AuthURL: "https://idp.example", PublicURL: public})
		require.ErrorContains(t, err, "public_url", public)
	}
}

// RFC 9207 section 2: iss is the issuer of the metadata that the client uses.
func TestIssuerOfResponses(t *testing.T) {
	for _, test := range []struct {
		client, scope, public, want string
	}{
		{"app", "read", publicIssuer, publicIssuer},
		{"app", "openid read", publicIssuer, "https://idp.example/"},
		{"app", "openidx read", publicIssuer, publicIssuer},
		{"app", "openid", "", ""},
	} {
		p := published(t, func(c *Config) {
			c.PublicURL = test.public
			for i := range c.Clients {
				c.Clients[i].Scopes = nil
			}
		})
		keys := must.Have(seal.NewKeys([][]byte{[]byte(strings.Repeat("k", seal.MinMaster))}, time.Now))(t)
		s := sealer{Keys: keys, Now: time.Now(), Callback: p.CallbackURL("")}
		q := url.Values{
			"client_id": {test.client}, "redirect_uri": {"https://app.example/cb"}, "response_type": {"code"}, "scope": {test.scope},
			"code_challenge": {strings.Repeat("a", 42) + "A"}, "code_challenge_method": {"S256"}, "state": {"s"},
		}
		r := must.Have(p.parseAuthorize(q.Encode()))(t)
		to := must.Have(url.Parse(r.authorizeURL(p, s)))(t)
		for _, c := range []callbackRequest{{Code: "c"}, {Error: "access_denied"}} {
			c.State = to.Query().Get("state")
			response := must.Have(p.takeCallback(s, c))(t)
			require.Equal(t, test.want, location(t, response.Response).Query().Get("iss"), "%+v", test)
		}
		// An error of the gateway itself names the same.
		q.Set("code_challenge_method", "plain")
		r, err := p.parseAuthorize(q.Encode())
		page, ok := r.redirectError(oauth.AsError(err))
		require.True(t, ok)
		back := must.Have(url.Parse(page.Header.Get("Location")))(t)
		require.Equal(t, test.want, back.Query().Get("iss"), "%+v", test)
	}
}

func TestWhoseNameResponsesHave(t *testing.T) {
	p := testPolicy(t, func(c *Config) { c.PublicURL, c.Issuer = publicIssuer, "https://idp.example" })
	require.Empty(t, p.responseIssuer(clients.Party{ClientID: "app"}, false, true), "without a callback the IdP responds")
	g := newSealedGateway(t, func(c *Config) { c.PublicURL, c.Clients = publicIssuer, nil })
	require.Equal(t, publicIssuer, g.responseIssuer(clients.Party{ClientID: "who"}, false, false), "a client that nobody registers")
}

// iss is the issuer that is known, or none, whatever comes to the callback: anybody can
// bring a response there.
func TestIssIsNeverAnEcho(t *testing.T) {
	const known, foreign = "https://idp.example/", "https://evil.example"
	for name, tc := range map[string]struct {
		public, issuer, scope, got, want string
		sends                            bool // the metadata says that the IdP sends one
		refused                          bool
	}{
		"nothing is known":                          {got: foreign},
		"nothing is known, with openid":             {got: foreign, public: publicIssuer, scope: "openid"},
		"the IdP's own":                             {issuer: known, got: known, want: known},
		"another's":                                 {issuer: known, got: foreign, want: known, refused: true},
		"none, where there may be one":              {issuer: known},
		"none, where there has to be one":           {issuer: known, sends: true, want: known, refused: true},
		"another's, where the gateway is an issuer": {public: publicIssuer, issuer: known, got: foreign, want: publicIssuer, refused: true},
		"the same, with openid":                     {public: publicIssuer, issuer: known, scope: "openid", got: foreign, want: known, refused: true},
	} {
		for _, c := range []callbackRequest{{Code: "c"}, {Error: "access_denied"}} {
			g := newSealedGateway(t, func(c *Config) { c.PublicURL, c.Issuer = tc.public, tc.issuer })
			if tc.sends {
				g.Policy = g.withMetadata(&discovery.Metadata{Issuer: known, SendsIssuer: true})
			}
			c.State, c.Issuer = g.begin("scope", tc.scope).Get("state"), tc.got
			response, err := g.takeCallback(g.s, c)
			require.NoError(t, err, name)
			require.Equal(t, tc.want, location(t, response.Response).Query().Get("iss"), name)
			if tc.refused {
				require.Equal(t, "RFC 9207 section 2.4", oauth.AsError(response.Err).Source, name)
			}
			require.NotContains(t, response.Header.Get("Location"), "evil", name)
		}
	}
}

func TestDocumentsOfWhatIsNotKnown(t *testing.T) {
	require.Empty(t, testPolicy(t).responseIssuer(clients.Party{ClientID: "app"}, true, false))
	_, err := testPolicy(t, func(c *Config) { c.Discover, c.PublicURL = true, publicIssuer }).serverMetadata(openIDMetadata)
	require.Equal(t, 503, oauth.AsError(err).Status)
}
