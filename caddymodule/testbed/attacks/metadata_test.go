package attacks

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// metadata is the attacker who can alter the IdP's metadata, which a gateway with
// discover asks for, or the responses that it is held to.
func metadata() []Attack {
	const evil = "https://evil.example"
	altered := func(name string, members map[string]any) Attack {
		return attack(name, "the metadata, altered on its way to the gateway", "logins and codes at an address of his own",
			func(e *env) Outcome { return e.misled(members) }).given(discovers).in(anyGateway)
	}
	const response = "a response of the IdP that says whose it is"
	saysWhose := setup{options: "discover", idp: func(b *testidp.Behavior) { b.SendsIssuer = true }}
	return []Attack{
		altered("puts the metadata of an issuer of his own in the place of the IdP's", map[string]any{
			"issuer": evil, "authorization_endpoint": evil + "/authorize", "token_endpoint": evil + "/token",
		}),
		altered("moves the endpoints to plain http", map[string]any{
			"authorization_endpoint": "http://evil.example/authorize", "token_endpoint": "http://evil.example/token",
		}),
		altered("has the metadata name an address that a parser reads in two ways", map[string]any{
			"authorization_endpoint": `https://evil.example\@idp.example/authorize`,
		}),
		altered("has the metadata run a script at the logout", map[string]any{
			"authorization_endpoint": "javascript:alert(1)", "end_session_endpoint": "javascript:alert(1)",
		}),
		attack("strips `iss` from the IdP's response, to pass it off as that of another IdP",
			response, "a code for a client that asked somebody else", func(e *env) Outcome { return e.withIssuer("") }).
			given(saysWhose).in(withCallback),
		attack("puts an `iss` of his own into the IdP's response",
			response, "a code for a client that asked somebody else", func(e *env) Outcome { return e.withIssuer(evil) }).
			given(saysWhose).in(withCallback),
		attack("the same, to have the client told so; the gateway knows the issuer, or none",
			response, "the client takes the response for that of another IdP", func(e *env) Outcome {
				for _, options := range []string{"", "issuer " + e.idp.URL(), "discover"} {
					e.restart(0, func(c *setup) { c.options = options })
					sent := e.logInUntilCode(victim, newLogin())
					sent.params.Set("iss", evil)
					next := e.loadCallback(sent.params)
					if next == nil {
						fail.Now("the response does not reach the client")
					}
					if iss := next.params.Get("iss"); iss != "" && iss != e.idp.URL() {
						return succeeded("the client is told that it is from %s", iss)
					}
				}
				return stopped(Gateway, "the known issuer, or none")
			}).given(saysWhose).in(withCallback),
	}
}

// misled has a gateway that has never asked before read altered metadata. With the
// unaltered it has to work.
func (e *env) misled(members map[string]any) Outcome {
	authorize := func() *response { return e.get(e.authorizeURL(newLogin())) }
	before := authorize()
	if location := before.header.Get("Location"); !strings.HasPrefix(location, e.idp.URL()) {
		fail.Now("with the unaltered metadata it answers %d, to %s", before.status, location)
	}
	e.idp.Change(func(b *testidp.Behavior) { b.Metadata = members })
	e.nodes[0].Kill()
	fail.Check(os.RemoveAll(filepath.Join(e.storage, "identity_gateway", "discovery")))
	e.restart(0, func(*setup) {})
	after := authorize()
	if location := after.header.Get("Location"); location != "" {
		return succeeded("sent to %s", location)
	}
	if after.status != http.StatusServiceUnavailable {
		fail.Now("it answers %d", after.status)
	}
	return stopped(Gateway, "%d", after.status)
}

// withIssuer delivers the IdP's response with another iss. Unaltered it has to work.
func (e *env) withIssuer(iss string) Outcome {
	deliver := func(alter func(url.Values)) string {
		sent := e.logInUntilCode(victim, newLogin())
		alter(sent.params)
		next := e.loadCallback(sent.params)
		if next == nil {
			return ""
		}
		return next.params.Get("code")
	}
	if deliver(func(url.Values) {}) == "" {
		fail.Now("the unaltered response gives no code")
	}
	code := deliver(func(q url.Values) {
		q.Del("iss")
		if iss != "" {
			q.Set("iss", iss)
		}
	})
	if code != "" {
		return succeeded("the client was sent a code")
	}
	return stopped(Gateway, "the client was sent no code")
}
