package idp

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// resources are two of them, and what else a gateway in front of MCP servers has.
func resources(change ...func(*Config)) func(*Config) {
	return func(c *Config) {
		c.Parameters = ""
		c.Resources = []ResourceConfig{
			{
				URI:           "https://mcp.example.com/mcp",
				Scopes:        []ScopeConfig{{Name: "mcp.read", AtIdP: []string{"api://app/mcp.read"}}, {Name: "mcp.write", AtIdP: []string{"api://app/mcp.read", "api://app/mcp.write"}}},
				DefaultScopes: []string{"mcp.read", "offline_access"},
			},
			{URI: "https://other.example.com/", Scopes: []ScopeConfig{{Name: "read"}}, Indicator: PassIndicator},
			{URI: "https://third.example.com/a?b=c/", Indicator: AudienceIndicator, Audience: "urn:third"},
		}
		for i := range c.Resources {
			c.Resources[i].Tokens = IdPTokens
		}
		for _, with := range change {
			with(c)
		}
	}
}

// login is the code of a client for an authorization request.
func (g *sealedGateway) login(with ...string) string {
	g.t.Helper()
	return location(g.t, g.called(g.begin(with...).Get("state"), "idp-code").Response).Query().Get("code")
}

// RFC 8707 section 2.2: a code is for the resource of its login.
func TestACodeIsForTheResourceOfItsLogin(t *testing.T) {
	g := newSealedGateway(t, resources())
	const mcp, other = "https://mcp.example.com/mcp", "https://other.example.com"
	for name, tc := range map[string]struct {
		login, token, says string
		sent               []string
	}{
		"the same":                 {login: other, token: other, sent: []string{"https://other.example.com/"}},
		"the same, spelled":        {login: other, token: "HTTPS://other.example.com/", sent: []string{"https://other.example.com/"}},
		"left out at /token":       {login: other, sent: []string{"https://other.example.com/"}},
		"left out at both":         {},
		"left out at /authorize":   {token: mcp},
		"the one that is dropped":  {login: mcp, token: mcp},
		"another":                  {login: mcp, token: other, says: "not the one of the login"},
		"another than the default": {token: other, says: "not the one of the login"},
		"one that nobody knows":    {login: mcp, token: "https://evil.example", says: "may ask for"},
	} {
		t.Run(name, func(t *testing.T) {
			code := g.login("resource", tc.login, "scope", "openid")
			with := []string{"resource", tc.token}
			if tc.token == "" {
				with = nil
			}
			grant, request, err := g.open(code, with...)
			if tc.says != "" {
				require.ErrorContains(t, err, tc.says)
				require.Equal(t, oauth.InvalidTarget, oauth.AsError(err).Code)
				return
			}
			require.NoError(t, err)
			call := must.Have(request.tokenCall(g.Policy, grant, nil, "", g.now))(t)
			sent := must.Have(url.ParseQuery(string(call.Body)))(t)
			require.Equal(t, tc.sent, sent["resource"])
			require.Empty(t, sent["audience"])
		})
	}
}

