package idp

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

// engineers lets in who is in a group, or has an address of the company.
func engineers(c *Config) {
	c.Users = []users.Rule{
		{Claims: []users.Claim{{Path: "groups", Values: []string{"engineering"}}}},
		{Domains: []string{"example.com"}},
	}
	c.Endpoints = map[Endpoint]string{Revoke: "/oauth/revoke"}
}

// passedThrough are resources whose tokens are the IdP's: no way round the rules.
func passedThrough(c *Config) {
	for i := range c.Resources {
		c.Resources[i].Tokens, c.Resources[i].Introspection = IdPTokens, nil
	}
}

// withoutResources is a gateway for apps.
func withoutResources(c *Config) { c.Resources, c.Parameters = nil, OAuthParameters }

// revoked are the tokens that the IdP was asked to revoke.
func (a *agent) revoked() (tokens []string) {
	for _, sent := range a.sent {
		if sent.URL.Path == "/oauth/revoke" {
			tokens = append(tokens, sent.form.Get("token"))
		}
	}
	return tokens
}

// enters is a fresh login of a user with these claims.
func (a *agent) enters(claims map[string]any) *Result {
	a.t.Helper()
	a.parts.Replay, a.sent = replay.NewMemory(100, a.parts.Now), nil // the test's code is the same each time
	a.claims = claims
	return a.redeem(a.logIn("scope", "read"))
}

// given are the tokens of a response, whosever they are.
func (s *served) given(result *Result) granted {
	s.t.Helper()
	require.Equal(s.t, 200, result.Status, string(result.Body))
	g := decoded[granted](s.t, result.Body)
	require.NotEmpty(s.t, g.AccessToken)
	require.NotNil(s.t, result.Issued)
	return g
}

func TestUsersWhoMayNotComeInGetNothing(t *testing.T) {
	for name, with := range map[string][]func(*Config){
		"the gateway's own tokens": {engineers}, "tokens idp": {engineers, passedThrough}, "apps, without resources": {engineers, withoutResources},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, true, with...)
			if name == "apps, without resources" {
				a.token["scope"] = "read openid"
			}
			for _, in := range []map[string]any{
				{"groups": []string{"staff", "engineering"}}, {"email": "ada@example.com", "email_verified": true}, {"email": "ada@EXAMPLE.com", "email_verified": "true"},
			} {
				g := a.given(a.enters(in))
				require.Empty(t, a.revoked())
				a.claims = in
				a.given(a.renew(g.RefreshToken))
			}
			for _, out := range []map[string]any{
				{},
				{"groups": []string{"staff"}},
				{"groups": "x,engineering"},
				{"email": "ada@example.com"},
				{"email": "ada@example.com", "email_verified": false},
				{"email": "eve@evil.example@example.com", "email_verified": true},
				{"_claim_names": map[string]any{"groups": "src1"}},
			} {
				a.info = `{"sub":"user-1"}`
				result := a.enters(out)
				a.refuses(result, oauth.AccessDenied, "this user may not come in")
				require.Equal(t, 400, result.Status)
				require.Nil(t, result.Issued)
				require.Equal(t, []string{"idp-refresh"}, a.revoked(), "what the IdP has granted is taken back")
				require.Equal(t, string(oauth.AccessDenied), result.Decision.Outcome)
			}
		})
	}
}

// A group is lost between two refreshes: the next one is refused, whether the IdP sends an ID token
// with it or has to be asked. The client drops its tokens, and its next login ends with an error on
// which it stops.
func TestAUserWhoMayNotComeInAnyMore(t *testing.T) {
	for name, tt := range map[string]struct {
		claims map[string]any // of the ID token at the refresh; nil: none
		info   string
		in     bool
	}{
		"an ID token with the group":    {claims: map[string]any{"groups": []string{"engineering"}}, in: true},
		"an ID token without the group": {claims: map[string]any{"groups": []string{"staff"}}, info: `{"sub":"user-1"}`},
		"no ID token, user info has it": {info: `{"sub":"user-1","groups":["engineering"]}`, in: true},
		"no ID token, and it is gone":   {info: `{"sub":"user-1","groups":["staff"]}`},
		"no ID token, and no groups":    {info: `{"sub":"user-1"}`},
		"the address of the other rule": {info: `{"sub":"user-1","email":"ada@example.com","email_verified":true}`, in: true},
	} {
		for _, passes := range []bool{false, true} {
			a := newAgent(t, true, engineers, func(c *Config) {
				if passes {
					passedThrough(c)
				}
			})
			g := a.given(a.enters(map[string]any{"groups": []string{"engineering"}}))
			a.claims, a.info, a.sent = tt.claims, tt.info, nil
			result := a.renew(g.RefreshToken)
			if tt.in {
				a.given(result)
				require.Empty(t, a.revoked(), name)
				continue
			}
			a.refuses(result, oauth.InvalidGrant, "this user may not come in")
			require.Equal(t, []string{"idp-refresh"}, a.revoked(), name)
			a.refuses(a.enters(map[string]any{"groups": []string{"staff"}}), oauth.AccessDenied, "this user may not come in")
		}
	}
}

