package idp

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

func idTokensOfTheIdP(c *Config) { c.IDTokens = IdPIDTokens }

const publicIssuer = "https://login.example"

// published is a policy with a public URL; change changes its configuration.
func published(t *testing.T, change func(*Config)) *Policy {
	config := Config{
		AuthURL: "https://idp.example", Discover: true, PublicURL: publicIssuer, Parameters: OAuthParameters, IDTokens: IdPIDTokens,
		Callback: new(CallbackConfig),
		Clients: []ClientConfig{
			{ID: "app", RedirectURIs: []string{"https://app.example/cb"}, Scopes: []string{"openid", "email", "read"}},
			{ID: "other", RedirectURIs: []string{"https://app.example/cb"}, Scopes: []string{"read"}},
		},
	}
	if change != nil {
		change(&config)
	}
	p, err := NewPolicy(config)
	require.NoError(t, err)
	m, err := discovery.Parse("https://idp.example", []byte(`{"issuer":"https://idp.example/","authorization_endpoint":"https://idp.example/auth",
		"token_endpoint":"https://idp.example/token","jwks_uri":"https://idp.example/keys","end_session_endpoint":"https://idp.example/end",
		"id_token_signing_alg_values_supported":["ES256"],"scopes_supported":["openid","profile"],"response_modes_supported":["query","form_post"]}`))
	require.NoError(t, err)
	return p.withMetadata(m)
}

func document(t *testing.T, p *Policy, which metadataDocument) map[string]any {
	raw, err := p.serverMetadata(which)
	require.NoError(t, err)
	var d map[string]any
	require.NoError(t, json.Unmarshal(raw, &d))
	return d
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
		with     []func(*Config)
		openID   bool
		userInfo bool
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
	p, err := NewPolicy(Config{AuthURL: "https://idp.example", PublicURL: publicIssuer})
	require.NoError(t, err)
	document(t, p, oauthMetadata)
	_, err = p.serverMetadata(openIDMetadata)
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
		p, err := NewPolicy(Config{AuthURL: "https://idp.example", PublicURL: public})
		require.NoError(t, err)
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
		keys, err := seal.NewKeys([][]byte{[]byte(strings.Repeat("k", seal.MinMaster))}, time.Now)
		require.NoError(t, err)
		s := sealer{Keys: keys, Now: time.Now(), Callback: p.CallbackURL("")}
		q := url.Values{
			"client_id": {test.client}, "redirect_uri": {"https://app.example/cb"}, "response_type": {"code"}, "scope": {test.scope},
			"code_challenge": {strings.Repeat("a", 42) + "A"}, "code_challenge_method": {"S256"}, "state": {"s"},
		}
		r, err := p.parseAuthorize(q.Encode())
		require.NoError(t, err)
		to, err := url.Parse(r.authorizeURL(p, s))
		require.NoError(t, err)
		for _, c := range []callbackRequest{{Code: "c"}, {Error: "access_denied"}} {
			c.State = to.Query().Get("state")
			response, err := p.takeCallback(s, c)
			require.NoError(t, err)
			require.Equal(t, test.want, location(t, response.Response).Query().Get("iss"), "%+v", test)
		}
		// An error of the gateway itself names the same.
		q.Set("code_challenge_method", "plain")
		r, err = p.parseAuthorize(q.Encode())
		page, ok := r.redirectError(oauth.AsError(err))
		require.True(t, ok)
		back, err := url.Parse(page.Header.Get("Location"))
		require.NoError(t, err)
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
		public, issuer string
		sends          bool // the metadata says that the IdP sends one
		scope, got     string
		want           string
		refused        bool
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
	require.Equal(t, upstream.NotDiscovered(), newSealedGateway(t, func(c *Config) { c.Discover = true }).idp.CheckReachable(Logout))
	require.Empty(t, testPolicy(t).responseIssuer(clients.Party{ClientID: "app"}, true, false))
	_, err := published(t, nil).serverMetadata(openIDMetadata)
	require.NoError(t, err)
	_, err = testPolicy(t, func(c *Config) { c.PublicURL = publicIssuer }).serverMetadata(openIDMetadata)
	require.Equal(t, 404, oauth.AsError(err).Status)
	_, err = testPolicy(t, func(c *Config) { c.Discover, c.PublicURL = true, publicIssuer }).serverMetadata(openIDMetadata)
	require.Equal(t, 503, oauth.AsError(err).Status)
}
