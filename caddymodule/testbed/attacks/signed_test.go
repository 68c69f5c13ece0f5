package attacks

import (
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
)

// signs are the options of a client that signs its authorization requests.
const signs = "token_endpoint_auth private_key_jwt\n\t\tjwks {jwks}\n\t\tjar required"

// forgeries is the attacker who makes authorization requests in the name of the victim's client.
func forgeries() []Attack {
	const (
		lured  = "a lured victim"
		goal   = "a login that the client did not ask for"
		seen   = "a request of the client that he has seen"
		tokens = "what the client has signed for something else"
	)
	signed := setup{sealed: "public_url {base}", client: signs}
	return []Attack{
		{
			Name: "makes a request in the client's name, with more scopes", Means: lured, Goal: goal,
			succeeds: always, why: "Anybody can write a link. `jar required` takes requests only that the client has signed.",
			run: func(e *env) Outcome { return e.forge(moreScopes(newLogin())) },
		},
		{
			Name: "the same; the client has `jar required`. He signs nothing, with `alg` none, a key of his own or the client's public key as a secret, or adds parameters to a signed request", Means: lured + ", and the client's public key", Goal: goal,
			setup: signed, only: confidentialCallback,
			run: func(e *env) Outcome {
				beside := e.signed(e.key, nil)
				beside.Set("scope", "openid read admin")
				beside.Set("redirect_uri", evilRedirect)
				more := map[string]any{"scope": "openid read admin"}
				public := fail.Must(x509.MarshalPKIXPublicKey(e.key.Public.Key))
				return e.forgeAll(moreScopes(newLogin()), beside, e.signed(dpoptest.NewKey(), more), e.unsigned(more),
					e.signed(&dpoptest.Key{Algorithm: jose.HS256, Private: public}, more))
			},
		},
		{
			Name: "has the victim open a signed request once more, in his browser or hers", Means: seen, Goal: "a login with the client's state and challenge",
			setup: signed, only: confidentialCallback,
			run: func(e *env) Outcome {
				for _, jti := range []any{rand.Text(), nil} {
					q := e.signed(e.key, map[string]any{"jti": jti})
					if !e.reaches(q, "") {
						fail.Now("the client's own request does not reach the IdP")
					}
					if e.reaches(q, "") {
						return succeeded("the IdP is asked twice")
					}
				}
				return stopped(Gateway, "used before")
			},
		},
		{
			Name: "sends a client assertion as a request, a request as a client assertion, a request inside one or behind an address, one for another server, or one of 9 KB", Means: tokens, Goal: goal,
			setup: signed, only: confidentialCallback,
			run: func(e *env) Outcome {
				inner := e.signed(e.key, nil).Get("request")
				form := url.Values{
					"grant_type": {"refresh_token"}, "refresh_token": {"x"}, "client_id": {appID},
					"client_assertion_type": {"urn:ietf:params:oauth:client-assertion-type:jwt-bearer"}, "client_assertion": {inner},
				}
				if t := e.post(e.base+tokenPath, form, nil); t.Error != "invalid_client" {
					return succeeded("the request authenticates the client: %s", t.Error)
				}
				byReference := e.signed(e.key, nil)
				byReference.Set("request_uri", e.base+"/request.jwt")
				byReference.Del("request")
				return e.forgeAll(byReference, e.signed(e.key, map[string]any{"sub": appID}), e.signed(e.key, map[string]any{"request": inner}),
					e.signed(e.key, map[string]any{"request_uri": evilRedirect}), e.signed(e.key, map[string]any{"aud": "https://evil.example"}),
					e.signed(e.key, map[string]any{"client_id": ownID}), e.signed(e.key, map[string]any{"x": strings.Repeat("x", 9<<10)}))
			},
		},
	}
}

// moreScopes is a login's request, with more than the client asks for.
func moreScopes(l *login) url.Values {
	q := l.request()
	q.Set("scope", "openid read admin")
	return q
}

// writeKeys writes the public key of a client that signs into a file.
func (e *env) writeKeys() string {
	file := filepath.Join(e.storage, "jwks.json")
	set := fail.Must(json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{e.key.Public}}))
	fail.Check(os.WriteFile(file, set, 0o600))
	return file
}

// requestClaims are those of a signed request of the victim's client; with replaces some, nil removes one.
func (e *env) requestClaims(with map[string]any) map[string]any {
	now := time.Now().Unix()
	claims := map[string]any{"iss": appID, "aud": e.base, "exp": now + 60, "nbf": now, "jti": rand.Text()}
	for name, values := range newLogin().request() {
		claims[name] = values[0]
	}
	for name, value := range with {
		if claims[name] = value; value == nil {
			delete(claims, name)
		}
	}
	return claims
}

func (e *env) signed(key *dpoptest.Key, with map[string]any) url.Values {
	object := key.Sign(e.requestClaims(with), map[string]any{"typ": "oauth-authz-req+jwt", "jwk": nil})
	return url.Values{"client_id": {appID}, "request": {object}}
}

func (e *env) unsigned(with map[string]any) url.Values {
	part := base64.RawURLEncoding.EncodeToString
	return url.Values{"client_id": {appID}, "request": {part([]byte(`{"alg":"none"}`)) + "." + part(fail.Must(json.Marshal(e.requestClaims(with)))) + "."}}
}

// reaches reports whether a request leads to the IdP with a scope.
func (e *env) reaches(q url.Values, scope string) bool {
	got := e.get(at(e.base, authorizePath, q))
	if e.mode.Protection == Nothing {
		return got.status < http.StatusBadRequest
	}
	location := got.header.Get("Location")
	return strings.HasPrefix(location, e.idp.URL()) && strings.Contains(location, scope)
}

// forge has a forged request reach the IdP.
func (e *env) forge(q url.Values) Outcome {
	if e.reaches(q, "admin") {
		return succeeded("the IdP is asked")
	}
	return stopped(e.inFront(), "the IdP is not asked")
}

// forgeAll tries forged requests at a client that signs its own, which pass: none may ask for
// more, and only the one that is altered beside the object leads to the IdP at all.
func (e *env) forgeAll(forged ...url.Values) Outcome {
	if !e.reaches(e.signed(e.key, nil), "") {
		fail.Now("the client's own request does not reach the IdP")
	}
	for _, q := range forged {
		scope := "admin"
		if q.Get("scope") == "" {
			scope = ""
		}
		if e.reaches(q, scope) {
			return succeeded("the IdP is asked: %v", q)
		}
	}
	return stopped(Gateway, "the IdP is not asked")
}