// What decides has to be known: while the IdP does not say, nobody comes in, and nobody is out.
func TestASourceThatIsDown(t *testing.T) {
	a := newAgent(t, true, engineers)
	for status, want := range map[int]int{500: 503, 502: 503, 503: 503, 504: 503, 429: 503, 0: 503, 401: 502, 404: 502} {
		a.infoStatus = status
		result := a.enters(map[string]any{"groups": []string{"staff"}}) // the address is not known
		require.Equal(t, want, result.Status, "%d: %s", status, result.Body)
		require.Nil(t, result.Issued)
		require.Empty(t, a.revoked())
	}
	a.infoStatus = 503

	g := a.answer(a.enters(map[string]any{"groups": []string{"engineering"}}))
	a.claims = nil
	result := a.renew(g.RefreshToken)
	require.Equal(t, 503, result.Status, "no invalid_grant, on which clients drop a login: "+string(result.Body))
	require.Empty(t, a.revoked())
	a.infoStatus, a.info = 200, `{"sub":"user-1","groups":["engineering"]}`
	require.NotEmpty(t, a.answer(a.renew(g.RefreshToken)).AccessToken)

	a.info = `{"sub":"user-2","groups":["engineering"]}`
	require.Equal(t, 502, a.enters(map[string]any{}).Status, "user info is about another user (OpenID Connect Core 1.0 section 5.3.2)")
	a.claims = nil
	a.refuses(a.renew(g.RefreshToken), oauth.InvalidGrant, "another user")
}

// The address is asked for where the gateway is the only one that sees what was granted.
func TestTheScopeOfAddresses(t *testing.T) {
	for name, tt := range map[string]struct {
		with []func(*Config)
		want string
	}{
		"own tokens":         {[]func(*Config){engineers}, "read openid email"},
		"tokens of the IdP":  {[]func(*Config){engineers, passedThrough}, "read openid"},
		"no rule":            {nil, "read openid"},
		"a rule on groups":   {[]func(*Config){func(c *Config) { engineers(c); c.Users = c.Users[:1] }}, "read openid"},
		"claims of a person": {[]func(*Config){func(c *Config) { c.TokenClaims = []users.GivenClaim{{Path: "name"}, {Path: "email"}} }}, "read openid profile email"},
	} {
		a := newAgent(t, true, tt.with...)
		at := must.Have(url.Parse(a.do("GET", "/authorize?"+pushForm(), "").Header.Get("Location")))(t)
		require.Equal(t, tt.want, at.Query().Get("scope"), name)
	}
}