// What the IdP gets of a login, in its own names and as it wants it.
func TestALoginForAResourceAtTheIdP(t *testing.T) {
	entra := func(g *sealedGateway) {
		g.Policy = g.withMetadata(&discovery.Metadata{Scopes: []string{"openid", "profile", "email", "offline_access"}, IDTokenAlgorithms: []string{"RS256"}})
	}
	google := func(g *sealedGateway) {
		g.Policy = g.withMetadata(&discovery.Metadata{Scopes: []string{"openid", "profile", "email"}, IDTokenAlgorithms: []string{"RS256"}})
	}
	const read, write = "api://app/mcp.read", "api://app/mcp.write"
	for name, tc := range map[string]struct {
		resource, scope string
		at              func(*sealedGateway)
		sent            string // the scope
		indicator       url.Values
		own             bool // the openid in it is the gateway's
	}{
		"a scope":                         {scope: "mcp.read", sent: read},
		"one that stands for two":         {scope: "mcp.write", sent: read + " " + write},
		"both":                            {scope: "mcp.write mcp.read", sent: read + " " + write},
		"with standard ones":              {scope: "openid mcp.read offline_access", sent: "openid " + read + " offline_access"},
		"none: the default":               {sent: read + " offline_access"},
		"the gateway's own openid":        {scope: "mcp.read", at: entra, sent: read + " openid", own: true},
		"the default, with it":            {at: entra, sent: read + " offline_access openid", own: true},
		"not what the IdP does not have":  {scope: "mcp.read offline_access profile", at: google, sent: read + " profile openid", own: true},
		"none, and no default":            {resource: "https://other.example.com", sent: "", indicator: url.Values{"resource": {"https://other.example.com/"}}},
		"none but the gateway's":          {resource: "https://other.example.com", at: entra, sent: "openid", indicator: url.Values{"resource": {"https://other.example.com/"}}, own: true},
		"passed":                          {resource: "HTTPS://other.example.com", scope: "read", sent: "read", indicator: url.Values{"resource": {"https://other.example.com/"}}},
		"as an audience":                  {resource: "https://third.example.com/a?b=c/", scope: "openid", sent: "openid", indicator: url.Values{"audience": {"urn:third"}}},
		"openid by the name of the IdP's": {resource: "https://mcp.example.com/mcp", scope: "who", sent: "openid email", own: true},
	} {
		t.Run(name, func(t *testing.T) {
			g := newSealedGateway(t, resources(func(c *Config) {
				c.Resources[0].Scopes = append(c.Resources[0].Scopes, ScopeConfig{Name: "who", AtIdP: []string{"openid", "email"}})
			}))
			if tc.at != nil {
				tc.at(g)
			}
			sent := g.begin("resource", tc.resource, "scope", tc.scope)
			require.Equal(t, tc.sent, sent.Get("scope"))
			require.Equal(t, tc.sent != "", sent.Has("scope"))
			require.Equal(t, tc.indicator["resource"], sent["resource"])
			require.Equal(t, tc.indicator["audience"], sent["audience"])
			require.Equal(t, tc.own, strings.HasPrefix(sent.Get("nonce"), ownNoncePrefix))
			require.Len(t, sent["scope"], min(1, len(tc.sent)))
			require.Less(t, len(sent.Get("state")), 256)
		})
	}
}

