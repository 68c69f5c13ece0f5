package accesstoken_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
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

// endpoint is an introspection or userinfo endpoint that counts.
type endpoint struct {
	*httptest.Server
	asked   atomic.Int64
	respond atomic.Pointer[http.HandlerFunc]
	failure atomic.Pointer[string]
}

func newEndpoint(t testing.TB, respond http.HandlerFunc) *endpoint {
	e := new(endpoint)
	e.respond.Store(&respond)
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.asked.Add(1)
		(*e.respond.Load())(w, r)
	}))
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) respondWith(respond http.HandlerFunc) { e.respond.Store(&respond) }

func (e *endpoint) failed(err error) { text := err.Error(); e.failure.Store(&text) }

func (e *endpoint) introspection(c *accesstoken.Config) {
	c.Opaque = &accesstoken.Introspection{
		Endpoint: jwks.At(e.URL), ClientID: "api:1", Secret: "s e%cret", Client: e.Client(), Failed: e.failed,
	}
}

func respondJSON(status int, body any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	}
}

func active(i *issuer, with ...any) map[string]any {
	return i.claims(append([]any{"active", true, "token_type", "Bearer"}, with...)...)
}

func TestIntrospection(t *testing.T) {
	i := newIssuer(t)
	e := newEndpoint(t, nil)
	e.respondWith(func(w http.ResponseWriter, r *http.Request) {
		id, secret, _ := r.BasicAuth()
		if r.Method != http.MethodPost || id != "api%3A1" || secret != "s+e%25cret" || r.FormValue("token") != "opaque-1" || r.FormValue("token_type_hint") != "access_token" ||
			r.Header.Get("Accept") != "application/json" {
			t.Errorf("%s %s:%s %v", r.Method, id, secret, r.Form)
		}
		respondJSON(200, active(i))(w, r)
	})
	v := i.verifier(t, e.introspection)
	token := accepted(t, v, "opaque-1")
	require.Equal(t, "u1", token.Subject)
	require.Equal(t, "app", token.ClientID)
	require.Equal(t, []string{"read", "write"}, token.Scopes)
	require.Equal(t, "u1", token.Claim("sub"))
	require.Zero(t, i.fetches.Load())
	accepted(t, v, i.token(t)) // a JWT is not asked about
	require.EqualValues(t, 1, e.asked.Load())
}