// Servers learn who the user is, in the IdP's words, and nothing else of what the IdP says.
func TestClaimsInTheGatewaysOwnTokens(t *testing.T) {
	a := newAgent(t, true, func(c *Config) {
		c.TokenClaims = []users.GivenClaim{{Path: "email"}, {Path: "name"}, {Path: "groups", Values: []string{"engineering", "platform"}}, {Path: "realm_access.roles", Values: []string{"ops"}}, {Path: "plan", Values: []string{"gold"}}}
	})
	a.info = `{"sub":"user-1"}`
	claimsOf := func(g granted) map[string]any {
		claims := decoded[map[string]any](t, a.opened(g.AccessToken).Claims())
		for _, name := range []string{"iss", "sub", "aud", "client_id", "scope", "jti", "iat", "exp"} {
			require.Contains(t, claims, name)
			delete(claims, name)
		}
		return claims
	}
	said := map[string]any{
		"email": "ada@example.com", "email_verified": true, "name": "Ada", "groups": []string{"engineering", "board", "a,platform"}, "realm_access": map[string]any{"roles": []string{"ops", "dev"}},
		"plan": "iron", "phone_number": "+1", "picture": "https://x", "scope": "admin", "cnf": map[string]any{"jkt": "x"}, "client_id": "other",
	}
	g := a.answer(a.enters(said))
	require.Equal(t, map[string]any{"email": "ada@example.com", "email_verified": true, "name": "Ada", "groups": []any{"engineering"}, "realm_access.roles": []any{"ops"}}, claimsOf(g))

	said["email_verified"], said["groups"], said["plan"], said["name"] = false, []string{"board"}, "gold", strings.Repeat("x", 600)
	require.Equal(t, map[string]any{"realm_access.roles": []any{"ops"}, "plan": "gold"}, claimsOf(a.answer(a.enters(said))), "no address that is not verified, nothing without bounds")

	a.claims, a.info = nil, `{"sub":"user-1","name":"Ada L.","groups":["platform"]}`
	require.Equal(t, map[string]any{"name": "Ada L.", "groups": []any{"platform"}}, claimsOf(a.answer(a.renew(g.RefreshToken))), "each refresh asks again")

	a.info = `{"sub":"user-1"}`
	g = a.answer(a.enters(map[string]any{"name": "Ada"}))
	require.Equal(t, "Ada", decoded[map[string]any](t, a.ask("server-a", g.AccessToken).Body)["name"])
}

// GitHub is no OpenID Provider: addresses, organizations and teams are parts of its API.
func TestUsersOfGitHub(t *testing.T) {
	for name, tt := range map[string]struct {
		rule users.Rule
		api  map[string]string
		in   bool
	}{
		"an organization":           {rule: users.Rule{Claims: []users.Claim{{Path: "orgs", Values: []string{"example"}}}}, api: map[string]string{"/user/orgs": `[{"login":"other"},{"login":"example"}]`}, in: true},
		"another organization":      {rule: users.Rule{Claims: []users.Claim{{Path: "orgs", Values: []string{"example"}}}}, api: map[string]string{"/user/orgs": `[{"login":"other"}]`}},
		"no scope for them":         {rule: users.Rule{Claims: []users.Claim{{Path: "orgs", Values: []string{"example"}}}}},
		"one on the third page":     {rule: users.Rule{Claims: []users.Claim{{Path: "orgs", Values: []string{"example"}}}}, api: map[string]string{"/user/orgs": `[{"login":"a"}]`, "/user/orgs 2": `[{"login":"b"}]`, "/user/orgs 3": `[{"login":"example"}]`}, in: true},
		"one beyond the tenth page": {rule: users.Rule{Claims: []users.Claim{{Path: "orgs", Values: []string{"example"}}}}, api: map[string]string{"/user/orgs": `[{"login":"a"}]`, "/user/orgs 2": endless, "/user/orgs 11": `[{"login":"example"}]`}},
		"an organization by itself": {rule: users.Rule{Claims: []users.Claim{{Path: "orgs", Values: []string{"example"}}}}, api: map[string]string{"/user": `{"id":7,"orgs":["example"]}`, "/user/orgs": `[]`}},
		"a team":                    {rule: users.Rule{Claims: []users.Claim{{Path: "teams", Values: []string{"example/platform"}}}}, api: map[string]string{"/user/teams": `[{"slug":"platform","organization":{"login":"example"}}]`}, in: true},
		"a team of that name":       {rule: users.Rule{Claims: []users.Claim{{Path: "teams", Values: []string{"example/platform"}}}}, api: map[string]string{"/user/teams": `[{"slug":"platform","organization":{"login":"evil"}}]`}},
		"the verified address":      {rule: users.Rule{Domains: []string{"example.com"}}, api: map[string]string{"/user/emails": `[{"email":"x@evil.example","primary":false,"verified":true},{"email":"ada@example.com","primary":true,"verified":true}]`}, in: true},
		"one that is not verified":  {rule: users.Rule{Domains: []string{"example.com"}}, api: map[string]string{"/user/emails": `[{"email":"ada@example.com","primary":true,"verified":false}]`}},
		"one of the profile":        {rule: users.Rule{Domains: []string{"example.com"}}, api: map[string]string{"/user": `{"id":7,"email":"ada@example.com","email_verified":true}`, "/user/emails": `[{"email":"x@evil.example","primary":true,"verified":true}]`}},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, false, func(c *Config) {
				c.AuthURL, c.Users = "https://github.com/login/oauth", []users.Rule{tt.rule}
				c.Endpoints = map[Endpoint]string{Authorize: "/authorize", Token: "/access_token", UserInfo: "https://api.github.com/user", Logout: "/logout"}
			})
			a.respond(func(r *http.Request) (*http.Response, error) {
				at := strings.TrimSuffix(r.URL.Path+" "+r.URL.Query().Get("page"), " 1")
				if body, ok := tt.api[strings.TrimSpace(at)]; ok || tt.api[r.URL.Path+" 2"] == endless && r.URL.Query().Has("page") {
					require.Equal(t, "Bearer idp-access", r.Header.Get("Authorization"))
					response := idpResponse(200, cmp.Or(body, "[]"))
					if next, _ := strconv.Atoi(r.URL.Query().Get("page")); tt.api[r.URL.Path+" "+strconv.Itoa(next+1)] != "" || body == "" {
						response.Header.Set("Link", `<https://evil.example/>; rel="next", <https://api.github.com/>; rel="last"`)
					}
					return response, nil
				}
				switch {
				case r.URL.Path == "/user":
					return idpResponse(200, `{"id":7}`), nil
				case r.Host == "api.github.com" || r.URL.Host == "api.github.com":
					return idpResponse(403, `{"message":"needs read:org"}`), nil
				}
				return idpResponse(200, `{"access_token":"idp-access","token_type":"bearer","scope":"read"}`), nil
			})
			result := a.redeem(a.logIn("scope", "read"))
			if tt.in {
				require.NotEmpty(t, a.answer(result).AccessToken)
			} else {
				a.refuses(result, oauth.AccessDenied, "this user may not come in")
			}
		})
	}
}

