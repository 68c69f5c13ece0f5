package accesstoken_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// Each token is one that passes where nothing is asked. RFC 9470 section 3: those that are not
// enough are 401, so that the client logs in anew.
func TestHowTheUserHasLoggedIn(t *testing.T) {
	i := newIssuer(t)
	ago := func(d time.Duration) int64 { return i.now().Add(-d).Unix() }
	strong := accesstoken.Authentication{ACR: []string{"phr", "phrh"}}
	fresh := accesstoken.Authentication{MaxAge: 10 * time.Minute}
	all := accesstoken.Authentication{ACR: []string{"phr"}, MaxAge: time.Hour}
	for name, tc := range map[string]struct {
		asked  accesstoken.Authentication
		claims []any
		says   string // "" if it is enough
	}{
		"the preferred acr":             {strong, []any{"acr", "phr"}, ""},
		"another acr of the list":       {strong, []any{"acr", "phrh"}, ""},
		"a weaker acr":                  {strong, []any{"acr", "1"}, "(acr)"},
		"no acr":                        {strong, nil, "(acr)"},
		"several acr in one":            {strong, []any{"acr", "phr phrh"}, "(acr)"},
		"a list of acr":                 {strong, []any{"acr", []string{"phr"}}, "(acr)"},
		"a number for acr":              {strong, []any{"acr", 1}, "(acr)"},
		"a fresh login":                 {fresh, []any{"auth_time", ago(9 * time.Minute)}, ""},
		"a login at the edge":           {fresh, []any{"auth_time", ago(10*time.Minute + accesstoken.ClockSkew)}, ""},
		"an old login":                  {fresh, []any{"auth_time", ago(10*time.Minute + accesstoken.ClockSkew + time.Second)}, "(auth_time)"},
		"a login of the future":         {fresh, []any{"auth_time", ago(-time.Hour)}, "(auth_time)"},
		"no time of the login":          {fresh, nil, "(auth_time)"},
		"the time as text":              {fresh, []any{"auth_time", "1800000000"}, "(auth_time)"},
		"the time of the token instead": {fresh, []any{"iat", ago(0)}, "(auth_time)"},
		"all of it":                     {all, []any{"acr", "phr", "auth_time", ago(time.Minute)}, ""},
		"all but one":                   {all, []any{"acr", "phr"}, "(auth_time)"},
	} {
		t.Run(name, func(t *testing.T) {
			token := i.token(t, tc.claims...)
			accepted(t, i.verifier(t, nil), token)
			v := i.verifier(t, func(c *accesstoken.Config) { c.Authentication = tc.asked })
			if tc.says == "" {
				accepted(t, v, token)
				return
			}
			_, err := v.Verify(t.Context(), token)
			require.Equal(t, oauth.InsufficientAuth, oauth.AsError(err).Code)
			require.Equal(t, http.StatusUnauthorized, oauth.AsError(err).Status)
			require.ErrorContains(t, err, tc.says)
		})
	}
}

// A token that was good becomes too old while its check is remembered.
func TestALoginGetsOldWhileItsTokenIsRemembered(t *testing.T) {
	i := newIssuer(t)
	v := i.verifier(t, func(c *accesstoken.Config) {
		c.Authentication.MaxAge, c.CacheTTL = time.Minute, time.Hour
	})
	token := i.token(t, "auth_time", i.now().Unix())
	accepted(t, v, token)
	i.advance(2*time.Minute + time.Second)
	_, err := v.Verify(t.Context(), token)
	require.ErrorContains(t, err, "(auth_time)")
}

// A gateway's own token says what the IdP's ID token said at its login.
func TestHowTheUserOfAGatewaysTokenHasLoggedIn(t *testing.T) {
	g := newGateway(t)
	v := g.verifier(t, func(c *accesstoken.Config) {
		c.Authentication = accesstoken.Authentication{ACR: []string{"phr"}, MaxAge: time.Minute}
	})
	strong := func(token *gatewaytoken.Token) {
		token.ACR, token.AuthTime = "phr", g.now()
	}
	_, err := v.Verify(t.Context(), g.token(strong))
	require.NoError(t, err)
	for says, weaker := range map[string]func(*gatewaytoken.Token){
		"(acr)":       func(token *gatewaytoken.Token) { token.ACR = "1" },
		"(auth_time)": func(token *gatewaytoken.Token) { token.AuthTime = g.now().Add(-time.Hour) },
	} {
		_, err := v.Verify(t.Context(), g.token(func(token *gatewaytoken.Token) {
			strong(token)
			weaker(token)
		}))
		require.Equal(t, oauth.InsufficientAuth, oauth.AsError(err).Code)
		require.ErrorContains(t, err, says)
	}
}

func TestBadAuthentications(t *testing.T) {
	i := newIssuer(t)
	for want, asked := range map[string]accesstoken.Authentication{
		"challenge":     {ACR: []string{"a b"}},
		"can stand":     {ACR: []string{`a"`}},
		"no value":      {ACR: []string{""}},
		"whole seconds": {MaxAge: time.Millisecond},
	} {
		_, err := accesstoken.New(accesstoken.Config{
			Issuer: issuerURL, Audiences: []string{audience}, Authentication: asked,
			Keys: jwks.New(jwks.At(i.server.URL), i.server.Client(), i.now, nil),
		})
		require.ErrorContains(t, err, want)
	}
}

// FuzzAuthentication: whatever the claims are, only those that say what is asked for are enough.
func FuzzAuthentication(f *testing.F) {
	for _, claims := range []string{`{"acr":"phr"}`, `{"acr":["phr"]}`, `{"amr":"x","acr":null}`, `{"auth_time":1e400}`, `{"acr":"phr","amr":["hwk"],"auth_time":1}`} {
		f.Add([]byte(claims))
	}
	i := newIssuer(f)
	v := i.verifier(f, func(c *accesstoken.Config) { c.Authentication.ACR = []string{"phr"} })
	f.Fuzz(func(t *testing.T, raw []byte) {
		claims := make(map[string]any)
		if json.Unmarshal(raw, &claims) != nil {
			return
		}
		with := []any{}
		for _, name := range []string{"acr", "amr", "auth_time"} {
			if value, ok := claims[name]; ok {
				with = append(with, name, value)
			}
		}
		if token, err := v.Verify(t.Context(), i.token(t, with...)); (err == nil) != (claims["acr"] == "phr") {
			t.Fatalf("%s: %v, %v", raw, token, err)
		}
	})
}