func TestLoginsThatAskForAnotherResource(t *testing.T) {
	g := newSealedGateway(t, resources(func(c *Config) {
		c.Clients[0].Scopes = []string{"openid", "mcp.read", "read"}
		c.Clients[1].Audiences = []string{"https://OTHER.example.com"}
	}))
	const mcp = "https://mcp.example.com/mcp"
	for name, tc := range map[string]struct {
		query string
		code  oauth.Code
		says  string
	}{
		"one that nobody knows":               {query("audience", "-", "scope", "openid", "resource", "https://evil.example"), oauth.InvalidTarget, "may ask for"},
		"one and another":                     {query("audience", "-", "scope", "openid", "resource", mcp) + "&resource=https://other.example.com/", oauth.InvalidTarget, "more than one"},
		"one and one that nobody knows":       {query("audience", "-", "scope", "openid", "resource", mcp) + "&resource=https://evil.example/", oauth.InvalidTarget, "may ask for"},
		"one that is not a URI":               {query("audience", "-", "scope", "openid", "resource", "mcp"), oauth.InvalidTarget, "may ask for"},
		"an audience":                         {query("audience", "https://evil.example", "scope", "openid"), oauth.InvalidTarget, "audience is not accepted"},
		"the resource as an audience":         {query("audience", mcp, "scope", "openid"), oauth.InvalidTarget, "name the resource in the parameter resource"},
		"a resource that is not the client's": {query("client_id", "single", "redirect_uri", "-", "audience", "-", "scope", "openid", "resource", mcp), oauth.InvalidTarget, "may ask for"},
		"a scope of another resource":         {query("audience", "-", "scope", "read"), oauth.InvalidScope, "does not have"},
		"a scope by the IdP's name":           {query("audience", "-", "scope", "api://app/mcp.read", "client_id", "single", "redirect_uri", "-"), oauth.InvalidScope, "does not have"},
		"a scope that is not the client's":    {query("audience", "-", "scope", "mcp.write"), oauth.InvalidScope, "not registered for this client"},
		"scopes by another name":              {query("audience", "-", "scope", "openid", "user_scope", "admin"), oauth.InvalidRequest, "user_scope"},
		"claims":                              {query("audience", "-", "scope", "openid", "claims", "{}"), oauth.InvalidRequest, "claims"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := g.parseAuthorize(tc.query)
			requireRejected(t, err, tc.code, 400, tc.says)
			page, ok := r.redirectError(oauth.AsError(err))
			require.True(t, ok, "the client is told")
			require.Contains(t, page.Header.Get("Location"), string(tc.code))
		})
	}
	for name, with := range map[string][]string{
		"the same one twice":     {"resource", mcp},
		"twice, spelled":         {"resource", "https://MCP.example.com/mcp/"},
		"left out, by its first": {"client_id", "single", "redirect_uri", "-"},
	} {
		raw := query(append([]string{"audience", "-", "scope", "openid", "x", "y"}, with...)...)
		if !strings.HasPrefix(name, "left out") {
			raw += "&resource=" + mcp
		}
		r, err := g.parseAuthorize(raw)
		require.NoError(t, err, name)
		require.Equal(t, "x", r.LeftOut, "parameters are those of clients with lists")
		if name == "left out, by its first" {
			require.Equal(t, "https://other.example.com/", r.resource.URI, "the first that the client may have")
		}
	}
}

// tokens is what a client gets for a code and a response of the IdP.
func (g *sealedGateway) tokens(code, body string) (upstream.TokenResponse, error) {
	g.t.Helper()
	_, request := g.opened(code)
	return g.answered(request, nil, body)
}

// answered is what the client gets of a response of the IdP.
func (g *sealedGateway) answered(r *tokenRequest, grant *refreshGrant, body string) (upstream.TokenResponse, error) {
	g.t.Helper()
	if err := r.takeGranted(g.Policy, &answerOf(body).Token); err != nil {
		return upstream.TokenResponse{}, err
	}
	sealed := must.Have(g.sealBody(g.t.Context(), g.kept(), g.s, r, grant, []byte(body)))(g.t)
	answer, ok := upstream.ReadToken(sealed)
	require.True(g.t, ok)
	return answer, nil
}