// endless are pages without an end.
const endless = " [] "

// Who asks too much of GitHub, or of a GitHub that fails, is not taken for somebody in no team.
func TestGitHubThatDoesNotSay(t *testing.T) {
	for name, tt := range map[string]struct {
		status int
		header http.Header
		want   int
	}{
		"no scope":              {403, nil, 400},
		"the rate limit":        {403, http.Header{"X-Ratelimit-Remaining": {"0"}}, 503},
		"the second rate limit": {403, http.Header{"Retry-After": {"60"}}, 503},
		"too many requests":     {429, nil, 503},
		"a failure":             {500, nil, 503},
		"a bad token":           {401, nil, 502},
	} {
		a := newAgent(t, false, func(c *Config) {
			c.AuthURL, c.Users = "https://github.com/login/oauth", []users.Rule{{Claims: []users.Claim{{Path: "teams", Values: []string{"example/platform"}}}}}
			c.Endpoints = map[Endpoint]string{Authorize: "/authorize", Token: "/access_token", UserInfo: "https://api.github.com/user", Logout: "/logout"}
		})
		a.respond(func(r *http.Request) (*http.Response, error) {
			switch r.URL.Path {
			case "/user":
				return idpResponse(200, `{"id":7}`), nil
			case "/user/teams":
				response := idpResponse(tt.status, `{"message":"no"}`)
				for name, values := range tt.header {
					response.Header[name] = values
				}
				return response, nil
			}
			return idpResponse(200, `{"access_token":"idp-access","token_type":"bearer","scope":"read"}`), nil
		})
		result := a.redeem(a.logIn("scope", "read"))
		require.Equal(t, tt.want, result.Status, "%s: %s", name, result.Body)
		require.Equal(t, tt.header.Get("Retry-After") == "60", result.Header.Get("Retry-After") == "60", name)
	}
}

// A vendor whose accounts anybody can have needs a rule.
func TestWhereAnybodyComesIn(t *testing.T) {
	for address, anybody := range map[string]bool{"https://accounts.google.com": true, "https://idp.example": false} {
		at := func(c *Config) { c.AuthURL, c.Discover = address, true }
		require.Equal(t, anybody, newSealedGateway(t, at).LetsInAnybody() != nil, address)
		require.Nil(t, newSealedGateway(t, at, func(c *Config) { c.Users = []users.Rule{{Domains: []string{"example.com"}}} }).LetsInAnybody())
	}
}

