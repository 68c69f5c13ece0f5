package idp

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/grants"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/signing"
)

// jwtOf is a JWT with these claims, which nobody has to verify.
func jwtOf(claims string) string {
	return "eyJhbGciOiJFUzI1NiJ9." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + ".c2ln"
}

const opaqueToken = "2YotnFZFEjr1zCsicMWpAA"

func TestATokenIsHeldToTheClientsLists(t *testing.T) {
	const small = "https://api.small.example"
	entra := "https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0"
	keycloak := func(c *Config) {
		c.Endpoints = map[Endpoint]string{Token: "/realms/staff/protocol/openid-connect/token"}
	}
	for name, tc := range map[string]struct {
		scopes, audiences, says string
		at                      string // the IdP
		with                    func(*Config)
		scope                   string // the member; "-" for none
		token                   string // "" for an opaque one
		more                    string // members of the response
	}{
		"what was asked for":                     {scopes: "openid read", scope: "openid read"},
		"less":                                   {scopes: "openid read write", scope: "read"},
		"none":                                   {scopes: "openid read", scope: ""},
		"more":                                   {scopes: "read", scope: "read admin", says: "scope admin, which is not registered"},
		"more, after other white space":          {scopes: "read", scope: "read\tadmin\n", says: "scope admin"},
		"offline_access":                         {scopes: "read", scope: "read offline_access", says: "scope offline_access"},
		"in upper case":                          {scopes: "read", scope: "Read", says: "scope Read"},
		"who the user is, unasked (Keycloak)":    {scopes: "read", scope: "openid profile email read"},
		"the address, unasked":                   {scopes: "read", scope: "read address", says: "scope address"},
		"no list of scopes":                      {audiences: small, scope: "admin"},
		"separated by commas (GitHub)":           {scopes: "repo gist", scope: "gist,repo"},
		"more, separated by commas":              {scopes: "repo gist", scope: "gist,admin:org", says: "scope gist,admin:org"},
		"a comma at the end":                     {scopes: "repo gist", scope: "gist,", says: "scope gist,"},
		"Entra's unasked scope elsewhere":        {scopes: "read", scope: "user.read", says: "scope user.read"},
		"a list (Twitch)":                        {scopes: "read", scope: `["read","admin"]`, says: "scope admin"},
		"Google's names":                         {scopes: "openid email profile", scope: "https://www.googleapis.com/auth/userinfo.email openid https://www.googleapis.com/auth/userinfo.profile"},
		"Google's names, asked by the long ones": {scopes: "https://www.googleapis.com/auth/userinfo.email", scope: "email openid"},
		"another scope of Google's":              {scopes: "openid email", scope: "openid https://www.googleapis.com/auth/drive", says: "auth/drive"},

		"Graph's scopes in full":            {at: entra, scopes: "openid mail.read offline_access", scope: "https://graph.microsoft.com/Mail.Read openid"},
		"Graph's scopes in short":           {at: entra, scopes: "https://graph.microsoft.com/Mail.Read", scope: "Mail.Read profile openid email"},
		"Graph's scopes by its id":          {at: entra, scopes: "Mail.Read", scope: "00000003-0000-0000-c000-000000000000/Mail.Read"},
		"User.Read, granted earlier":        {at: entra, scopes: "openid profile email offline_access", scope: "openid profile User.Read email"},
		"others, granted earlier":           {at: entra, scopes: "openid profile email", scope: "openid Calendars.ReadWrite", says: "scope Calendars.ReadWrite"},
		"an API of one's own":               {at: entra, scopes: "api://11111111-2222-3333-4444-555555555555/read", scope: "api://11111111-2222-3333-4444-555555555555/read"},
		"all of an API":                     {at: entra, scopes: "api://small/.default", scope: "api://small/read api://small/write api://small/.default"},
		"all of an API, and of another":     {at: entra, scopes: "api://small/.default", scope: "api://small/read api://smaller/read", says: "api://smaller/read"},
		"all of an API is not what follows": {at: entra, scopes: "api://small/.default", scope: "api://small/big/read", says: "api://small/big/read"},
		"all of Graph":                      {at: entra, scopes: "https://graph.microsoft.com/.default", scope: "Mail.Read https://graph.microsoft.com/User.Read"},
		"all of Graph is no other API":      {at: entra, scopes: "https://graph.microsoft.com/.default", scope: "api://big/read", says: "api://big/read"},
		"all of an API is no short name":    {at: entra, scopes: "api://small/.default", scope: "admin", says: "scope admin"},
		"a scope that ends like an API":     {at: entra, scopes: "api://small/", scope: "api://small/read", says: "api://small/read"},
		"a name that ends in .default":      {at: entra, scopes: "api://small.default", scope: "api://smaller", says: "api://smaller"},
		"Graph itself":                      {at: entra, scopes: "https://graph.microsoft.com/.default", scope: "https://graph.microsoft.com/", says: "graph.microsoft.com"},
		"a short name of another API":       {at: entra, scopes: "read", scope: "api://big/read", says: "api://big/read"},
		".default elsewhere":                {scopes: "api://small/.default", scope: "api://small/read", says: "api://small/read"},
		"Graph elsewhere":                   {scopes: "Mail.Read", scope: "https://graph.microsoft.com/Mail.Read", says: "graph.microsoft.com"},

		"a JWT says it":                    {scopes: "read", scope: "-", token: jwtOf(`{"scope":"read admin"}`), says: "scope admin"},
		"a JWT of Okta's says it":          {scopes: "read", scope: "-", token: jwtOf(`{"scp":["read","admin"]}`), says: "scope admin"},
		"a JWT says it in both":            {scopes: "read", scope: "-", token: jwtOf(`{"scope":"read","scp":"admin"}`), says: "scope admin"},
		"a JWT has no more":                {scopes: "read", scope: "-", token: jwtOf(`{"scope":"read"}`)},
		"the member counts (Entra's scp)":  {at: entra, scopes: "api://small/read", scope: "api://small/read", token: jwtOf(`{"scp":"read"}`)},
		"opaque, and nothing says it":      {scopes: "read", audiences: small, scope: "-"},
		"a JWT that says nothing":          {scopes: "read", audiences: small, scope: "-", token: jwtOf(`{"scope":7}`)},
		"the member names none":            {scopes: "read", scope: "", token: jwtOf(`{"scope":"admin"}`), says: "scope admin"},
		"the member is no list of names":   {scopes: "read", scope: `["read",7]`, token: jwtOf(`{"scope":"admin"}`), says: "scope admin"},
		"null":                             {scopes: "read", scope: "null", token: jwtOf(`{"scope":"admin"}`), says: "scope admin"},
		"a JWT that can't be read":         {scopes: "read", scope: "read", token: jwtOf(`{"scope":"read","scope":"admin"}`), says: "can't be read"},
		"a JWT whose claims are no base64": {scopes: "read", scope: "read", token: "eyJhbGciOiJFUzI1NiJ9.!!.c2ln", says: "can't be read"},
		"claims with something behind":     {scopes: "read", scope: "read", token: strings.Replace(jwtOf(`{"scope":"read"}  `), ".c2ln", "!.c2ln", 1), says: "can't be read"},
		"a header that is no base64":       {scopes: "read", scope: "read", token: "eyJh!.e30.c2ln!"},
		"a header that is no object":       {scopes: "read", scope: "read", token: "WzFd.b.c"},
		"three parts that are no JWT":      {scopes: "read", scope: "read", token: "a.b.c"},
		"encrypted":                        {audiences: small, scope: "read", token: "eyJhbGciOiJFUzI1NiJ9.a.b.c.d"},

		"authorization_details":                   {scopes: "read", scope: "-", more: `,"authorization_details":[{"type":"payment"}]`, says: "granted authorization_details"},
		"authorization_details that are none":     {scopes: "read", scope: "-", more: `,"authorization_details":[]`},
		"authorization_details that are null":     {scopes: "read", scope: "-", more: `,"authorization_details":null`},
		"authorization_details that are a number": {scopes: "read", scope: "-", more: `,"authorization_details":7`, says: "granted authorization_details"},
		"authorization_details of a JWT":          {audiences: small, scope: "-", token: jwtOf(`{"authorization_details":[{"type":"payment"}]}`), says: "granted authorization_details"},
		"authorization_details that are allowed":  {scopes: "read", with: func(c *Config) { c.Clients[0].Parameters = []string{clients.AuthorizationDetails} }, scope: "-", more: `,"authorization_details":[{}]`},

		"its audience":                           {audiences: small, scope: "-", token: jwtOf(`{"aud":"https://api.small.example"}`)},
		"another audience":                       {audiences: small, scope: "-", token: jwtOf(`{"aud":"https://api.big.example"}`), says: "audience https://api.big.example, which is not registered"},
		"another one beside it":                  {audiences: small, scope: "-", token: jwtOf(`{"aud":["https://api.small.example","https://api.big.example"]}`), says: "audience https://api.big.example"},
		"a slash at the end":                     {audiences: small, scope: "-", token: jwtOf(`{"aud":"https://api.small.example/"}`), says: "audience https://api.small.example/"},
		"no list of audiences":                   {scopes: "read", scope: "read", token: jwtOf(`{"aud":"https://api.big.example"}`)},
		"no audience (Cognito)":                  {audiences: small, scope: "-", token: jwtOf(`{"client_id":"app"}`)},
		"an empty audience":                      {audiences: small, scope: "-", token: jwtOf(`{"aud":""}`), says: "audience "},
		"an audience that is a number":           {audiences: small, scope: "-", token: jwtOf(`{"aud":7}`), says: "can't be read"},
		"the client itself (Spring)":             {audiences: small, scope: "-", token: jwtOf(`{"aud":"app"}`)},
		"the gateway at the IdP":                 {audiences: small, scope: "-", token: jwtOf(`{"aud":"gateway"}`)},
		"the user info beside it (Auth0)":        {audiences: small, scope: "-", token: jwtOf(`{"iss":"https://t.auth0.com/","aud":["https://api.small.example","https://t.auth0.com/userinfo"]}`)},
		"the user info, where it is":             {audiences: small, scope: "-", token: jwtOf(`{"aud":["https://idp.example/userinfo"]}`)},
		"the management API (Auth0)":             {audiences: small, scope: "-", token: jwtOf(`{"iss":"https://t.auth0.com/","aud":"https://t.auth0.com/api/v2/"}`), says: "https://t.auth0.com/api/v2/"},
		"the issuer (Okta's organization)":       {audiences: small, scope: "-", token: jwtOf(`{"iss":"https://e.okta.com","aud":"https://e.okta.com"}`)},
		"account (Keycloak)":                     {audiences: small, with: keycloak, scope: "-", token: jwtOf(`{"aud":["https://api.small.example","account"]}`)},
		"realm-management (Keycloak)":            {audiences: small, with: keycloak, scope: "-", token: jwtOf(`{"aud":["realm-management","account"]}`), says: "realm-management"},
		"account (Keycloak), discovered":         {audiences: small, with: func(c *Config) { keycloak(c); c.Discover = true }, scope: "-", token: jwtOf(`{"aud":"account"}`)},
		"account, before anything is known":      {audiences: small, with: func(c *Config) { c.Discover = true }, scope: "-", token: jwtOf(`{"aud":"account"}`), says: "audience account"},
		"account elsewhere":                      {audiences: small, scope: "-", token: jwtOf(`{"aud":"account"}`), says: "audience account"},
		"the bare id of an API (Entra)":          {at: entra, audiences: "api://11111111-2222-3333-4444-555555555555", scope: "-", token: jwtOf(`{"aud":"11111111-2222-3333-4444-555555555555"}`)},
		"the bare id of another API (Entra)":     {at: entra, audiences: "api://11111111", scope: "-", token: jwtOf(`{"aud":"22222222"}`), says: "audience 22222222"},
		"the bare id of an API elsewhere":        {audiences: "api://11111111", scope: "-", token: jwtOf(`{"aud":"11111111"}`), says: "audience 11111111"},
		"a name as long as a log line":           {scopes: "read", scope: strings.Repeat("a", 120), says: strings.Repeat("a", 120) + ", which"},
		"a name one longer":                      {scopes: "read", scope: strings.Repeat("a", 121), says: strings.Repeat("a", 120) + "..., which"},
		"a name that is longer than a log line":  {scopes: "read", scope: strings.Repeat("a", 1000), says: strings.Repeat("a", 120) + "..., which"},
		"a name with what no description may be": {scopes: "read", scope: "\u00e4\\\"", says: "scope ???"},
	} {
		t.Run(name, func(t *testing.T) {
			p := testPolicy(t, func(c *Config) {
				c.AuthURL = "https://idp.example"
				if tc.at != "" {
					c.AuthURL = tc.at
				}
				c.Clients = []ClientConfig{{
					ID: "app", RedirectURIs: []string{"https://app.example/cb"}, Scopes: strings.Fields(tc.scopes), Audiences: strings.Fields(tc.audiences),
					IdPClient: &IdPClientConfig{ID: "gateway", Secret: "s"},
				}, {ID: "trusted", RedirectURIs: []string{"https://trusted.example/cb"}}}
			}, tc.with)
			token := tc.token
			token = cmp.Or(token, opaqueToken)
			body := `{"access_token":"` + token + `","token_type":"Bearer"`
			switch {
			case tc.scope == "-":
			case tc.scope == "null" || strings.HasPrefix(tc.scope, "["):
				body += `,"scope":` + tc.scope
			default:
				body += `,"scope":` + string(jsonobject.AppendString(nil, tc.scope))
			}
			response := Response{Status: 200, Header: http.Header{}, Body: []byte(body + tc.more + "}")}
			answer := must.Have(p.checkTokenResponse(response, nil))(t)
			for _, clientID := range []string{"trusted", "somebody"} {
				require.NoError(t, (&tokenRequest{Auth: clients.Auth{Party: p.registry.Find(clientID)}}).takeGranted(p, &answer.Token), "a client without lists")
			}
			err := (&tokenRequest{Auth: clients.Auth{Party: p.registry.Find("app")}}).takeGranted(p, &answer.Token)
			if !requireError(t, err, tc.says) {
				return
			}
			requireWellFormed(t, err)
			require.Equal(t, http.StatusBadGateway, oauth.AsError(err).Status)
			require.NotContains(t, err.Error(), token, "no token is in an error")
			renewed := (&tokenRequest{Auth: clients.Auth{Party: p.registry.Find("app")}, tokenForm: tokenForm{Grant: grants.Refresh}}).takeGranted(p, &answer.Token)
			if tc.says == "can't be read" {
				require.Equal(t, "RFC 9068 section 2.2", oauth.AsError(err).Source)
			} else {
				require.Equal(t, "RFC 6749 section 3.3", oauth.AsError(err).Source)
				require.Equal(t, oauth.InvalidGrant, oauth.AsError(renewed).Code, "clients log in again, since the lists may have been made shorter")
				require.ErrorContains(t, renewed, tc.says)
				require.ErrorContains(t, renewed, "; log in again")
			}
		})
	}
}

