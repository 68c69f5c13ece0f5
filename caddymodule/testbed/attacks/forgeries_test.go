package attacks

import (
	"crypto/rand"
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

// pushesItself are the options of a client that pushes its authorization requests, with its key.
const pushesItself = "token_endpoint_auth private_key_jwt {jwks}\n\t\tpar required"

// forgeries is the attacker who makes authorization requests in the name of the victim's client.
func forgeries() []Attack {
	const (
		lured = "a lured victim"
		goal  = "a login that the client did not ask for"
		seen  = "a request of the client that he has seen"
	)
	pushed := setup{sealed: "public_url {base}", client: pushesItself}
	return []Attack{
		attack("makes a request in the client's name, with more scopes",
			lured, goal, func(e *env) Outcome { return e.forge(moreScopes(newLogin())) }).
			succeedsIn(always, "Anybody can write a link. `par required` takes requests only that the client has pushed."),
		attack("the same; the client has `par required`. He pushes nothing, pushes without a key, with one of his own or an assertion for another server, or adds parameters to a pushed request",
			lured+", and the client's public key", goal, func(e *env) Outcome {
				more := moreScopes(newLogin())
				for _, key := range []*dpoptest.Key{nil, dpoptest.NewKey()} {
					if uri := e.push(more, key, e.base); uri != "" {
						return succeeded("a request of somebody else is taken: %s", uri)
					}
				}
				if uri := e.push(more, e.key, "https://evil.example"); uri != "" {
					return succeeded("an assertion for another server is taken: %s", uri)
				}
				beside := url.Values{"client_id": {appID}, "request_uri": {e.pushed()}, "scope": {"openid read admin"}, "redirect_uri": {evilRedirect}}
				for _, q := range []url.Values{more, beside} {
					if e.reaches(q, "admin") {
						return succeeded("the IdP is asked: %v", q)
					}
				}
				return stopped(Gateway, "the IdP is not asked")
			}).given(pushed).in(confidentialCallback),
		attack("has the victim open a pushed request once more, in his browser or hers, or as another client's",
			seen, "a login with the client's state and challenge", func(e *env) Outcome {
				q := url.Values{"client_id": {appID}, "request_uri": {e.pushed()}}
				if !e.reaches(q, "") {
					fail.Now("the client's own request does not reach the IdP")
				}
				if e.reaches(q, "") {
					return succeeded("the IdP is asked twice")
				}
				if e.reaches(url.Values{"client_id": {ownID}, "request_uri": {e.pushed()}}, "") {
					return succeeded("the IdP is asked for another client")
				}
				return stopped(Gateway, "used before")
			}).given(pushed).in(confidentialCallback),
		attack("is faster than the victim: while she reads the gateway's page (`consent`), opens the pushed request, and the address of the page, in his browser",
			seen, "a login with the client's state and challenge", func(e *env) Outcome { return e.outrun(url.Values{"client_id": {appID}, "request_uri": {e.pushed()}}) }).
			given(setup{sealed: pushed.sealed, client: pushesItself + "\n\t\tconsent"}).in(confidentialCallback),
	}
}

// outrun has the victim open a request, and reload the page that she gets. The attacker opens what
// she has had in the address bar.
func (e *env) outrun(q url.Values) Outcome {
	first := at(e.base, authorizePath, q)
	victims := e.browser(victim)
	v := victims.visitUntil(first, func(h hop) bool { return h.form })
	shown := v.hops[len(v.hops)-2] // before the form, which she has not sent
	if page := victims.load(shown); page.form() == nil {
		fail.Now("the victim can't reload her page: %d %.200s", page.status, page.body)
	}
	for _, seen := range []string{first, shown.link()} {
		if v := e.browser(attacker).visitUntil(seen, func(h hop) bool { return h.form }); v.last().form || strings.HasPrefix(v.last().String(), e.idp.URL()) {
			return succeeded("his browser gets the page, or to the IdP: %v", v.last())
		}
	}
	return stopped(Gateway, "used before, or for another browser")
}

// pushed is the request_uri of a request that the victim's client has pushed.
func (e *env) pushed() string {
	uri := e.push(newLogin().request(), e.key, e.base)
	if uri == "" {
		fail.Now("the client can't push its own request")
	}
	return uri
}

// push is the request_uri for a request of the victim's client, "" if it is refused. key signs the
// client's assertion for a server, nil for none.
func (e *env) push(q url.Values, key *dpoptest.Key, server string) string {
	if key != nil {
		now := time.Now().Unix()
		q.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
		q.Set("client_assertion", key.Sign(map[string]any{
			"iss": appID, "sub": appID, "aud": server, "jti": rand.Text(), "iat": now, "exp": now + 60,
		}, map[string]any{"typ": "JWT", "jwk": nil}))
	}
	var response struct {
		URI string `json:"request_uri"`
	}
	_ = json.Unmarshal([]byte(e.send(e.client, e.newPost(e.base+"/oauth/par", q, nil)).body), &response) // a refusal has none
	return response.URI
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

// reaches reports whether a request leads to the IdP with a scope.
func (e *env) reaches(q url.Values, scope string) bool {
	got := e.get(at(e.base, authorizePath, q))
	if e.mode.Protection == Nothing {
		return got.status < http.StatusBadRequest
	}
	location := got.header.Get("Location")
	return strings.HasPrefix(location, e.idp.URL()) && strings.Contains(location, scope)
}

func (e *env) forge(q url.Values) Outcome {
	if e.reaches(q, "admin") {
		return succeeded("the IdP is asked")
	}
	return stopped(e.inFront(), "the IdP is not asked")
}