func TestMistakesInUsers(t *testing.T) {
	requireMistakes(t, map[string]func(*Config){
		"users needs callback":          func(c *Config) { c.Users = []users.Rule{{Domains: []string{"example.com"}}}; c.Callback = nil },
		"users: a block needs":          func(c *Config) { c.Users = []users.Rule{{}} },
		"token_claims needs a resource": func(c *Config) { c.TokenClaims = []users.GivenClaim{{Path: "email"}} },
		"users: at Entra ID no address": func(c *Config) {
			c.Issuer = "https://login.microsoftonline.com/0a1b/v2.0"
			c.Users = []users.Rule{{Domains: []string{"example.com"}}}
		},
		"users: domain @example.com is":  func(c *Config) { c.Users = []users.Rule{{Domains: []string{"@example.com"}}} },
		"users: email example.com is no": func(c *Config) { c.Users = []users.Rule{{Emails: []string{"example.com"}}} },
	})
}

// Whatever the IdP says of a user, in an ID token that it has signed and in user info, he comes in by a rule that
// holds, and is who both say. The IdP lets users write much of it themselves.
func FuzzClaimsOfAUser(f *testing.F) {
	const who = `"iss":"https://idp.example","sub":"user-1","aud":"gateway","exp":9e9,"nonce":"NONCE"`
	for _, seed := range [][2]string{
		{`{` + who + `,"groups":["engineering"],"email":"ada@example.com","email_verified":true,"name":"Ada"}`, `{"sub":"user-1"}`},
		{`{` + who + `}`, `{"sub":"user-1","email":"ada@EXAMPLE.com","email_verified":"true"}`},
		{`{` + who + `}`, `{"sub":"user-2","groups":"engineering"}`},
		{`{` + who + `,"email_verified":1,"email":"ada@example.com"}`, `{"sub":"user-1","email_verified":[true],"email":["ada@example.com"]}`},
		{`{` + who + `,"groups":"x,engineering"}`, `{"sub":"user-1","groups":[["engineering"],{"a":"engineering"},7,null]}`},
		{`{` + who + `,"groups":{"engineering":{}}}`, `{"sub":"user-1","groups":["engineering"],"groups":[]}`},
		{`{` + who + `,"aud":{"a":"gateway"}}`, `{"sub":{"a":"user-1"},"id":7}`},
		{`{` + who + `,"sub":["user-1"],"exp":1e999}`, `{"id":1e2}`},
		{`{` + who + `,"address":` + strings.Repeat("[", 4000) + strings.Repeat("]", 4000) + `}`, `{"sub":"user-1","name":` + strings.Repeat(`{"a":`, 4000) + "1" + strings.Repeat("}", 4001)},
		{`{` + who + `,"auth_time":"x","acr":["a"],"amr":"pwd","sid":7,"plan":1e400,"picture":null,"locale":{"a":1}}`, `{"sub":"user-1","email":"eve@evil.example@example.com","email_verified":true}`},
		{`{` + who + `,"email":"ada@example.com"}`, `{"sub":"user-1","email_verified":true}`},
		{`[]`, `7`},
		{"{" + who + ",\"name\":\"\xff\"}", "{\"sub\":\"user-1\",\"e\u006dail\":\"\u0000@example.com\",\"email_verified\":true}"},
	} {
		f.Add(seed[0], seed[1])
	}
	for _, name := range strings.Fields("iss sub aud azp exp iat nonce email email_verified groups name plan auth_time acr amr sid at_hash id updated_at") {
		for _, value := range []string{
			`null`, `true`, `0`, `-1`, `1e400`, `9007199254740993`, `""`, `" "`, `"x"`, `"engineering"`, `"true"`, `[]`, `{}`, `[null]`, `["engineering",1]`, `[["engineering"]]`, `[{"engineering":true}]`,
			`{"engineering":["engineering"]}`, strings.Repeat(`[`, 3000) + strings.Repeat(`]`, 3000), strings.Repeat(`{"":`, 3000) + `1` + strings.Repeat(`}`, 3000), `"\ud800"`, `"` + strings.Repeat("x", 5000) + `"`,
		} {
			claims := map[string]string{"iss": `"https://idp.example"`, "sub": `"user-1"`, "aud": `"gateway"`, "exp": `9e9`, "nonce": `"NONCE"`, "groups": `["engineering"]`}
			claims[name] = value
			members := ""
			for _, name := range slices.Sorted(maps.Keys(claims)) {
				members += `,"` + name + `":` + claims[name]
			}
			f.Add(`{`+members[1:]+`}`, `{"x":1,`+members[1:]+`}`)
		}
		f.Add(`{`+who+`,"`+name+`":"engineering","`+name+`":"engineering"}`, `{"sub":"user-1"}`)
	}
	given := []users.GivenClaim{{Path: "email"}, {Path: "name"}, {Path: "plan"}, {Path: "groups", Values: []string{"engineering"}}}
	p := newProvider(f, engineers, func(c *Config) {
		c.Parameters, c.TokenClaims = "", given
		c.Resources = []ResourceConfig{{URI: serverA, Scopes: []ScopeConfig{{Name: "read"}}, DefaultScopes: []string{"read"}}}
	})
	var payload, info string
	p.respond(func(r *http.Request) (*http.Response, error) {
		if r.URL.Path != "/token" {
			return idpResponse(200, info), nil
		}
		idToken := signedBy(p.t, jose.ES256, p.keys.Private, "", []byte(strings.ReplaceAll(payload, "NONCE", p.nonce)))
		return idpResponse(200, `{"access_token":"idp-access","token_type":"Bearer","scope":"openid read","id_token":"`+idToken+`"}`), nil
	})
	f.Fuzz(func(t *testing.T, idToken, userInfo string) {
		payload, info = idToken, userInfo
		p.t, p.sent, p.parts.Replay = t, nil, replay.NewMemory(100, p.parts.Now)
		result := p.redeem(p.logIn("scope", "openid read", "resource", serverA))
		if result.Status != http.StatusOK {
			require.Contains(t, []int{400, 502, 503}, result.Status, string(result.Body))
			return
		}
		g, claims := p.granted(result)
		said, more := saysOf(idToken), saysOf(userInfo)
		require.True(t, mayComeIn(said) || mayComeIn(more), "nobody of the rules comes in")
		require.Equal(t, said["sub"], claims["sub"])
		require.Equal(t, []any{"app", gatewayURL, "client-nonce"}, []any{claims["aud"], claims["iss"], claims["nonce"]})
		inside := saysOf(string(p.opened(g.AccessToken).Claims()))
		require.Equal(t, []any{said["sub"], gatewayURL, serverA}, []any{inside["sub"], inside["iss"], inside["aud"]})
		for _, of := range []map[string]any{claims, inside} {
			for name, value := range of {
				require.Contains(t, "iss sub aud client_id scope jti iat exp nonce at_hash auth_time acr amr sid email_verified plan groups "+strings.Join(profile, " "), name)
				switch value.(type) {
				case map[string]any:
					t.Fatalf("%s is an object", name)
				}
			}
		}
	})
}