const ledger = "https://ledger.example.com"

// exchanging has the first resource call another API for its users.
func exchanging(c *Config) {
	c.Resources[0].Exchange = &ExchangeConfig{Audience: ledger, Scopes: []string{"ledger.read", "ledger.write"}}
}

// jwtFor is what an IdP that issues JWTs gives for an audience.
func jwtFor(audience any) string {
	payload, err := json.Marshal(map[string]any{"aud": audience, "sub": "user-1"})
	if err != nil {
		panic(err)
	}
	return "eyJhbGciOiJFUzI1NiJ9." + base64.RawURLEncoding.EncodeToString(payload) + ".c2ln"
}

// exchanged is a response to a token exchange; with replaces members.
func exchanged(status int, token string, with ...any) func(url.Values) (*http.Response, error) {
	members := replacedClaims(map[string]any{
		"access_token": token, "issued_token_type": "urn:ietf:params:oauth:token-type:access_token", "token_type": "Bearer", "expires_in": 300,
	}, pairs(with))
	content, err := json.Marshal(members)
	if err != nil {
		panic(err)
	}
	return func(url.Values) (*http.Response, error) { return idpResponse(status, string(content)), nil }
}

// RFC 8693 section 2.1: the gateway asks as itself, for the audience, with the token of the login, and
// again at each refresh, with the token of that.
func TestATokenForWhatLiesBehind(t *testing.T) {
	a := newAgent(t, true, exchanging)
	a.exchange = exchanged(200, jwtFor([]string{ledger, "account"}))
	got := a.tokens()
	asked := a.sent[len(a.sent)-1]
	require.Equal(t, url.Values{
		"grant_type": {"urn:ietf:params:oauth:grant-type:token-exchange"}, "subject_token": {"idp-access"},
		"subject_token_type": {"urn:ietf:params:oauth:token-type:access_token"}, "requested_token_type": {"urn:ietf:params:oauth:token-type:access_token"},
		"audience": {ledger}, "scope": {"ledger.read ledger.write"},
	}, asked.form)
	id, secret, _ := asked.BasicAuth()
	require.Equal(t, [2]string{"gateway", "s3cret"}, [2]string{id, secret})
	token := a.opened(got.AccessToken)
	require.Equal(t, jwtFor([]string{ledger, "account"}), token.Upstream)
	require.EqualValues(t, 300, token.Expires.Sub(token.Issued).Seconds(), "no longer than the token inside")
	require.Equal(t, 300, got.ExpiresIn)

	a.token["access_token"] = "idp-access-2"
	a.exchange = exchanged(200, "opaque-2", "expires_in", 3600)
	renewed := a.answer(a.renew(got.RefreshToken))
	require.Equal(t, "idp-access-2", a.sent[len(a.sent)-1].form.Get("subject_token"))
	require.Equal(t, "opaque-2", a.opened(renewed.AccessToken).Upstream)
	require.Equal(t, 600, renewed.ExpiresIn, "nor than that of the login")

	a.parts.Replay, a.sent = replay.NewMemory(100, a.parts.Now), nil // the test's code is the same each time
	require.Empty(t, a.opened(a.tokens("resource", serverB, "scope", "read").AccessToken).Upstream)
	require.Len(t, a.sent, 1, "another resource has nothing behind it")
}