// RFC 6749 section 5.1: the client is told what it got, in the names that it knows.
func TestTheScopeThatAClientIsToldOf(t *testing.T) {
	const read, write = "api://app/mcp.read", "api://app/mcp.write"
	const entra = "https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0"
	for name, tc := range map[string]struct {
		at                          string // the IdP
		asked, resource, told, says string
		scope, token                string // of the IdP; scope "-" for none
	}{
		"what was asked for":                    {asked: "mcp.read", scope: read, told: "mcp.read"},
		"nothing asked for: the default":        {scope: read, told: "offline_access mcp.read"},
		"the IdP does not say":                  {asked: "mcp.write mcp.read", scope: "-", told: "mcp.read mcp.write"},
		"a JWT says it":                         {asked: "mcp.write mcp.read", scope: "-", token: jwtOf(`{"scope":"` + read + `"}`), told: "mcp.read"},
		"none":                                  {asked: "mcp.read", scope: "", told: ""},
		"less":                                  {asked: "mcp.read mcp.write", scope: read, told: "mcp.read"},
		"one of the two that it stands for":     {asked: "mcp.write", scope: read, told: ""},
		"more than was asked for":               {asked: "mcp.read", scope: read + " " + write, told: "mcp.read"},
		"more than the resource has":            {asked: "mcp.read", scope: read + " api://app/admin", says: "scope api://app/admin, which is not registered"},
		"standard ones":                         {asked: "openid profile mcp.read", scope: "openid profile email " + read, told: "openid profile mcp.read"},
		"offline_access, which goes unsaid":     {asked: "mcp.read offline_access", scope: read, told: "offline_access mcp.read"},
		"separated by commas (GitHub)":          {asked: "mcp.write", scope: read + "," + write, told: "mcp.write"},
		"in another case (Entra)":               {at: entra, asked: "mcp.read", scope: "api://APP/MCP.Read", told: "mcp.read"},
		"all of an API (Entra)":                 {at: entra, asked: "all", scope: read, told: "all"},
		"all of another API":                    {at: entra, asked: "all", scope: "api://big/read", says: "api://big/read"},
		"an audience, where it is dropped":      {asked: "mcp.read", scope: read, token: jwtOf(`{"aud":"whatever"}`), told: "mcp.read"},
		"the resource as the audience":          {resource: "https://other.example.com", asked: "read", scope: "read", token: jwtOf(`{"aud":"https://other.example.com/"}`), told: "read"},
		"another audience":                      {resource: "https://other.example.com", asked: "read", scope: "read", token: jwtOf(`{"aud":["https://other.example.com/","https://mcp.example.com/mcp"]}`), says: "audience https://mcp.example.com/mcp"},
		"the audience that was asked for":       {resource: "https://third.example.com/a?b=c/", asked: "openid", scope: "openid", token: jwtOf(`{"aud":"urn:third"}`), told: "openid"},
		"the audience of another resource":      {resource: "https://third.example.com/a?b=c/", asked: "openid", scope: "openid", token: jwtOf(`{"aud":"https://other.example.com/"}`), says: "audience https://other.example.com/"},
		"details that nobody asked for":         {asked: "mcp.read", scope: read, token: jwtOf(`{"authorization_details":[{"type":"x"}]}`), says: "authorization_details"},
		"a scope that only one of the two has":  {resource: "https://other.example.com", asked: "read", scope: "read " + read, says: read},
		"a standard one that nobody asked for":  {asked: "mcp.read", scope: read + " address", told: "mcp.read"},
		"a public name, where the IdP has none": {asked: "mcp.read", scope: "mcp.read", says: "scope mcp.read"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newSealedGateway(t, resources(func(c *Config) {
				c.AuthURL = cmp.Or(tc.at, c.AuthURL)
				c.Resources[0].Scopes = append(c.Resources[0].Scopes, ScopeConfig{Name: "all", AtIdP: []string{"api://app/.default"}})
				if !strings.HasPrefix(name, "all of") {
					c.Resources[0].Scopes = c.Resources[0].Scopes[:2]
				}
			}))
			body := `{"access_token":"` + cmp.Or(tc.token, opaqueToken) + `","token_type":"Bearer","scope":"` + tc.scope + `"}`
			if tc.scope == "-" {
				body = strings.Replace(body, `,"scope":"-"`, "", 1)
			}
			answer, err := g.tokens(g.login("scope", tc.asked, "resource", tc.resource), body)
			if tc.says != "" {
				require.ErrorContains(t, err, tc.says)
				require.Equal(t, http.StatusBadGateway, oauth.AsError(err).Status)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.told, strings.Join(answer.Scope.Spaced(), " "))
		})
	}
}

// A token that nobody gets is not held to lists: the gateway's own has what was asked for.
func TestWhatTheIdPGrantsBesidesDoesNotMatterToTheGatewaysTokens(t *testing.T) {
	const more = `{"access_token":"at","token_type":"Bearer","scope":"api://app/mcp.read api://app/mcp.write api://app/admin"}`
	for upstream, says := range map[bool]string{false: "", true: "add it to scope in the resource's block"} {
		g := newSealedGateway(t, resources(func(c *Config) {
			c.PublicURL = "https://gateway.example"
			c.Resources[0].Tokens, c.Resources[0].UpstreamToken = GatewayTokens, upstream
		}))
		_, r := g.opened(g.login("scope", "mcp.read"))
		err := r.takeGranted(g.Policy, &answerOf(more).Token)
		require.Equal(t, "mcp.read", r.granted)
		if upstream {
			require.ErrorContains(t, err, says)
		} else {
			require.NoError(t, err)
		}
	}
}

