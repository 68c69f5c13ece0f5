package accesstoken_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// introspected is an issuer that says what it is told to say of any token; nil is nothing.
type introspected struct {
	claims atomic.Pointer[map[string]any]
}

func (i *introspected) RoundTrip(*http.Request) (*http.Response, error) {
	response := &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{"Content-Type": {"application/json"}}, Body: http.NoBody}
	if claims := i.claims.Load(); claims != nil {
		content, _ := json.Marshal(*claims)
		response.StatusCode, response.Body = http.StatusOK, io.NopCloser(strings.NewReader(string(content)))
	}
	return response, nil
}

// A request under way ends when its token would not be accepted any more, and not before.
func TestARequestEndsWithItsToken(t *testing.T) {
	const later = time.Hour
	for name, test := range map[string]struct {
		exp    time.Duration // 0: the issuer does not say
		after  map[string]any
		down   bool // after it has answered once
		scopes []string
		ends   time.Duration // 0: not within an hour
	}{
		"it expires":                             {exp: 10 * time.Minute, ends: 11 * time.Minute},
		"it expires, and the issuer is down":     {exp: 10 * time.Minute, down: true, ends: 11 * time.Minute},
		"it is good":                             {},
		"the issuer is down":                     {down: true},
		"it is revoked":                          {after: map[string]any{"active": false}, ends: time.Minute},
		"it is revoked, and expires much later":  {exp: later, after: map[string]any{"active": false}, ends: time.Minute},
		"it lost a scope that all need":          {after: map[string]any{"scope": "write"}, ends: time.Minute},
		"it lost a scope that this request has":  {after: map[string]any{"scope": "read"}, scopes: []string{"write"}, ends: time.Minute},
		"it lost a scope that nobody needs here": {after: map[string]any{"scope": "read"}},
		"the issuer ends it earlier":             {exp: later, after: map[string]any{"exp": 20}, ends: 21 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				issuer := new(introspected)
				say := func(with map[string]any) {
					claims := map[string]any{"active": true, "sub": "u1", "aud": audience, "client_id": "app", "scope": "read write"}
					if test.exp > 0 {
						claims["exp"] = begin.Add(test.exp).Unix()
					}
					for name, value := range with {
						if minutes, ok := value.(int); ok {
							value = begin.Add(time.Duration(minutes) * time.Minute).Unix()
						}
						claims[name] = value
					}
					issuer.claims.Store(&claims)
				}
				say(nil)
				v, err := accesstoken.New(accesstoken.Config{
					Issuer: issuerURL, Audiences: []string{audience}, Scopes: []string{"read"},
					Opaque: &accesstoken.Introspection{Endpoint: jwks.At("https://idp.example/introspect"), Client: &http.Client{Transport: issuer}},
				})
				require.NoError(t, err)
				r := httptest.NewRequest(http.MethodGet, "/", nil)
				r.Header.Set("Authorization", "Bearer opaque")
				token, err := v.VerifyRequest(t.Context(), r, "", nil)
				require.NoError(t, err)
				holds := func(t *accesstoken.Token) error {
					if !t.HasScopes(test.scopes) {
						return bearer.InsufficientScopes()
					}
					return nil
				}
				var ended time.Duration
				var why error
				watch := v.Watch(r, token, holds, func(err error) { ended, why = time.Since(begin), err })
				r.Header.Del("Authorization") // the server behind does not get it
				if say(test.after); test.down {
					issuer.claims.Store(nil)
				}
				time.Sleep(later - time.Minute)
				watch.Stop()
				require.Equal(t, test.ends, ended)
				if test.ends > 0 {
					require.Less(t, oauth.AsError(why).Status, 500)
				}
				time.Sleep(2 * later)
				require.Equal(t, test.ends, ended, "it was stopped")
			})
		})
	}
}

// BenchmarkWatch is what it costs that a request ends with its token.
func BenchmarkWatch(b *testing.B) {
	g := newGateway(b)
	v, raw := g.verifier(b, nil), g.token(nil)
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Authorization", "Bearer "+raw)
	token := accepted(b, v, raw)
	b.ReportAllocs()
	for b.Loop() {
		v.Watch(r, token, nil, func(error) {}).Stop()
	}
}