// Entra ID's on-behalf-of (https://learn.microsoft.com/entra/identity-platform/v2-oauth2-on-behalf-of-flow).
func TestOnBehalfOfAtEntra(t *testing.T) {
	for scopes, want := range map[string]string{"": ledger + "/.default", ledger + "/read": ledger + "/read"} {
		a := newAgent(t, true, exchanging, func(c *Config) {
			c.Resources[0].Exchange.Scopes = nil
			if scopes != "" {
				c.Resources[0].Exchange.Scopes = []string{scopes}
			}
			c.Endpoints = map[Endpoint]string{Token: "https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/oauth2/v2.0/token"}
		})
		a.exchange = exchanged(200, jwtFor("0a1b2c3d-an-app"), "issued_token_type", "")
		token := a.tokens().AccessToken
		require.Equal(t, url.Values{
			"grant_type": {"urn:ietf:params:oauth:grant-type:jwt-bearer"}, "assertion": {"idp-access"}, "requested_token_use": {"on_behalf_of"}, "scope": {want},
		}, a.sent[len(a.sent)-1].form)
		require.Equal(t, jwtFor("0a1b2c3d-an-app"), a.opened(token).Upstream, "its audience is the app's id")
	}
}

// What is not the token that was asked for reaches nobody. After a login the IdP is asked to revoke
// what it granted; a refresh can be tried again, with what the IdP gave last.
func TestExchangesThatFail(t *testing.T) {
	for name, tc := range map[string]struct {
		answer                func(url.Values) (*http.Response, error)
		login, refresh        oauth.Code
		says, saysNothingElse string
	}{
		"another audience":        {answer: exchanged(200, jwtFor([]string{"account"})), says: "another audience than " + ledger},
		"no bearer token":         {answer: exchanged(200, "x", "token_type", "N_A"), says: "no bearer access token"},
		"an ID token":             {answer: exchanged(200, "x", "issued_token_type", "urn:ietf:params:oauth:token-type:id_token"), says: "no bearer access token"},
		"no token":                {answer: exchanged(200, ""), says: "not the JSON of a token"},
		"no such audience":        {answer: exchanged(400, "", "error", "invalid_target"), says: "(invalid_target); the operator checks"},
		"AADSTS500131":            {answer: exchanged(400, "", "error", "invalid_grant", "error_description", "AADSTS500131: Assertion audience does not match"), says: "(invalid_grant); the operator checks", saysNothingElse: "AADSTS"},
		"the secret":              {answer: exchanged(401, "", "error", "invalid_client"), says: "the gateway's own credentials"},
		"the user is to be there": {answer: exchanged(400, "", "error", "interaction_required"), login: oauth.AccessDenied, refresh: oauth.InvalidGrant, says: "wants to see the user"},
		"busy":                    {answer: exchanged(503, ""), login: oauth.TemporarilyUnavailable, refresh: oauth.TemporarilyUnavailable, says: "busy"},
		"down":                    {answer: func(url.Values) (*http.Response, error) { return nil, errors.New("connection refused") }, says: ""},
	} {
		t.Run(name, func(t *testing.T) {
			or := func(code oauth.Code) oauth.Code {
				if code == "" {
					return oauth.ServerError
				}
				return code
			}
			a := newAgent(t, true, exchanging, rotating, func(c *Config) { c.Endpoints = map[Endpoint]string{Revoke: "/oauth/revoke"} })
			a.exchange = tc.answer
			failed := a.redeem(a.logIn())
			a.refuses(failed, or(tc.login), tc.says)
			if tc.saysNothingElse != "" {
				require.NotContains(t, string(failed.Body), tc.saysNothingElse)
			}
			require.Equal(t, []string{"idp-refresh"}, a.revoked())

			a.exchange = exchanged(200, "opaque")
			a.parts.Replay = replay.NewMemory(100, a.parts.Now)
			got := a.tokens()
			a.token["refresh_token"], a.exchange = "idp-refresh-2", tc.answer
			a.refuses(a.renew(got.RefreshToken), or(tc.refresh), tc.says)
			a.exchange = exchanged(200, "opaque-3")
			renewed := a.renew(got.RefreshToken)
			require.Equal(t, "opaque-3", a.opened(a.answer(renewed).AccessToken).Upstream)
			require.Equal(t, "idp-refresh-2", a.sent[len(a.sent)-2].form.Get("refresh_token"), "the IdP has replaced the one before")
		})
	}
}

