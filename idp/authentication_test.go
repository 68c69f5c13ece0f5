package idp

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

func stepsUp(c *Config) { c.StepUp = true }

// OpenID Connect Core 1.0 section 3.1.3.7, steps 12 and 13. Whoever alters what is asked for on
// its way to the IdP gets the user a login by the IdP that is less than that; each response is
// one that passes without the option.
func TestALoginIsHeldToWhatItAskedFor(t *testing.T) {
	const began = 1_800_000_000
	at := func(ago int64) string { return `"auth_time":` + strconv.FormatInt(began-ago, 10) }
	const acr, age = "acr_values", "max_age"
	skew := int64(seal.Skew.Seconds())
	for name, tc := range map[string]struct {
		asks   []string
		claims string // "-" for no ID token
		says   string // "" if the login is what was asked for
	}{
		"nothing asked, nothing said":  {nil, ``, ""},
		"the one asked for":            {[]string{acr, "phr"}, `"acr":"phr"`, ""},
		"one of several":               {[]string{acr, "phrh phr"}, `"acr":"phr"`, ""},
		"a weaker one":                 {[]string{acr, "phr"}, `"acr":"1"`, "another acr"},
		"none":                         {[]string{acr, "phr"}, ``, "another acr, or none"},
		"an empty one":                 {[]string{acr, "phr"}, `"acr":""`, "another acr"},
		"null":                         {[]string{acr, "phr"}, `"acr":null`, "another acr"},
		"a list":                       {[]string{acr, "phr"}, `"acr":["phr"]`, "another acr"},
		"all of them in one":           {[]string{acr, "phr phrh"}, `"acr":"phr phrh"`, "another acr"},
		"a part of it":                 {[]string{acr, "phrh"}, `"acr":"phr"`, "another acr"},
		"in capitals":                  {[]string{acr, "phr"}, `"acr":"PHR"`, "another acr"},
		"no ID token":                  {[]string{acr, "phr", "scope", "read", "nonce", ""}, "-", "another acr, or none"},
		"just now":                     {[]string{age, "600"}, at(0), ""},
		"within the age":               {[]string{age, "600"}, at(600), ""},
		"by a clock that is behind":    {[]string{age, "600"}, at(600 + skew), ""},
		"too long ago":                 {[]string{age, "600"}, at(600 + skew + 1), "longer ago than max_age"},
		"after the login began":        {[]string{age, "0"}, at(-30), ""},
		"before it began":              {[]string{age, "0"}, at(skew + 1), "longer ago than max_age"},
		"with a fraction":              {[]string{age, "600"}, at(10) + ".5", ""},
		"not said when":                {[]string{age, "600"}, ``, "does not say when"},
		"said in words":                {[]string{age, "600"}, `"auth_time":"` + strconv.Itoa(began) + `"`, "does not say when"},
		"said out of range":            {[]string{age, "600"}, `"auth_time":1e300`, "does not say when"},
		"the ID token's own time":      {[]string{age, "600"}, `"iat":` + strconv.Itoa(began), "does not say when"},
		"an age before all time":       {[]string{age, "2147483647"}, at(1_000_000_000), ""},
		"such an age, and not said":    {[]string{age, "2147483647"}, ``, "does not say when"},
		"no ID token, an age":          {[]string{age, "600", "scope", "read", "nonce", ""}, "-", "does not say when"},
		"both":                         {[]string{acr, "phr", age, "600"}, `"acr":"phr",` + at(0), ""},
		"the right one, but old":       {[]string{acr, "phr", age, "600"}, `"acr":"phr",` + at(6000), "longer ago than max_age"},
		"just now, but the weaker one": {[]string{acr, "phr", age, "600"}, `"acr":"1",` + at(0), "another acr"},
		"more than was asked for":      {nil, `"acr":"phr",` + at(6000), ""},
		"nonsense, but nothing asked":  {nil, `"acr":1,"auth_time":"x"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			answer := func(with ...func(*Config)) (upstream.Outcome, error) {
				g := newSealedGateway(t, with...)
				require.Equal(t, int64(began), g.now.Unix())
				asked := g.begin(tc.asks...)
				g.pass(50 * time.Minute) // the user takes his time
				grant, _, err := g.open(location(t, g.called(asked.Get("state"), "c").Response).Query().Get("code"))
				require.NoError(t, err)
				body := `{"access_token":"a","token_type":"Bearer"}`
				if tc.claims != "-" {
					body = tokenWith(strings.TrimSuffix(`{"aud":"app","nonce":"client-nonce",`+tc.claims, ",")+`}`, "")
				}
				return outcomeOf(g.checkTokenResponse(Response{Status: 200, Header: http.Header{}, Body: []byte(body)}, grant))
			}
			_, err := answer()
			require.NoError(t, err)
			outcome, err := answer(stepsUp)
			if tc.says == "" {
				require.NoError(t, err)
				require.Equal(t, upstream.Granted, outcome)
				return
			}
			require.ErrorContains(t, err, tc.says)
			require.Equal(t, upstream.Unclear, outcome, "the code stays claimed")
			require.Equal(t, oauth.UnmetAuthentication, oauth.AsError(err).Code)
			require.Equal(t, http.StatusBadRequest, oauth.AsError(err).Status)
		})
	}
}

// What counts is what the IdP is sent: an operator's own parameter takes the place of a client's.
func TestWhatALoginAsksFor(t *testing.T) {
	g := newSealedGateway(t, stepsUp, func(c *Config) { c.AuthorizeParameters = map[string]string{"acr_values": "phr phrh"} })
	pending, err := g.codec.OpenPending(g.s.Keys, g.s.Callback, g.begin("acr_values", "1", "max_age", "60").Get("state"))
	require.NoError(t, err)
	require.Equal(t, login.StepUp{ACR: "phr phrh", Since: g.now.Add(-time.Minute)}, pending.StepUp)

	g = newSealedGateway(t, stepsUp)
	for name, tc := range map[string]struct{ parameter, value, says string }{
		"an age in words":    {"max_age", "an hour", "max_age must be a number"},
		"an age below zero":  {"max_age", "-1", "max_age must be a number"},
		"an age with a sign": {"max_age", "+1", "max_age must be a number"},
		"a part of a second": {"max_age", "1.5", "max_age must be a number"},
		"an age in hex":      {"max_age", "0x10", "max_age must be a number"},
		"an endless age":     {"max_age", "99999999999", "max_age must be a number"},
		"too long values":    {"acr_values", strings.Repeat("a", login.MaxAuthentication+1), "at most 512 bytes"},
		"values in no ASCII": {"acr_values", "é", "printable ASCII"},
	} {
		_, err := g.parseAuthorize(query(tc.parameter, tc.value))
		require.ErrorContains(t, err, tc.says, name)
		require.Equal(t, oauth.InvalidRequest, oauth.AsError(err).Code, name)
		_, err = newSealedGateway(t).parseAuthorize(query(tc.parameter, tc.value))
		require.NoError(t, err, "%s: without the option it is the IdP's business", name)
	}
	_, err = NewPolicy(Config{AuthURL: "https://idp.example", StepUp: true})
	require.ErrorContains(t, err, "step_up needs callback")
}

// RFC 9068 section 2.2.1: an access token of the gateway's own says how its user has logged in.
// A refresh is no new login, whatever the IdP's ID token says then.
func TestAnAccessTokenSaysHowTheUserHasLoggedIn(t *testing.T) {
	for name, with := range map[string]func(*Config){"that rotates": rotating, "that stays": func(*Config) {}} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, true, with)
			at := a.sealed.now.Add(-time.Minute)
			a.claims = map[string]any{"acr": "phr", "amr": []string{"pwd", "hwk"}, "auth_time": at.Unix()}
			got := a.tokens()
			for range 2 {
				token := a.opened(got.AccessToken)
				require.Equal(t, "phr", token.ACR)
				require.Equal(t, []string{"pwd", "hwk"}, token.AMR)
				require.Equal(t, at, token.AuthTime)
				require.Contains(t, string(token.Claims()), `,"acr":"phr","amr":["pwd","hwk"],"auth_time":`+strconv.FormatInt(at.Unix(), 10)+`,`)
				a.sealed.pass(time.Hour)
				a.claims = map[string]any{"acr": "phrh", "amr": []string{"face"}, "auth_time": a.sealed.now.Unix(), "nonce": nil}
				got = a.answer(a.do("POST", "/oauth/token", refreshForm("app", got.RefreshToken)))
			}
		})
	}
	a := newAgent(t, true)
	a.claims = map[string]any{"acr": "a b", "amr": []string{"pwd hwk"}, "auth_time": "today"}
	token := a.opened(a.tokens().AccessToken)
	require.Empty(t, token.ACR+strings.Join(token.AMR, ""), "one value that looks like two")
	require.True(t, token.AuthTime.IsZero())
	require.NotContains(t, string(token.Claims()), "auth_time")
}

// The agent's request is stepped up, too, by the ID token that the gateway asks for itself.
func TestTheLoginOfAnAgentIsHeldToWhatItAskedFor(t *testing.T) {
	a := newAgent(t, true, stepsUp)
	a.claims = map[string]any{"acr": "phr"}
	a.answer(a.redeem(a.logIn("acr_values", "phr")))
	a = newAgent(t, true, stepsUp)
	a.claims = map[string]any{"acr": "1"}
	result := a.redeem(a.logIn("acr_values", "phr"))
	require.Equal(t, http.StatusBadRequest, result.Status)
	require.Contains(t, string(result.Body), `"error":"unmet_authentication_requirements"`)
	require.NotContains(t, string(result.Body), "access_token")
}

// FuzzAuthentication: whatever an ID token says, what is sealed of it is read again as it was.
func FuzzAuthentication(f *testing.F) {
	for _, claims := range []string{`{"acr":"phr","amr":["hwk"],"auth_time":1}`, `{"acr":" ","amr":["a b",""],"auth_time":4294967296}`, `{"amr":[]}`, `[`} {
		f.Add([]byte(claims))
	}
	f.Fuzz(func(t *testing.T, claims []byte) {
		a := login.ReadAuthentication(claims)
		w := seal.NewWriter(0)
		a.Write(w)
		r := seal.NewReader(w.B)
		read := login.OpenAuthentication(r)
		require.False(t, r.Failed)
		require.Empty(t, r.Rest)
		require.Equal(t, a.ACR, read.ACR)
		require.Equal(t, strings.Join(a.AMR, " "), strings.Join(read.AMR, " "))
		require.Len(t, read.AMR, len(a.AMR))
		require.True(t, a.Time.Equal(read.Time))
	})
}

func TestTheGatewaysTokensSayHowTheUserHasLoggedIn(t *testing.T) {
	g := newSealedGateway(t, stepsUp)
	token := gatewaytoken.Token{
		Issuer: gatewayURL, Resource: serverA, Subject: "s", ClientID: "c", Issued: g.now, Expires: g.now.Add(time.Hour),
		ACR: "phr", AMR: []string{"pwd", "hwk"}, AuthTime: g.now, ID: base64.RawURLEncoding.EncodeToString(make([]byte, 16)),
	}
	read, err := gatewaytoken.Open(t.Context(), seal.Static(g.s.Keys), gatewayURL, token.Seal(g.s.Keys), g.now)
	require.NoError(t, err)
	token.LoginID = read.LoginID
	require.Equal(t, &token, read)
}
