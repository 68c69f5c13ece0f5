package idp

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
)

// decoded is what JSON says.
func decoded[T any](t testing.TB, raw []byte) (value T) {
	t.Helper()
	require.NoError(t, json.Unmarshal(raw, &value), string(raw))
	return value
}

// signedBy is a JWT with a key; typ is in its header unless it is "".
func signedBy(t testing.TB, algorithm jose.SignatureAlgorithm, key any, typ string, payload []byte) string {
	t.Helper()
	options := new(jose.SignerOptions)
	if typ != "" {
		options.WithType(jose.ContentType(typ))
	}
	signer := must.Have(jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, options))(t)
	return must.Have(must.Have(signer.Sign(payload))(t).CompactSerialize())(t)
}

// requireError requires an error that says this, or none if that is "", and reports whether there is one.
func requireError(t testing.TB, err error, says string, more ...any) bool {
	t.Helper()
	if says == "" {
		require.NoError(t, err, more...)
		return false
	}
	require.ErrorContains(t, err, says, more...)
	return true
}

// answerOf is a token response of the IdP with a body.
func answerOf(body string) *upstream.TokenAnswer {
	a := &upstream.TokenAnswer{Response: Response{Status: http.StatusOK, Header: make(http.Header), Body: []byte(body)}}
	a.Token, _ = upstream.ReadToken(a.Body)
	a.IDToken, a.Invalid = upstream.ReadIDToken(&a.Token)
	return a
}

// outcomeOf is what a checked token response says of the code.
func outcomeOf(a upstream.TokenAnswer, err error) (upstream.Outcome, error) { return a.Outcome, err }

// sealBody is the client's response for a body of the IdP's.
func (p *Policy) sealBody(ctx context.Context, families *rotation.Families, s sealer, r *tokenRequest, grant *refreshGrant, body []byte) ([]byte, error) {
	given, err := r.sealTokens(p, ctx, families, s, grant, answerOf(string(body)))
	return given.body, err
}

// baseConfig is a good configuration with a callback and two clients; with changes it, of which any may be nil.
func baseConfig(with ...func(*Config)) Config {
	c := Config{
		AuthURL: "https://idp.example", Parameters: OAuthParameters, Callback: new(CallbackConfig),
		Clients: []ClientConfig{
			{ID: "app", RedirectURIs: []string{"https://app.example/cb", "http://127.0.0.1/cb", "com.example.app:/cb"}},
			{ID: "single", RedirectURIs: []string{"https://single.example/cb?tenant=1"}},
		},
	}
	for _, change := range with {
		if change != nil {
			change(&c)
		}
	}
	return c
}

// bare is a configuration with nothing but the IdP.
func bare(c *Config) { *c = Config{AuthURL: "https://idp.example"} }

// requireMistakes has NewPolicy name what each change makes wrong in a good configuration; "" for nothing.
func requireMistakes(t *testing.T, mistakes map[string]func(*Config), good ...func(*Config)) {
	t.Helper()
	for says, change := range mistakes {
		_, err := NewPolicy(baseConfig(append(slices.Clone(good), change)...))
		requireError(t, err, says)
	}
}

// requireRejected requires an error of a request, well formed, with this code and status, and a description that says this.
func requireRejected(t testing.TB, err error, code oauth.Code, status int, says string, more ...any) *oauth.Error {
	t.Helper()
	require.Error(t, err, more...)
	rejection := oauth.AsError(err)
	require.Contains(t, rejection.Description, says, more...)
	require.Equal(t, code, rejection.Code, more...)
	require.Equal(t, status, rejection.Status, more...)
	requireWellFormed(t, err)
	return rejection
}