func TestExchangesInConfigurations(t *testing.T) {
	requireMistakes(t, map[string]func(*Config){
		"exchange needs an audience":       func(c *Config) { c.Resources[0].Exchange.Audience = "" },
		"exchange: a b is not a scope":     func(c *Config) { c.Resources[0].Exchange.Scopes = []string{"a b"} },
		"exchange needs tokens gateway":    func(c *Config) { c.Resources[0].Tokens, c.Resources[0].Introspection = IdPTokens, nil },
		"client app: exchange of resource": func(c *Config) { c.Clients[0].IdPClient = nil },
	}, withOwnTokens, exchanging)
}

// elsewhere is a resource whose server knows the gateway's keys alone.
const elsewhere = "https://API.example.com/v1/"

func withJWTs(c *Config) {
	c.Parameters = ""
	c.Resources = []ResourceConfig{{
		URI: elsewhere, Tokens: JWTTokens, Scopes: []ScopeConfig{{Name: "read"}}, DefaultScopes: []string{"read"},
		Introspection: &IntrospectionConfig{ClientID: "server-a", ClientSecret: "hQ7vX2mK9pL4wN8rT5yB3zD6-server-a"},
	}}
}

// resourceServer checks tokens by what the gateway publishes.
func (p *provider) resourceServer(audience string) *accesstoken.Verifier {
	p.t.Helper()
	now := func() time.Time { return p.sealed.now }
	published := must.Have(p.signing.Public(signing.Algorithms(), now()))(p.t)
	path := filepath.Join(p.t.TempDir(), "keys.json")
	require.NoError(p.t, os.WriteFile(path, published, 0o600))
	keys := must.Have(jwks.InFile(path, now, nil))(p.t)
	return must.Have(accesstoken.New(accesstoken.Config{Issuer: gatewayURL, Audiences: []string{audience}, Keys: keys, Now: now}))(p.t)
}