// RFC 8707 section 2.2, RFC 6749 section 6.
func TestARefreshIsForTheResourceOfItsLogin(t *testing.T) {
	g := newSealedGateway(t, resources())
	const body = `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-refresh"`
	granted := func(login []string, scope string) string {
		answer := must.Have(g.tokens(g.login(login...), body+`,"scope":"`+scope+`"}`))(t)
		return must.Have(answer.RefreshTokenText())(t)
	}
	both := granted([]string{"scope", "mcp.write mcp.read"}, "api://app/mcp.read api://app/mcp.write")
	less := granted([]string{"scope", "mcp.write mcp.read"}, "api://app/mcp.read")
	other := granted([]string{"scope", "read", "resource", "https://other.example.com"}, "read")
	for name, tc := range map[string]struct {
		token, told, says string
		with              []string
		sent              url.Values // of scope and resource
		answered          string     // the scope of the IdP's response
		code              oauth.Code
		nextToken         string // what the next refresh may have
	}{
		"nothing but the token":               {token: both, told: "mcp.read mcp.write"},
		"the resource":                        {token: both, with: []string{"resource", "https://mcp.example.com/mcp/"}, told: "mcp.read mcp.write"},
		"another resource":                    {token: both, with: []string{"resource", "https://other.example.com/"}, code: oauth.InvalidTarget, says: "not the one of the login"},
		"an audience":                         {token: both, with: []string{"audience", "https://other.example.com/"}, code: oauth.InvalidTarget, says: "audience is not accepted"},
		"less":                                {token: both, with: []string{"scope", "mcp.read"}, sent: url.Values{"scope": {"api://app/mcp.read"}}, told: "mcp.read", nextToken: "mcp.read mcp.write"},
		"less than was asked for is granted":  {token: both, answered: "api://app/mcp.read", told: "mcp.read"},
		"what was not granted":                {token: less, with: []string{"scope", "mcp.write"}, code: oauth.InvalidScope, says: "not granted"},
		"the IdP does not say":                {token: less, told: "mcp.read"},
		"a standard one that was not granted": {token: both, with: []string{"scope", "openid"}, code: oauth.InvalidScope, says: "not granted"},
		"a scope of another resource":         {token: both, with: []string{"scope", "read"}, code: oauth.InvalidScope, says: "does not have"},
		"a resource that is passed":           {token: other, sent: url.Values{"resource": {"https://other.example.com/"}}, told: "read"},
		"the same, named":                     {token: other, with: []string{"resource", "https://other.example.com"}, sent: url.Values{"resource": {"https://other.example.com/"}}, told: "read"},
		"of the other at the first":           {token: other, with: []string{"resource", "https://mcp.example.com/mcp"}, code: oauth.InvalidTarget, says: "not the one of the login"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := g.parseToken("", formHeader(), refreshForm("app", tc.token, tc.with...))
			var grant *refreshGrant
			if err == nil {
				grant, err = r.openRefreshGrant(g.Policy, g.s)
			}
			if tc.says != "" {
				require.ErrorContains(t, err, tc.says)
				require.Equal(t, tc.code, oauth.AsError(err).Code)
				return
			}
			require.NoError(t, err)
			call := must.Have(r.tokenCall(g.Policy, nil, grant, "", g.now))(t)
			sent := must.Have(url.ParseQuery(string(call.Body)))(t)
			require.Equal(t, tc.sent["scope"], sent["scope"])
			require.Equal(t, tc.sent["resource"], sent["resource"])
			answered := body + `}`
			if tc.answered != "" {
				answered = body + `,"scope":"` + tc.answered + `"}`
			}
			answer := must.Have(g.answered(&r, grant, answered))(t)
			require.Equal(t, tc.told, strings.Join(answer.Scope.Spaced(), " "))
			next := must.Have(answer.RefreshTokenText())(t)
			opened, _, err := g.codec.OpenRefreshToken(g.s.Keys, next)
			require.NoError(t, err)
			require.Equal(t, cmp.Or(tc.nextToken, grant.opened.Scope), opened.Scope)
			require.Equal(t, grant.opened.Resource, opened.Resource)
		})
	}
}