// saysOf is a JSON object by another parser.
func saysOf(object string) (members map[string]any) {
	_ = json.Unmarshal([]byte(object), &members)
	return members
}

// mayComeIn is what the rules of engineers say, written down once more.
func mayComeIn(claims map[string]any) bool {
	address, _ := claims["email"].(string)
	if claims["email_verified"] == true || claims["email_verified"] == "true" {
		if name, domain, _ := strings.Cut(address, "@"); name != "" && strings.EqualFold(domain, "example.com") {
			return true
		}
	}
	list, isList := claims["groups"].([]any)
	for _, member := range list {
		if _, isText := member.(string); !isText {
			return false
		}
	}
	return claims["groups"] == any("engineering") && !isList || slices.Contains(list, any("engineering"))
}

// User info takes bearer tokens alone, and only as long as their login is.
func TestUserInfoOfTokensThatAreNoGoodThere(t *testing.T) {
	p := newProvider(t, withOwnTokens, rotating)
	for says, change := range map[string]func(*gatewaytoken.Token){
		"":                                    func(*gatewaytoken.Token) {},
		"bound to a key, and user info takes": func(token *gatewaytoken.Token) { token.Key[0] = 1 },
		"bound to a TLS certificate":          func(token *gatewaytoken.Token) { token.Certificate[0] = 1 },
		"the login of this access token has": func(token *gatewaytoken.Token) {
			token.Subject = "user-2"
			require.NoError(t, p.End(t.Context(), rotation.OfUser, "user-2"))
		},
	} {
		now := p.sealed.now
		token := gatewaytoken.Token{Issuer: gatewayURL, Resource: serverA, Subject: "user-1", ClientID: "app", Scope: "openid", Issued: now, Expires: now.Add(time.Hour)}
		change(&token)
		result := p.do("GET", "/userinfo", "", "Authorization", "Bearer "+token.Seal(p.sealed.s.Keys))
		require.Equal(t, says == "", result.Status == 200, string(result.Body))
		require.Contains(t, string(result.Body), says)
	}
}