// RFC 9068.
func TestAccessTokensForResourceServersElsewhere(t *testing.T) {
	p := newProvider(t, withJWTs, rotating)
	p.token["scope"] = "openid read"
	g, _ := p.tokens("scope", "openid read", "resource", elsewhere)
	signed := must.Have(jose.ParseSignedCompact(g.AccessToken, []jose.SignatureAlgorithm{jose.RS256}))(t)
	require.Equal(t, "at+jwt", signed.Signatures[0].Protected.ExtraHeaders["typ"])
	claims := decoded[map[string]any](t, signed.UnsafePayloadWithoutVerification())
	inside, _ := claims["gateway_token"].(string)
	delete(claims, "gateway_token")
	require.Len(t, claims["jti"], 22)
	delete(claims, "jti")
	require.Equal(t, map[string]any{
		"iss": gatewayURL, "sub": "user-1", "aud": elsewhere, "client_id": "app", "scope": "openid read",
		"iat": float64(p.sealed.now.Unix()), "exp": float64(p.sealed.now.Unix() + 600), "acr": "loa2", "amr": []any{"pwd", "otp"}, "auth_time": 1_799_999_000.0,
	}, claims, "the audience as it is written")
	token := must.Have(p.resourceServer(elsewhere).Verify(t.Context(), g.AccessToken))(t)
	require.Equal(t, []string{"user-1", "app"}, []string{token.Subject, token.ClientID})
	_, err := p.resourceServer("https://api.example.com").Verify(t.Context(), g.AccessToken)
	require.ErrorContains(t, err, "another resource server")
	_, err = p.resourceServer("app").Verify(t.Context(), g.IDToken)
	require.ErrorContains(t, err, "ID token", "also of a server that is called as the client is")

	sent := len(p.sent)
	info := p.do("GET", "/userinfo", "", "Authorization", "Bearer "+g.AccessToken)
	require.JSONEq(t, `{"sub":"user-1"}`, string(info.Body))
	for _, not := range []string{g.IDToken, seal.AccessTokenPrefix + inside, inside, g.AccessToken[:len(g.AccessToken)-4] + "AAAA"} {
		require.Equal(t, http.StatusUnauthorized, p.do("GET", "/userinfo", "", "Authorization", "Bearer "+not).Status, not)
	}
	for parameter, code := range map[string]oauth.Code{"id_token_hint": oauth.LoginRequired, "login_hint": oauth.InvalidRequest} {
		to := p.authorize(parameter, g.AccessToken, "resource", elsewhere, "scope", "openid read").Header.Get("Location")
		require.Contains(t, to, "https://app.example/cb?", parameter)
		require.Contains(t, to, "error="+string(code), parameter)
	}
	ask := func() string { return string(p.ask("server-a", g.AccessToken).Body) }
	require.Contains(t, ask(), `"active":true`)
	require.Len(t, p.sent, sent, "the IdP hears nothing of it")

	require.Equal(t, 200, p.do("POST", "/oauth/revoke", revocationForm("app", g.AccessToken)).Status)
	require.JSONEq(t, `{"active":false}`, ask(), "its login has ended")
	for _, of := range p.sent {
		require.NotContains(t, of.form.Encode()+of.Header.Get("Authorization"), g.AccessToken)
	}
	p.sealed.pass(time.Hour)
	require.Equal(t, http.StatusUnauthorized, p.do("GET", "/userinfo", "", "Authorization", "Bearer "+g.AccessToken).Status, "too old")
}