// What was sealed for resources that are configured no more opens nowhere.
func TestAConfigurationWithOtherResources(t *testing.T) {
	before := newSealedGateway(t, resources())
	code := before.login("resource", "https://other.example.com", "scope", "read")
	answer := must.Have(before.tokens(code, `{"access_token":"at","token_type":"Bearer","refresh_token":"r"}`))(t)
	token := must.Have(answer.RefreshTokenText())(t)
	for name, tc := range map[string]struct {
		change                func(*Config)
		opensCode, opensToken bool
	}{
		"as it was":                  {resources(), true, true},
		"another order":              {resources(func(c *Config) { slices.Reverse(c.Resources) }), true, true},
		"spelled otherwise":          {resources(func(c *Config) { c.Resources[1].URI = "https://OTHER.example.com" }), false, true},
		"its scopes":                 {resources(func(c *Config) { c.Resources[1].Scopes = append(c.Resources[1].Scopes, ScopeConfig{Name: "more"}) }), false, true},
		"what its scopes stand for":  {resources(func(c *Config) { c.Resources[1].Scopes[0].AtIdP = []string{"admin"} }), false, true},
		"what the IdP gets":          {resources(func(c *Config) { c.Resources[1].Indicator = DropIndicator }), false, true},
		"it is gone":                 {resources(func(c *Config) { c.Resources = c.Resources[:1] }), false, false},
		"there are none":             {func(c *Config) {}, false, false},
		"it has another path":        {resources(func(c *Config) { c.Resources[1].URI += "v2" }), false, false},
		"what another one's are for": {resources(func(c *Config) { c.Resources[0].DefaultScopes = nil }), true, true},
	} {
		g := newSealedGateway(t, tc.change)
		_, _, err := g.open(code)
		require.Equal(t, tc.opensCode, err == nil, "%s: %v", name, err)
		_, _, err = g.refresh("app", token)
		require.Equal(t, tc.opensToken, err == nil, "%s: %v", name, err)
	}
	plain := newSealedGateway(t)
	g := newSealedGateway(t, resources())
	_, _, err := g.open(location(t, plain.called(plain.begin().Get("state"), "idp-code").Response).Query().Get("code"))
	require.ErrorContains(t, err, "did not issue the code", "a login from before there were resources is for none of them")
	_, _, err = g.refresh("app", plain.granted("app", nil, grantedByIdP))
	require.ErrorContains(t, err, "did not issue the refresh token")
}

func TestAConsentPageNamesTheResource(t *testing.T) {
	g := newSealedGateway(t, asking, resources())
	page := string((&person{g: g}).open(consentQuery("app", "https://app.example/cb", "scope", "", "nonce", "")).Body)
	require.Contains(t, page, "https://mcp.example.com/mcp")
	require.Contains(t, page, "mcp.read")
	require.Contains(t, page, "keep this access while you are away")
	require.NotContains(t, page, "api://app")
}

// The page that a silent login names is the gateway's own, so that it speaks the client's
// language.
func TestTheWayOnOfASilentLoginForAResource(t *testing.T) {
	g := newSealedGateway(t, pushing, resources(), func(c *Config) { c.AuthorizeParameters = map[string]string{"access_type": "offline"} })
	r := must.Have(g.parseAuthorize(query("audience", "-", "scope", "mcp.write", "prompt", "none")))(t)
	push := must.Have(r.preparePush(g.Policy, g.s, g.now, "https://gateway.example", true))(t)
	form := must.Have(url.ParseQuery(string(push.Call.Body)))(t)
	require.Equal(t, "api://app/mcp.read api://app/mcp.write", form.Get("scope"))
	require.Equal(t, "offline", form.Get("access_type"))
	require.NotContains(t, form, "resource")
	page := must.Have(url.Parse(push.sent.page))(t)
	require.Equal(t, "mcp.write", page.Query().Get("scope"))
	again := must.Have(g.parseAuthorize(page.RawQuery))(t)
	require.Equal(t, r.resource, again.resource)
	require.Empty(t, again.LeftOut)
}

