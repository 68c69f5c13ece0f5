package idp

import (
	"crypto/rand"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// signingHere has the clients sign their requests with their keys.
func signingHere(mode oauth.Mode, keys map[string]*keySet) func(*Config) {
	return func(c *Config) {
		withKey(keys)(c)
		for i := range c.Clients {
			c.Clients[i].JAR = mode
		}
	}
}

// newSigner is an agent whose clients sign.
func newSigner(t testing.TB, mode oauth.Mode, with ...func(*Config)) (*agent, map[string]*keySet) {
	keys := make(map[string]*keySet)
	return newAgent(t, true, append([]func(*Config){signingHere(mode, keys)}, with...)...), keys
}

// object is a request object of the client app; with replaces claims, nil removes one.
func (a *agent) object(key *dpoptest.Key, with ...any) string {
	now := a.sealed.now
	claims := map[string]any{
		"iss": "app", "aud": gatewayURL, "jti": rand.Text(), "exp": now.Add(time.Minute).Unix(), "nbf": now.Unix(), "iat": now.Unix(),
		"response_type": "code", "client_id": "app", "redirect_uri": "https://app.example/cb", "state": "s", "scope": "read",
		"code_challenge": pkce.Verifier(testVerifier).S256(), "code_challenge_method": "S256", "resource": serverA,
	}
	header := map[string]any{"typ": "oauth-authz-req+jwt", "jwk": nil, "kid": "k1"}
	for i := 0; i < len(with); i += 2 {
		switch name := with[i].(string); {
		case name == "typ" || name == "crit":
			header[name] = with[i+1]
		case with[i+1] == nil:
			delete(claims, name)
		default:
			claims[name] = with[i+1]
		}
	}
	return key.Sign(claims, header)
}

func signedQuery(object string, with ...string) string {
	return "/authorize?" + replaced(url.Values{"client_id": {"app"}, "request": {object}}, with)
}

// An attacker alters what passes through the browser, or makes a request in the client's name.
// Unsigned, that gets him what he wants; signed, neither does.
func TestSignedRequests(t *testing.T) {
	open := newAgent(t, true)
	require.Contains(t, open.do("GET", "/authorize?"+pushForm("scope", "read write", "state", "other"), "").Header.Get("Location"), "write")

	a, keys := newSigner(t, oauth.Required)
	object := a.object(keys["app"].Key, "login_hint", "ada@example.com", "max_age", 300)
	begun := a.do("GET", signedQuery(object, "scope", "read write", "redirect_uri", "https://evil.example/cb", "state", "other", "prompt", "none", "response_type", "token"), "")
	require.Equal(t, 302, begun.Status, string(begun.Body))
	at, err := url.Parse(begun.Header.Get("Location"))
	require.NoError(t, err)
	q := at.Query()
	require.Equal(t, "idp.example", at.Host)
	require.NotContains(t, q.Get("scope"), "write")
	require.Equal(t, []string{"", "", "300"}, []string{q.Get("prompt"), q.Get("request"), q.Get("max_age")})
	require.Equal(t, "app", begun.Decision.ClientID)
	a.nonce = q.Get("nonce")
	called := a.do("GET", "/oauth/callback?code=idp-code&state="+url.QueryEscape(q.Get("state")), "")
	back, err := url.Parse(called.Header.Get("Location"))
	require.NoError(t, err)
	require.Equal(t, "https://app.example/cb", back.Scheme+"://"+back.Host+back.Path)
	require.Equal(t, "s", back.Query().Get("state"))
	redeemed := a.do("POST", "/oauth/token", asserted(form("code", back.Query().Get("code")), clientAssertion(a, keys["app"].Key, "app")))
	require.Equal(t, "read", a.answer(redeemed).Scope)

	unsigned := a.do("GET", "/authorize?"+pushForm(), "")
	require.Equal(t, string(oauth.InvalidRequest), unsigned.Decision.Outcome, "downgraded to a request that anybody can make")
	require.Contains(t, unsigned.Header.Get("Location"), "error=invalid_request")
	optional, _ := newSigner(t, oauth.Optional)
	require.Equal(t, 302, optional.do("GET", "/authorize?"+pushForm(), "").Status)
}

// The same request is the same, however it comes.
func TestARequestObjectIsTheRequestInIt(t *testing.T) {
	a, keys := newSigner(t, oauth.Optional, func(c *Config) {
		for i := range c.Clients {
			c.Clients[i].Parameters = []string{"claims", "authorization_details", "access_type"}
		}
	})
	with := []string{
		"nonce", "n", "response_mode", "form_post", "acr_values", "a b", "access_type", "offline", "login_hint", "ä&=+%",
		"claims", `{"id_token":{"acr":{"essential":true}}}`, "authorization_details", `[{"type":"x"}]`, "max_age", "300",
	}
	claims := make([]any, 0, len(with))
	for i, text := range with {
		var value any = text
		if i%2 == 1 && strings.ContainsAny(text[:1], "[{3") {
			value = json.RawMessage(text)
		}
		claims = append(claims, value)
	}
	query, in, err := a.flowOf(signedQuery(a.object(keys["app"].Key, claims...))).carried(strings.TrimPrefix(signedQuery(a.object(keys["app"].Key, claims...)), "/authorize?"))
	require.NoError(t, err)
	require.NotNil(t, in.signed)
	got, err := a.Policy().parseAuthorize(query)
	require.NoError(t, err)
	inner, err := url.ParseQuery(pushForm(with...))
	require.NoError(t, err)
	want, err := a.Policy().parseAuthorize(inner.Encode())
	require.NoError(t, err)
	require.ElementsMatch(t, want.forwarded, got.forwarded)
	want.forwarded, got.forwarded, want.ownNonce, got.ownNonce, want.nonce, got.nonce = nil, nil, "", "", "", ""
	require.Equal(t, want, got)

	two, _, err := a.flowOf("/authorize").signedRequest(a.Policy().find("app"), "app", a.object(keys["app"].Key, "resource", []string{serverA, serverB}))
	require.NoError(t, err)
	_, err = a.Policy().parseAuthorize(two)
	require.Equal(t, oauth.InvalidTarget, oauth.AsError(err).Code, "two resources, as in a query")
}

func (a *agent) flowOf(target string) *flow {
	return &flow{gateway: a.Gateway, policy: a.Policy(), r: a.request("GET", target, "")}
}

// Each attack is an object that is well signed by somebody, and good somewhere.
func TestRequestObjects(t *testing.T) {
	a, keys := newSigner(t, oauth.Optional, pushingHere(oauth.Optional))
	own, other := keys["app"].Key, keys["single"].Key
	object := func(with ...any) string { return a.object(own, with...) }
	at := func(d time.Duration) int64 { return a.sealed.now.Add(d).Unix() }
	for _, good := range []string{
		object(), object("typ", nil), object("typ", "JWT"), object("typ", "application/oauth-authz-req+jwt"), object("jti", nil), object("iat", nil), object("nbf", nil),
		object("aud", []string{gatewayURL}), object("aud", []string{"https://idp.example", gatewayURL}), object("exp", at(maxAssertion)), object("nbf", at(-50*time.Minute), "iat", nil),
	} {
		result := a.do("GET", signedQuery(good), "")
		require.Contains(t, result.Header.Get("Location"), "https://idp.example/", string(result.Body))
	}

	used, unnamed := object(), object("jti", nil)
	named := rand.Text()
	for _, first := range []string{used, unnamed, object("jti", named)} {
		require.Equal(t, 302, a.do("GET", signedQuery(first), "").Status)
	}
	symmetric := &dpoptest.Key{Algorithm: jose.HS256, Private: []byte(strings.Repeat("k", 32))}
	parts := strings.Split(object(), ".")
	bad := map[string]struct{ object, says string }{
		"used before, in another browser":      {used, "used before"},
		"used before, without jti":             {unnamed, "used before"},
		"another one with the same jti":        {object("jti", named, "state", "t"), "used before"},
		"another client's key":                 {a.object(other), "not signed with a key of the client"},
		"of another client":                    {a.object(other, "iss", "single", "client_id", "single"), "client_id and iss"},
		"another client inside":                {object("client_id", "single"), "client_id and iss"},
		"another issuer":                       {object("iss", "single"), "client_id and iss"},
		"no issuer":                            {object("iss", nil), "client_id and iss"},
		"no client_id":                         {object("client_id", nil), "client_id and iss"},
		"for the IdP":                          {object("aud", "https://idp.example"), "aud"},
		"for an endpoint":                      {object("aud", gatewayURL+"/authorize"), "aud"},
		"for nobody":                           {object("aud", nil), "aud"},
		"no exp":                               {object("exp", nil), "no exp"},
		"expired":                              {object("exp", at(-2*time.Minute)), "expired"},
		"good for a day":                       {object("exp", at(24*time.Hour)), "five minutes"},
		"made in the future":                   {object("nbf", at(time.Hour)), "future"},
		"made long before":                     {object("nbf", at(-2*time.Hour), "iat", at(-2*time.Hour)), "older than an hour"},
		"made nobody knows when":               {object("nbf", nil, "iat", nil), "no nbf and no iat"},
		"a long jti":                           {object("jti", strings.Repeat("x", 257)), "jti"},
		"a client assertion":                   {clientAssertion(a, own, "app"), "client_id and iss"},
		"a client assertion that is a request": {object("typ", "JWT", "sub", "app"), "has a sub"},
		"the same, sub null":                   {object("typ", nil, "sub", json.RawMessage("null")), "has a sub"},
		"an assertion by its typ":              {object("typ", "client-authentication+jwt"), "typ"},
		"a DPoP proof":                         {object("typ", "dpop+jwt"), "typ"},
		"an access token":                      {object("typ", "at+jwt"), "typ"},
		"alg none":                             {unsignedJWT(parts[1]), "asymmetric signature"},
		"alg HS256":                            {a.object(symmetric), "asymmetric signature"},
		"no signature":                         {parts[0] + "." + parts[1] + ".", "not signed"},
		"altered":                              {parts[0] + "." + strings.Split(object("scope", "read write"), ".")[1] + "." + parts[2], "not signed"},
		"encrypted":                            {strings.Repeat("a.", 4) + "a", "asymmetric signature"},
		"not a JWT":                            {"x", "asymmetric signature"},
		"a list":                               {own.Sign([]int{1}, map[string]any{"typ": "JWT", "jwk": nil}), "can't be read"},
		"an object in it":                      {object("request", object()), "request is not accepted inside"},
		"an address in it":                     {object("request_uri", "https://evil.example/request.jwt"), "request_uri is not accepted inside"},
		"a list for a text":                    {object("scope", []string{"read"}), "scope in the request object"},
		"nothing for a text":                   {object("state", json.RawMessage("null")), "state in the request object"},
		"claims that are no object":            {object("claims", []string{"x"}), "claims in the request object"},
		"a request of 5 KB":                    {object("login_hint", strings.Repeat("x", maxPushed)), "4096 bytes"},
		"an object of 9 KB":                    {object("x", strings.Repeat("x", 9<<10)), "8192 bytes"},
	}
	for name, tt := range bad {
		result := a.do("GET", signedQuery(tt.object), "")
		require.Equal(t, string(oauth.InvalidRequestObject), result.Decision.Outcome, "%s: %s", name, result.Body)
		said, err := url.QueryUnescape(string(result.Body) + result.Header.Get("Location"))
		require.NoError(t, err)
		require.Contains(t, said, tt.says, name)
		require.NotContains(t, result.Header.Get("Location"), "idp.example", name)

		pushed := a.do("POST", "/oauth/par", asserted("client_id=app&request="+tt.object, clientAssertion(a, own, "app")))
		require.Equal(t, 400, pushed.Status, name)
		require.Equal(t, string(oauth.InvalidRequestObject), pushed.Decision.Outcome, name)
	}
	for name, tt := range map[string]struct{ target, says string }{
		"two":                              {signedQuery(object()) + "&request=" + object(), "more than once"},
		"client_id twice":                  {signedQuery(object()) + "&client_id=app", "more than once"},
		"of another client":                {signedQuery(object(), "client_id", "single"), "client_id and iss"},
		"without client_id":                {signedQuery(object(), "client_id", ""), "client_id is missing"},
		"beside an address":                {signedQuery(object(), "request_uri", "https://evil.example/request.jwt"), "send one"},
		"an address alone":                 {"/authorize?" + pushForm("request_uri", "https://evil.example/request.jwt"), "request_uri is not accepted"},
		"an empty one":                     {"/authorize?" + pushForm("request", ""), "client"},
		"another redirect URI":             {signedQuery(object("redirect_uri", "https://evil.example/cb")), "redirect_uri is not one"},
		"without PKCE, which is beside it": {signedQuery(object("code_challenge", nil), "code_challenge", string(pkce.Verifier(testVerifier).S256())), "code_challenge"},
	} {
		result := a.do("GET", tt.target, "")
		said, _ := url.QueryUnescape(string(result.Body) + result.Header.Get("Location"))
		if name == "an empty one" { // counts as absent, as any parameter; nobody has signed that
			require.Equal(t, string(oauth.RequestNotSupported), result.Decision.Outcome)
			continue
		}
		require.NotEqual(t, string(Passed), result.Decision.Outcome, name)
		require.Contains(t, said, tt.says, name)
		require.NotContains(t, result.Header.Get("Location"), "idp.example", name)
	}

	keys["app"].away = true
	require.Equal(t, 503, a.do("GET", signedQuery(object()), "").Status)
	keys["app"].away = false
	a.assertions = dpop.NewOnce(failingStore{a.sealed.store}, 1, a.parts.Now)
	require.Equal(t, ClaimFailed, a.do("GET", signedQuery(object()), "").Incidents[0].Kind)
}

// FAPI 2.0 Security Profile section 5.3.2.1: ten seconds are no reason to reject a JWT, more than
// sixty are.
func TestHowFarAheadAClientsClockMayBe(t *testing.T) {
	a, keys := newSigner(t, oauth.Optional)
	for ahead, good := range map[time.Duration]bool{10 * time.Second: true, time.Minute: true, time.Minute + time.Second: false} {
		at := a.sealed.now.Add(ahead).Unix()
		for _, claim := range []string{"iat", "nbf"} {
			require.Equal(t, good, a.do("GET", signedQuery(a.object(keys["app"].Key, claim, at)), "").Decision.Outcome == string(Passed))
			result := a.do("POST", "/oauth/token", asserted(refreshForm("app", "x"), clientAssertion(a, keys["app"].Key, "app", claim, at)))
			require.Equal(t, good, result.Decision.Outcome != string(oauth.InvalidClient), string(result.Body))
		}
	}
}

// A request object is not what authenticates its client, whatever its maker has put into it.
func TestARequestObjectIsNoAssertion(t *testing.T) {
	a, keys := newSigner(t, oauth.Optional)
	refresh := refreshForm("app", a.answer(a.do("POST", "/oauth/token", asserted(form("code", a.logIn()), clientAssertion(a, keys["app"].Key, "app")))).RefreshToken)
	for says, with := range map[string][]any{"typ": {"sub", "app"}, "iss and sub": {"typ", "JWT"}} {
		result := a.do("POST", "/oauth/token", asserted(refresh, a.object(keys["app"].Key, with...)))
		require.Equal(t, string(oauth.InvalidClient), result.Decision.Outcome)
		require.Contains(t, string(result.Body), says)
	}
}

func TestSignedRequestsThatArePushed(t *testing.T) {
	a, keys := newSigner(t, oauth.Required, pushingHere(oauth.Required))
	push := func(content string, header ...string) *Result {
		return a.do("POST", "/oauth/par", asserted(content, clientAssertion(a, keys["app"].Key, "app")), header...)
	}
	object := a.object(keys["app"].Key)
	requestURI := a.push(asserted("client_id=app&scope=read+write&request="+object, clientAssertion(a, keys["app"].Key, "app")))
	begun := a.do("GET", pushedQuery("app", requestURI), "")
	require.Equal(t, 302, begun.Status, string(begun.Body))
	require.NotContains(t, begun.Header.Get("Location"), "write")
	require.Contains(t, string(push("client_id=app&request="+object).Body), "used before")
	require.Contains(t, string(push(pushForm()).Body), "has to sign")
	require.Contains(t, a.do("GET", signedQuery(a.object(keys["app"].Key)), "").Header.Get("Location"), "error=invalid_request", "signed, and not pushed")

	// A proof that needs a nonce is sent again, with the same object.
	a, keys = newSigner(t, oauth.Required, pushingHere(oauth.Required), proving(oauth.Optional))
	object = a.object(keys["app"].Key)
	proofOf := func(nonce string) string {
		return dpoptest.NewKey().Proof("POST", gatewayURL+"/oauth/par", a.sealed.now, "", nonce)
	}
	require.Equal(t, string(oauth.UseDPoPNonce), push("client_id=app&request="+object, "DPoP", proofOf("")).Decision.Outcome)
	require.Equal(t, 201, push("client_id=app&request="+object, "DPoP", proofOf(a.dpopNonce())).Status)
}

// The browser is led to a signed request once more, from a consent page that was answered too
// early: sealed, since the object was used.
func TestASignedRequestOnceMore(t *testing.T) {
	a, keys := newSigner(t, oauth.Required, func(c *Config) { c.Clients[0].Consent = true })
	page := a.do("GET", signedQuery(a.object(keys["app"].Key, "login_hint", "ada@example.com")), "")
	cookie, _, _ := strings.Cut(page.Header.Get("Set-Cookie"), ";")
	early := a.do("POST", "/oauth/consent", url.Values{"transaction": {transaction(t, page.Response)}, "decision": {"allow"}}.Encode(), "Cookie", cookie)
	require.Equal(t, 303, early.Status)
	require.NotContains(t, early.Header.Get("Location"), "ada")
	again := a.do("GET", strings.TrimPrefix(early.Header.Get("Location"), ".."), "", "Cookie", cookie)
	a.sealed.pass(pages.Pause)
	allowed := a.do("POST", "/oauth/consent", url.Values{"transaction": {transaction(t, again.Response)}, "decision": {"allow"}}.Encode(), "Cookie", cookie)
	require.Contains(t, allowed.Header.Get("Location"), "https://idp.example/authorize?")
}

// A client that makes any number of objects fills what it may have of the replay store, and
// has its assertions left. Who has no key of its fills nothing.
func TestAFloodOfRequestObjects(t *testing.T) {
	const capacity, each, flood = 100, 10, 50
	a, keys := newSigner(t, oauth.Optional)
	a.assertions = dpop.NewOnce(replay.NewMemory(capacity, a.parts.Now), each, a.parts.Now)
	stranger := dpoptest.NewKey()
	for range flood {
		a.do("GET", signedQuery(a.object(stranger)), "")
	}
	for n := range flood {
		require.Equal(t, n < each, a.do("GET", signedQuery(a.object(keys["app"].Key)), "").Decision.Outcome == string(Passed))
	}
	result := a.do("POST", "/oauth/token", asserted(form("code", a.logIn()), clientAssertion(a, keys["app"].Key, "app")))
	require.Equal(t, 200, result.Status, string(result.Body))
}

func TestWhereSignedRequestsAreTaken(t *testing.T) {
	a, keys := newSigner(t, oauth.Optional, func(c *Config) { c.Clients[0].JAR = oauth.Off })
	result := a.do("GET", "/authorize?"+pushForm("request", a.object(keys["app"].Key)), "")
	require.Equal(t, string(oauth.RequestNotSupported), result.Decision.Outcome)
	for mode, says := range map[oauth.Mode]string{
		oauth.Optional: `"request_parameter_supported":true,"request_uri_parameter_supported":false,"request_object_signing_alg_values_supported":["ES256",`,
		oauth.Required: `"require_signed_request_object":true`,
		oauth.Off:      `"issuer"`,
	} {
		document, err := newSealedGateway(t, withOwnTokens, signingHere(mode, make(map[string]*keySet))).serverMetadata(oauthMetadata)
		require.NoError(t, err)
		require.Contains(t, string(document), says)
		require.Equal(t, mode == oauth.Required, strings.Contains(string(document), "require_signed"))
		require.Equal(t, mode != oauth.Off, strings.Contains(string(document), "request_parameter_supported"))
	}
	for says, c := range map[string]ClientConfig{
		"jar on is unknown":             {JAR: "on"},
		"jar needs the keys with which": {JAR: oauth.Required},
	} {
		c.ID, c.RedirectURIs = "app", []string{"https://app.example/cb"}
		_, err := NewPolicy(Config{AuthURL: "https://idp.example", Callback: &CallbackConfig{}, Clients: []ClientConfig{c}})
		require.ErrorContains(t, err, says)
	}
}

// Whatever is sent as a request object, only what a key of the client has signed reaches the
// IdP; and what its claims are, they are read as the query that they make.
func FuzzRequestObject(f *testing.F) {
	a, keys := newSigner(f, oauth.Required)
	good := a.object(keys["app"].Key)
	parts := strings.Split(good, ".")
	for _, seed := range []string{good, unsignedJWT(parts[1]), parts[0] + ".." + parts[2], "..", "", good + "=", a.object(keys["single"].Key)} {
		f.Add(seed, `{"scope":"read"}`)
	}
	f.Add(good, `{"resource":["https://a.example.com/mcp"],"claims":{"a":[1,"x"]},"max_age":3e2,"state":"\u0026\u0000","x y":true}`)
	f.Fuzz(func(t *testing.T, object, claims string) {
		result := a.do("GET", signedQuery(object), "")
		if strings.HasPrefix(result.Header.Get("Location"), "https://idp.example") && !strings.HasPrefix(object, parts[0]+"."+parts[1]+".") {
			t.Fatal("a request that was not signed")
		}
		with := []any{}
		members := map[string]json.RawMessage{}
		if json.Unmarshal([]byte(claims), &members) != nil {
			return
		}
		for name, value := range members {
			with = append(with, name, value)
		}
		query, _, err := a.flowOf("/authorize").signedRequest(a.Policy().find("app"), "app", a.object(keys["app"].Key, with...))
		if err != nil {
			requireWellFormed(t, err)
			return
		}
		q, err := url.ParseQuery(query)
		if err != nil || q.Get("client_id") != "app" || len(q["client_id"]) != 1 || q.Has("request") || q.Has("request_uri") {
			t.Fatalf("%q: %v", query, err)
		}
		if _, err := a.Policy().parseAuthorize(query); err != nil {
			requireWellFormed(t, err)
		}
	})
}