// Whoever has all that is published, and tokens of his own, makes none.
func TestAccessTokensThatTheGatewayHasNotSigned(t *testing.T) {
	p := newProvider(t, withJWTs)
	p.token["scope"] = "openid read"
	g, _ := p.tokens("scope", "openid read", "resource", elsewhere)
	server, now := p.resourceServer(elsewhere), p.sealed.now
	accepted := func(token string) []bool {
		_, err := server.Verify(t.Context(), token)
		return []bool{err == nil, p.do("GET", "/userinfo", "", "Authorization", "Bearer "+token).Status == 200}
	}
	require.Equal(t, []bool{true, true}, accepted(g.AccessToken))
	parts := strings.Split(g.AccessToken, ".")
	payload := must.Have(base64.RawURLEncoding.DecodeString(parts[1]))(t)
	header := func(h string) string { return base64.RawURLEncoding.EncodeToString([]byte(h)) }
	published := must.Have(p.signing.Public(signing.Algorithms(), now))(t)
	set := decoded[jose.JSONWebKeySet](t, published)
	kid := set.Keys[0].KeyID
	hmac := func(secret []byte) string {
		return signedBy(t, jose.HS256, jose.JSONWebKey{Key: secret, KeyID: kid}, "at+jwt", payload)
	}
	key := must.Have(json.Marshal(set.Keys[0]))(t)
	foreign := must.Have(signingKeysOf(t, otherKey).SignAccessToken(payload, now))(t)
	idToken := must.Have(p.signing.Sign(signing.RS256, payload, now))(t)
	for name, token := range map[string]string{
		"an ID token":                          g.IDToken,
		"HMAC with the published key":          hmac(key),
		"HMAC with all that is published":      hmac(published),
		"alg none":                             header(`{"alg":"none","typ":"at+jwt"}`) + "." + parts[1] + ".",
		"the signature of another header":      header(`{"alg":"PS256","kid":"`+kid+`.ps256","typ":"at+jwt"}`) + "." + parts[1] + "." + parts[2],
		"other claims":                         parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(string(payload), "user-1", "user-2", 1))) + "." + parts[2],
		"another gateway of the same name":     foreign,
		"its own JWK in the header":            header(`{"alg":"RS256","typ":"at+jwt","jwk":`+string(key)+`}`) + "." + parts[1] + "." + parts[2],
		"what only the gateway can read of it": seal.AccessTokenPrefix + decoded[map[string]any](t, payload)[gatewaytoken.InsideClaim].(string),
	} {
		require.Equal(t, []bool{false, false}, accepted(token), name)
	}
	require.False(t, accepted(idToken)[1], "the typ of an ID token")
	require.False(t, func() bool {
		_, err := p.signing.VerifyAccessToken(idToken, now)
		return err == nil
	}())
}