func TestIntrospectionsThatAreRejected(t *testing.T) {
	i := newIssuer(t)
	for name, test := range map[string]struct {
		respond http.HandlerFunc
		status  int
		reason  string
		failure string // what the operator is told
	}{
		"not active":                   {respondJSON(200, map[string]any{"active": false}), 401, "unknown to its issuer", ""},
		"not active, with claims":      {respondJSON(200, active(i, "active", false)), 401, "unknown to its issuer", ""},
		"active is a string":           {respondJSON(200, active(i, "active", "true")), 503, "can't be asked", "the response is not the JSON"},
		"active is missing":            {respondJSON(200, i.claims()), 503, "can't be asked", "the response is not the JSON"},
		"for another audience":         {respondJSON(200, active(i, "aud", "https://other.example")), 401, "another resource server", ""},
		"for no audience":              {respondJSON(200, active(i, "aud", nil)), 401, "another resource server", ""},
		"of another issuer":            {respondJSON(200, active(i, "iss", "https://evil.example")), 401, "another issuer", ""},
		"expired":                      {respondJSON(200, active(i, "exp", i.now().Add(-time.Hour).Unix())), 401, "expired", ""},
		"not yet valid":                {respondJSON(200, active(i, "nbf", i.now().Add(time.Hour).Unix())), 401, "not valid yet", ""},
		"a refresh token":              {respondJSON(200, active(i, "token_use", "refresh_token")), 401, "another purpose", ""},
		"a refresh token, by type":     {respondJSON(200, active(i, "token_type", "refresh_token")), 401, "another purpose", ""},
		"a DPoP token":                 {respondJSON(200, active(i, "token_type", "DPoP")), 401, "bound to a key", ""},
		"bound to a key":               {respondJSON(200, active(i, "cnf", map[string]string{"jkt": "x"})), 401, "bound to a key", ""},
		"active twice":                 {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"active":false,"active":true}`) }, 503, "can't be asked", "the response is not the JSON"},
		"a page":                       {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `<html>`) }, 503, "can't be asked", "the response is not the JSON"},
		"deep JSON":                    {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("[", 1<<19)) }, 503, "can't be asked", "the response is not the JSON"},
		"too much":                     {respondJSON(200, active(i, "x", strings.Repeat("a", 1<<20))), 503, "can't be asked", "larger than 1048576 bytes"},
		"a redirect":                   {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x", 307) }, 503, "can't be asked", "responded with status 307"},
		"other credentials":            {respondJSON(401, map[string]string{"error": "invalid_client"}), 503, "can't be asked", "rejected the client that asks, with status 401; check its id and secret"},
		"down":                         {respondJSON(500, nil), 503, "can't be asked", "responded with status 500"},
		"credentials that may not ask": {respondJSON(403, nil), 503, "can't be asked", "rejected the client that asks, with status 403"},
		"not allowed":                  {respondJSON(402, nil), 503, "can't be asked", "responded with status 402"},
		"not found":                    {respondJSON(404, nil), 503, "can't be asked", "responded with status 404"},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEndpoint(t, test.respond)
			v := i.verifier(t, e.introspection)
			rejected(t, v, "opaque-1", test.status, test.reason)
			if failure := e.failure.Load(); failure != nil {
				require.NotContains(t, *failure, "opaque-1")
				require.NotContains(t, *failure, "e%cret")
			}
			require.Equal(t, test.status == 503, e.failure.Load() != nil, "the operator is told")
			if failure := e.failure.Load(); failure != nil {
				require.Contains(t, *failure, "asking about an access token")
				require.Contains(t, *failure, e.Listener.Addr().String())
				require.Contains(t, *failure, test.failure)
			}
		})
	}
}

// For as long as the configuration says, or, if that is earlier, until the token expires.
func TestHowLongAnswersAreRemembered(t *testing.T) {
	i := newIssuer(t)
	for name, test := range map[string]struct {
		answer   map[string]any
		ttl, end time.Duration
	}{
		"without an end": {map[string]any{"active": true, "aud": audience}, 0, accesstoken.DefaultCacheTTL},
		"with one":       {active(i, "exp", i.now().Add(10*time.Second).Unix()), time.Hour, 10*time.Second + accesstoken.ClockSkew},
	} {
		e := newEndpoint(t, respondJSON(200, test.answer))
		v := i.verifier(t, func(c *accesstoken.Config) { e.introspection(c); c.CacheTTL = test.ttl })
		accepted(t, v, "opaque-1")
		i.advance(test.end - time.Second)
		accepted(t, v, "opaque-1")
		require.EqualValues(t, 1, e.asked.Load(), name)
		i.advance(time.Second)
		_, _ = v.Verify(t.Context(), "opaque-1")
		require.EqualValues(t, 2, e.asked.Load(), name)
		i.advance(-test.end)
	}
}

func TestAnswersAreRememberedForAShortTime(t *testing.T) {
	i := newIssuer(t)
	e := newEndpoint(t, respondJSON(200, active(i)))
	v := i.verifier(t, e.introspection)
	for range 10 {
		accepted(t, v, "opaque-1")
	}
	require.EqualValues(t, 1, e.asked.Load())
	i.advance(accesstoken.DefaultCacheTTL)
	e.respondWith(respondJSON(200, map[string]any{"active": false})) // revoked
	for range 10 {
		rejected(t, v, "opaque-1", 401, "unknown")
	}
	require.EqualValues(t, 2, e.asked.Load())
	i.advance(10 * time.Second)
	rejected(t, v, "opaque-1", 401, "unknown")
	require.EqualValues(t, 3, e.asked.Load())

	// An answer that expires earlier; a failure is not remembered.
	e.respondWith(respondJSON(200, active(i, "exp", i.now().Unix())))
	accepted(t, v, "opaque-2")
	i.advance(accesstoken.ClockSkew)
	e.respondWith(respondJSON(500, nil))
	rejected(t, v, "opaque-2", 503, "can't be asked")
	e.respondWith(respondJSON(200, active(i)))
	accepted(t, v, "opaque-2")
}

func TestRequestsAtTheSameTimeShareOneQuestion(t *testing.T) {
	i := newIssuer(t)
	hold := make(chan struct{})
	e := newEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
		<-hold
		respondJSON(200, active(i))(w, r)
	})
	v := i.verifier(t, e.introspection)
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			if _, err := v.Verify(t.Context(), "opaque-1"); err != nil {
				t.Error(err)
			}
		})
	}
	time.AfterFunc(50*time.Millisecond, func() { close(hold) })
	wait.Wait()
	require.EqualValues(t, 1, e.asked.Load())
}

// Tokens that somebody makes up neither fill the memory nor ask without bound, and
// do not push out those that are known.
func TestAFloodOfUnknownTokens(t *testing.T) {
	i := newIssuer(t)
	e := newEndpoint(t, respondJSON(200, active(i)))
	v := i.verifier(t, e.introspection)
	accepted(t, v, "opaque-1")

	hold := make(chan struct{})
	e.respondWith(func(w http.ResponseWriter, r *http.Request) {
		<-hold
		respondJSON(200, map[string]any{"active": false})(w, r)
	})
	var busy atomic.Int64
	var wait sync.WaitGroup
	for n := range 200 {
		wait.Go(func() {
			if _, err := v.Verify(t.Context(), fmt.Sprint("junk-", n)); err != nil && strings.Contains(err.Error(), "too many") {
				busy.Add(1)
			}
		})
	}
	require.Eventually(t, func() bool { return busy.Load() == 200-64 }, 10*time.Second, 5*time.Millisecond)
	accepted(t, v, "opaque-1")
	close(hold)
	wait.Wait()
	require.EqualValues(t, 1+64, e.asked.Load())
}

func TestQuestionsThatCantBeAsked(t *testing.T) {
	i := newIssuer(t)
	for name, location := range map[string]jwks.Location{
		"nobody knows where": func(context.Context) (string, error) { return "", errors.New("nobody knows where") },
		"missing protocol":   jwks.At(":"),
		"invalid port":       jwks.At("http://127.0.0.1:x/"),
		"dial tcp":           jwks.At("http://127.0.0.1:0/"),
		"has ten seconds": func(ctx context.Context) (string, error) {
			if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= 10*time.Second {
				return "", errors.New("has ten seconds")
			}
			return "", errors.New("has no end")
		},
	} {
		var failure error
		v := i.verifier(t, func(c *accesstoken.Config) {
			c.Opaque = &accesstoken.Introspection{Endpoint: location, Client: http.DefaultClient, Failed: func(err error) { failure = err }}
		})
		rejected(t, v, "opaque-1", 503, "can't be asked")
		require.ErrorContains(t, failure, name)
		v = i.verifier(t, func(c *accesstoken.Config) {
			c.Opaque = &accesstoken.Introspection{Endpoint: location, Client: http.DefaultClient}
		})
		rejected(t, v, "opaque-1", 503, "can't be asked")
	}
}

func TestAClientThatDoesNotWait(t *testing.T) {
	i := newIssuer(t)
	hold := make(chan struct{})
	e := newEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
		<-hold
		respondJSON(200, active(i))(w, r)
	})
	v := i.verifier(t, e.introspection)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := v.Verify(ctx, "opaque-1")
	require.ErrorIs(t, err, context.Canceled)
	close(hold)
	accepted(t, v, "opaque-1")
	require.EqualValues(t, 1, e.asked.Load(), "the question went on without it")
}

// TestTokensThatAreAskedAbout: without keys, all of them, and with keys all but JWTs.
func TestTokensThatAreAskedAbout(t *testing.T) {
	i := newIssuer(t)
	e := newEndpoint(t, respondJSON(200, active(i)))
	accepted(t, i.verifier(t, e.introspection), "not.a.jwt")
	require.EqualValues(t, 1, e.asked.Load())
	withoutKeys := i.verifier(t, func(c *accesstoken.Config) { e.introspection(c); c.Keys = nil })
	accepted(t, withoutKeys, i.token(t))
	require.EqualValues(t, 2, e.asked.Load())
	require.Zero(t, i.fetches.Load())
}

// TestClaimsThatAreNotAskedFor: RFC 7662 section 2.2, only active is required.
func TestClaimsThatAreNotAskedFor(t *testing.T) {
	i := newIssuer(t)
	e := newEndpoint(t, respondJSON(200, map[string]any{"active": true, "aud": audience}))
	require.Empty(t, accepted(t, i.verifier(t, e.introspection), "opaque-1").Subject)
}

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