// OpenID Connect Core 1.0 section 5.3.1: GET or POST, the token in the header. What a form says goes no further.
func TestUserInfoByPOST(t *testing.T) {
	for name, tt := range map[string]struct {
		form   string
		header []string
		status int
	}{
		"no body":             {"", []string{"Authorization", "Bearer at"}, 200},
		"a form":              {"schema=openid", []string{"Authorization", "Bearer at"}, 200},
		"a token in the form": {"access_token=at", nil, 400},
		"two tokens":          {"access_token=at", []string{"Authorization", "Bearer at"}, 400},
		"no token":            {"", nil, 401},
		"JSON":                {"{}", []string{"Authorization", "Bearer at", "Content-Type", "application/json"}, 400},
	} {
		t.Run(name, func(t *testing.T) {
			a := newServed(t)
			result := a.do("POST", "/userinfo", tt.form, tt.header...)
			require.Equal(t, tt.status, result.Status)
			if tt.status != 200 {
				require.Contains(t, result.Header.Get("WWW-Authenticate"), "Bearer")
				return
			}
			sent := a.sent[len(a.sent)-1]
			require.Equal(t, "GET", sent.Method)
			require.Zero(t, sent.ContentLength)
		})
	}
}

// OpenID Connect Core 1.0 section 5.3.2: an IdP may sign its user info. Clients get the JSON in it.
func TestUserInfoThatIsSigned(t *testing.T) {
	claims := func(with map[string]any) map[string]any {
		c := map[string]any{"iss": "https://idp.example", "aud": "gateway", "sub": "user-1", "groups": []string{"engineering"}}
		maps.Copy(c, with)
		return c
	}
	header := map[string]any{"typ": "JWT", "jwk": nil}
	for name, test := range map[string]struct {
		sign     func(p *provider) string
		anybodys bool // user info, of whichever client
		says     string
	}{
		"good":              {func(p *provider) string { return p.keys.Sign(claims(nil), header) + "\n" }, true, ""},
		"of another client": {func(p *provider) string { return p.keys.Sign(claims(map[string]any{"aud": "other"}), header) }, true, "another client"},
		"of another issuer": {func(p *provider) string {
			return p.keys.Sign(claims(map[string]any{"iss": "https://evil.example"}), header)
		}, false, "another issuer"},
		"of another user":    {func(p *provider) string { return p.keys.Sign(claims(map[string]any{"sub": "user-2"}), header) }, true, "another user"},
		"by a key of nobody": {func(*provider) string { return dpoptest.NewKey().Sign(claims(nil), header) }, false, "not signed with a key"},
		"not signed":         {func(*provider) string { return unsigned(claims(nil)) }, false, "encrypted, or signed by no key"},
		"encrypted":          {func(*provider) string { return "eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d" }, false, "encrypted, or signed by no key"},
		"JSON in its name":   {func(*provider) string { return `{"sub":"user-1","groups":["engineering"]}` }, false, "encrypted, or signed by no key"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProvider(t, engineers)
			toTokens := p.idp
			p.respond(func(r *http.Request) (*http.Response, error) {
				if r.URL.Path != "/userinfo" {
					return toTokens(r)
				}
				response := idpResponse(200, test.sign(p))
				response.Header.Set("Content-Type", "application/jwt; charset=utf-8")
				response.Header.Set("Content-Length", "9999")
				return response, nil
			})
			p.claims = map[string]any{"email": nil, "groups": nil}
			result := p.redeem(p.logIn())
			require.Equal(t, test.says == "", result.Status == 200, string(result.Body))
			require.Contains(t, string(result.Body), test.says)

			passed := p.do("GET", "/userinfo", "", "Authorization", "Bearer idp-access")
			if !test.anybodys {
				require.Equal(t, 502, passed.Status, string(passed.Body))
				return
			}
			require.Equal(t, 200, passed.Status, string(passed.Body))
			require.Equal(t, "application/json", passed.Header.Get("Content-Type"))
			require.Equal(t, strconv.Itoa(len(passed.Body)), passed.Header.Get("Content-Length"))
			require.Contains(t, string(passed.Body), `"groups":["engineering"]`)
		})
	}
}
