package gatewaytoken

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

func testKeys(t testing.TB, now func() time.Time, masters ...string) *seal.Keys {
	var raw [][]byte
	for _, master := range masters {
		raw = append(raw, []byte(strings.Repeat(master, 32)))
	}
	return must.Have(seal.NewKeys(raw, now))(t)
}

// renewed is a keyring that finds newer keys when it is asked.
type renewed struct{ current, newer *seal.Keys }

func (r renewed) Current(context.Context) (*seal.Keys, error) {
	if r.current == nil {
		return nil, errors.New("the storage is away")
	}
	return r.current, nil
}

func (r renewed) Newer(context.Context, *seal.Keys) *seal.Keys { return r.newer }

func TestAnAccessTokenIsReadAsItWasWritten(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	keys := testKeys(t, func() time.Time { return now }, "k")
	for name, token := range map[string]Token{
		"all of it": {
			Resource: "https://mcp.example.com/mcp", Subject: "auth0|7", ClientID: "agent", Scope: "mcp.read mcp.write", Upstream: "ya29.idp", Family: &rotation.Family{1, 2},
		},
		"little of it": {Resource: "https://mcp.example.com", Subject: "7", ClientID: "agent"},
	} {
		t.Run(name, func(t *testing.T) {
			token.Issuer, token.Issued, token.Expires = "https://login.example.com", now, now.Add(time.Hour)
			sealed := token.Seal(keys)
			presented := must.Have(bearer.Token(http.Header{"Authorization": {"Bearer " + sealed}}))(t)
			require.Equal(t, sealed, presented)
			require.True(t, seal.IsAccessToken(sealed))
			opened := must.Have(Open(t.Context(), seal.Static(keys), "https://login.example.com", sealed, now))(t)
			require.Equal(t, &token, opened)
			require.NotEqual(t, sealed, token.Seal(keys), "each is sealed for itself")
			require.JSONEq(t, `{"iss":"https://login.example.com","sub":"`+token.Subject+`","aud":"`+token.Resource+`","client_id":"agent",
				"scope":"`+token.Scope+`","jti":"`+token.ID+`","iat":1800000000,"exp":1800003600}`, string(token.Claims()))
			require.NotContains(t, string(token.Claims()), "ya29", "the IdP's token is no claim")
		})
	}
}

func TestAccessTokensThatAreNoGood(t *testing.T) {
	const issuer = "https://login.example.com"
	now := time.Unix(1_800_000_000, 0)
	clock := func() time.Time { return now }
	keys := testKeys(t, clock, "k")
	token := Token{Issuer: issuer, Resource: "https://mcp.example.com/mcp", Subject: "7", ClientID: "agent", Issued: now, Expires: now.Add(10 * time.Minute)}
	good := token.Seal(keys)
	sealed := strings.TrimPrefix(good, seal.AccessTokenPrefix)
	ofOther := func(as seal.Purpose, context string) string {
		raw := must.Have(keys.Open(purpose, issuer, sealed))(t)
		return seal.AccessTokenPrefix + keys.Seal(as, context, raw)
	}
	edited := []byte(good)
	edited[len(edited)/2] ^= 1
	for name, tc := range map[string]struct {
		token string
		keys  seal.Keyring
		after time.Duration
		says  string
	}{
		"good":                          {token: good},
		"good to its last second":       {token: good, after: 10*time.Minute - time.Second},
		"expired":                       {token: good, after: 10 * time.Minute, says: "has expired"},
		"sealed with the key before":    {token: good, keys: seal.Static(testKeys(t, clock, "n", "k"))},
		"sealed with a newer key":       {token: good, keys: renewed{testKeys(t, clock, "o"), testKeys(t, clock, "k", "o")}},
		"its key was retired":           {token: good, keys: seal.Static(testKeys(t, clock, "n")), says: "its key was removed"},
		"no newer key opens it":         {token: good, keys: renewed{testKeys(t, clock, "o"), testKeys(t, clock, "p")}, says: "its key was removed"},
		"edited":                        {token: string(edited), says: "altered"},
		"cut":                           {token: good[:len(good)-4], says: "altered"},
		"with a letter more":            {token: good + "A", says: "altered"},
		"with padding":                  {token: good + "=", says: "altered"},
		"without its prefix":            {token: sealed, says: "is not the gateway's"},
		"the IdP's":                     {token: "eyJhbGciOiJSUzI1NiJ9.e30.c2ln", says: "is not the gateway's"},
		"opaque, of the IdP":            {token: "gho_16C7e42F292c6912E7710c838347Ae178B4a", says: "is not the gateway's"},
		"nothing but the prefix":        {token: seal.AccessTokenPrefix, says: "altered"},
		"of another gateway":            {token: ofOther(purpose, "https://other.example.com"), says: "another gateway"},
		"of an issuer with a slash":     {token: ofOther(purpose, issuer+"/"), says: "another gateway"},
		"sealed as a code":              {token: ofOther("code", issuer), says: "another gateway"},
		"sealed as a state":             {token: ofOther("state", issuer), says: "another gateway"},
		"sealed as a refresh token":     {token: seal.AccessTokenPrefix + keys.SealLasting("refresh token", issuer, nil), says: "another gateway"},
		"sealed, but not of this form":  {token: seal.AccessTokenPrefix + keys.Seal(purpose, issuer, []byte("short")), says: "another version"},
		"its family is cut":             {token: seal.AccessTokenPrefix + keys.Seal(purpose, issuer, append([]byte{1, 0}, make([]byte, 30)...)), says: "another version"},
		"a text is longer than it says": {token: seal.AccessTokenPrefix + keys.Seal(purpose, issuer, append(make([]byte, 32), 9)), says: "another version"},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.keys == nil {
				tc.keys = seal.Static(keys)
			}
			opened, err := Open(t.Context(), tc.keys, issuer, tc.token, now.Add(tc.after))
			if tc.says == "" {
				require.NoError(t, err)
				require.Equal(t, "7", opened.Subject)
				return
			}
			require.Nil(t, opened)
			require.ErrorContains(t, err, tc.says)
			e := oauth.AsError(err)
			require.Equal(t, oauth.InvalidToken, e.Code)
			require.Equal(t, 401, e.Status)
			require.NotContains(t, err.Error(), tc.token)
		})
	}
	_, err := Open(t.Context(), renewed{}, issuer, good, now)
	require.Equal(t, 503, oauth.AsError(err).Status, "without keys nobody can say that a token is bad")
}