// Another gateway's is good at its resource servers, whoever sends it.
func TestTheIdPGetsNoJWTOfAnotherGateway(t *testing.T) {
	p := newProvider(t, withJWTs)
	p.token["scope"] = "openid read"
	g, _ := p.tokens("scope", "openid read", "resource", elsewhere)
	payload := must.Have(base64.RawURLEncoding.DecodeString(strings.Split(g.AccessToken, ".")[1]))(t)
	var tokens []string
	for _, issuer := range []string{`"iss":"https://other.example.com"`, `"iss":7`, `"iss":"","iss":""`, `"no":""`} {
		forged := strings.Replace(string(payload), `"iss":"`+gatewayURL+`"`, issuer, 1)
		foreign := must.Have(signingKeysOf(t, otherKey).SignAccessToken([]byte(forged), p.sealed.now))(t)
		tokens = append(tokens, foreign)
	}
	for name, a := range map[string]*served{
		"an issuer":        p.served,
		"one that is none": newAgent(t, true).served,
		"one without callback": newAgent(t, true, func(c *Config) {
			c.Callback, c.Resources, c.PublicURL = nil, nil, ""
			c.Endpoints = map[Endpoint]string{Revoke: "/revoke"}
		}).served,
	} {
		for _, foreign := range tokens {
			before := len(a.sent)
			require.Equal(t, http.StatusUnauthorized, a.do("GET", "/userinfo", "", "Authorization", "Bearer "+foreign).Status, name)
			require.Equal(t, http.StatusOK, a.do("POST", "/oauth/revoke", revocationForm("app", foreign)).Status, name)
			require.Len(t, a.sent, before, name)
		}
	}
}

func TestMistakesInTokensThatAreJWTs(t *testing.T) {
	requireMistakes(t, map[string]func(*Config){
		"tokens jwt can't have upstream_token or exchange": func(c *Config) { c.Resources[0].UpstreamToken = true },
		"tokens jwt needs the gateway to be the issuer":    func(c *Config) { c.IDTokens, c.Clients[1].IDTokenAlgorithm = IdPIDTokens, "" },
		"can't be the id of a client":                      func(c *Config) { c.Clients[0].ID = elsewhere },
		"tokens opaque is unknown":                         func(c *Config) { c.Resources[0].Tokens = "opaque" },
	}, issuing, withJWTs)
}
