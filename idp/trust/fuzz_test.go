package trust_test

import (
	"context"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/trust"
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

// anyKey takes every signature: what the claims say is all that decides.
type anyKey struct{}

func (anyKey) Verify(context.Context, *jose.JSONWebSignature) error { return nil }

// Whatever an issuer writes, a token is for this gateway, for its client, for a named subject that
// is no other issuer's, and ends.
func FuzzAssertion(f *testing.F) {
	const header, workload = `{"alg":"ES256","typ":"oauth-id-jag+jwt"}`, `{"alg":"ES256"}`
	for _, payload := range []string{
		`{"iss":"https://a.example","sub":"u","aud":"https://g.example","client_id":"app","jti":"1","iat":1800000000,"exp":1800000300,"scope":"read"}`,
		`{"iss":"https://b.example","sub":"u","aud":["https://g.example/"],"client_id":"app","jti":"1","iat":1800000000,"exp":1.8000003e9,"resource":["https://r.example"]}`,
		`{"iss":"https://b.example","sub":"a#b","aud":"https://g.example/oauth/token","exp":1800000300,"id":42,"cnf":{"jkt":"x"}}`,
		`{"iss":"https://a.example","iss":"https://b.example"}`, `[]`, `{"exp":1e999}`, `{"aud":[]}`, `{"exp":-1,"sub":"\u0000"}`,
	} {
		f.Add(header, payload)
		f.Add(workload, payload)
	}
	now := time.Unix(1_800_000_000, 0)
	rules, err := trust.New([]trust.Rule{
		{Issuer: "https://a.example", Purpose: trust.IDJAG},
		{Issuer: "https://b.example", Purpose: trust.IDJAG, Clients: []string{"app"}},
		{Issuer: "https://b.example", Purpose: trust.Workload, Claims: []users.Claim{{Path: "id", Values: []string{"42"}}}},
	}, "https://a.example", "https://g.example", "https://g.example/oauth/token")
	require.NoError(f, err)
	keys := map[string]clients.KeySet{"https://a.example": anyKey{}, "https://b.example": anyKey{}}
	f.Fuzz(func(t *testing.T, header, payload string) {
		encoded := base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + base64.RawURLEncoding.EncodeToString([]byte(payload)) + ".c2ln"
		a, err := rules.Parse(encoded)
		var grant *trust.Grant
		if err == nil {
			client := "app"
			if a.Purpose == trust.Workload {
				client = ""
			}
			grant, err = a.Verify(t.Context(), keys, client, now)
		}
		if err != nil {
			var e *oauth.Error
			require.True(t, errors.As(err, &e))
			require.NotContains(t, e.Description, encoded)
			return
		}
		require.NotEmpty(t, grant.Subject)
		require.Equal(t, !grant.IsOwn, rules.Owns(strings.TrimPrefix(grant.Subject, "workload:")))
		require.Equal(t, a.Purpose == trust.Workload, strings.HasPrefix(grant.Subject, "workload:"))
		require.Equal(t, a.Purpose == trust.IDJAG, grant.IsUser())
		require.True(t, grant.Expires.After(now))
		if grant.IsUser() {
			require.False(t, grant.Expires.After(now.Add(time.Hour+time.Minute)))
			require.GreaterOrEqual(t, grant.Remember(now), grant.Expires.Sub(now)+time.Minute)
		}
	})
}