// FuzzOpen: nothing but what was sealed is accepted, and what is accepted says
// what was sealed.
func FuzzOpen(f *testing.F) {
	now := time.Unix(1_800_000_000, 0)
	keys := testKeys(f, func() time.Time { return now }, "k")
	token := Token{Issuer: "https://login.example.com", Resource: "https://mcp.example.com", Subject: "7", ClientID: "agent", Issued: now, Expires: now.Add(time.Hour)}
	good := token.Seal(keys)
	for _, seed := range []string{good, good + "=", good[:40], seal.AccessTokenPrefix, "igat_AQ", "eyJhbGciOiJub25lIn0.e30.", strings.ToUpper(good)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		opened, err := Open(t.Context(), seal.Static(keys), token.Issuer, raw, now)
		switch {
		case (opened == nil) == (err == nil):
			t.Fatal("neither token nor error, or both")
		case err == nil:
			opened.ID = token.ID // each worker of the fuzzer has sealed one
			require.Equal(t, &token, opened, "it is what was sealed")
			require.Len(t, raw, len(good))
		}
	})
}

// FuzzRead: any bytes that were sealed are read within their bounds.
func FuzzRead(f *testing.F) {
	now := time.Unix(1_800_000_000, 0)
	keys := testKeys(f, func() time.Time { return now }, "k")
	token := Token{Resource: "https://mcp.example.com", Subject: "7", ClientID: "agent", Scope: "a b", Upstream: "u", Issued: now, Expires: now, Family: &rotation.Family{}}
	raw := must.Have(keys.Open(purpose, "", strings.TrimPrefix(token.Seal(keys), seal.AccessTokenPrefix)))(f)
	for cut := range raw {
		f.Add(raw[:cut])
	}
	f.Add(raw)
	f.Fuzz(func(t *testing.T, b []byte) {
		got, ok := read(b)
		if !ok {
			require.Nil(t, got)
			return
		}
		id := must.Have(base64.RawURLEncoding.DecodeString(got.ID))(t)
		require.Len(t, id, idLength)
		require.LessOrEqual(t, len(got.Resource)+len(got.Subject)+len(got.ClientID)+len(got.Scope)+len(got.Upstream), len(b))
	})
}

func TestFormOf(t *testing.T) {
	jwt := func(claims string) string {
		return "e30." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + ".c2ln"
	}
	const own = "https://login.example.com"
	for token, want := range map[string]Form{
		"":                                   Foreign,
		"opaque":                             Foreign,
		"a.b.c":                              Foreign,
		seal.AccessTokenPrefix:               Sealed,
		jwt(`{}`):                            Foreign,
		jwt(`{"iss":"https://idp.example"}`): Foreign,
		jwt(`{"iss":"` + own + `"}`):         Signed,
		jwt(`{"iss":7,"gateway_token":"x"}`): Signed,
		jwt(`{"gateway_token":null}`):        Signed,
		strings.ToUpper(seal.AccessTokenPrefix) + "x": Sealed,
	} {
		require.Equal(t, want, FormOf(token, own), token)
	}
	require.Equal(t, Foreign, FormOf(jwt(`{"iss":"`+own+`"}`), ""), "a gateway that signs nothing")
	require.Equal(t, Foreign, FormOf(jwt(`{"iss":""}`), ""))
}