func TestMistakesInResourcesAreNamed(t *testing.T) {
	first := func(change func(*ResourceConfig)) func(*Config) {
		return resources(func(c *Config) { change(&c.Resources[0]) })
	}
	requireMistakes(t, map[string]func(*Config){
		"resource needs callback":                        resources(func(c *Config) { c.Callback = nil }),
		"resource needs client blocks":                   resources(func(c *Config) { c.Clients = nil }),
		"resource and parameters contract":               resources(func(c *Config) { c.Parameters = ContractParameters }),
		"write idp audience https://api.example":         resources(func(c *Config) { c.DefaultAudience = "https://api.example" }),
		"resource mcp: the URI is not absolute":          first(func(r *ResourceConfig) { r.URI = "mcp" }),
		"resource http://mcp.example.com/: the URI must": first(func(r *ResourceConfig) { r.URI = "http://mcp.example.com/" }),
		"the URI has a fragment":                         first(func(r *ResourceConfig) { r.URI += "#a" }),
		"the URI has user information":                   first(func(r *ResourceConfig) { r.URI = "https://a@mcp.example.com" }),
		"resource HTTPS://MCP.example.com/mcp/ is the same as https://mcp.example.com/mcp; put": resources(func(c *Config) {
			c.Resources[1].URI = "HTTPS://MCP.example.com/mcp/"
		}),
		"idp forward is unknown; use pass, drop or audience":      first(func(r *ResourceConfig) { r.Indicator = "forward" }),
		"resource https://mcp.example.com/mcp: idp drop takes no": first(func(r *ResourceConfig) { r.Audience = "a" }),
		"scope mcp.read is given twice":                           first(func(r *ResourceConfig) { r.Scopes = append(r.Scopes, ScopeConfig{Name: "mcp.read"}) }),
		"scope a b is not a scope name":                           first(func(r *ResourceConfig) { r.Scopes[0].AtIdP = []string{"a b"} }),
		"scope  is not a scope name":                              first(func(r *ResourceConfig) { r.Scopes[0].Name = "" }),
		"default_scope can't have openid":                         first(func(r *ResourceConfig) { r.DefaultScopes = []string{"openid"} }),
		"default_scope admin is not one of its scopes; add scope": first(func(r *ResourceConfig) { r.DefaultScopes = []string{"admin"} }),
		"client app: none of its audiences is a resource": resources(func(c *Config) {
			c.Clients[0].Audiences = []string{"https://api.example"}
		}),
	})
}

// In a login whose openid is the gateway's own, too, the client is told of the scope once,
// by its own names.
func TestTheScopeOfALoginWithTheGatewaysOpenID(t *testing.T) {
	g := newSealedGateway(t, resources())
	g.Policy = g.withMetadata(&discovery.Metadata{Scopes: []string{"openid"}, IDTokenAlgorithms: []string{"RS256"}})
	code := g.login("scope", "mcp.read")
	_, request := g.opened(code)
	require.True(t, request.ownOpenID)
	answer := answerOf(`{"access_token":"a","token_type":"Bearer","id_token":"x.e30.y","scope":"openid api://app/mcp.read email"}`)
	require.NoError(t, request.takeGranted(g.Policy, &answer.Token))
	given := must.Have(request.sealTokens(g.Policy, t.Context(), g.kept(), g.s, nil, answer))(t)
	require.Equal(t, `{"access_token":"a","token_type":"Bearer","scope":"mcp.read"}`, string(given.body))
	require.Equal(t, upstream.Names{"mcp.read"}, given.scope)
}
