package attacks

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

// metadata is the attacker who can alter the IdP's metadata, which a gateway with
// discover asks for, or the responses that it is held to.
func metadata() []Attack {
	const evil = "https://evil.example"
	altered := func(members map[string]any) func(context.Context, *stage) (Outcome, error) {
		return func(ctx context.Context, s *stage) (Outcome, error) { return s.misled(ctx, members) }
	}
	attack := func(name string, members map[string]any) Attack {
		return Attack{
			Name: name, Means: "the metadata, altered on its way to the gateway", Goal: "logins and codes at an address of his own",
			setup: setup{options: "discover"}, only: anyGateway, run: altered(members),
		}
	}
	return []Attack{
		attack("puts the metadata of an issuer of his own in the place of the IdP's", map[string]any{
			"issuer": evil, "authorization_endpoint": evil + "/authorize", "token_endpoint": evil + "/token",
		}),
		attack("moves the endpoints to plain http", map[string]any{
			"authorization_endpoint": "http://evil.example/authorize", "token_endpoint": "http://evil.example/token",
		}),
		attack("has the metadata name an address that a parser reads in two ways", map[string]any{
			"authorization_endpoint": `https://evil.example\@idp.example/authorize`,
		}),
		attack("has the metadata run a script at the logout", map[string]any{
			"authorization_endpoint": "javascript:alert(1)", "end_session_endpoint": "javascript:alert(1)",
		}),
		{
			Name: "strips `iss` from the IdP's response, to pass it off as that of another IdP", Means: "a response of the IdP that says whose it is", Goal: "a code for a client that asked somebody else",
			setup: setup{options: "discover", idp: func(b *testidp.Behavior) { b.SendsIssuer = true }}, only: withCallback,
			run: func(ctx context.Context, s *stage) (Outcome, error) { return s.withIssuer(ctx, "") },
		},
		{
			Name: "puts an `iss` of his own into the IdP's response", Means: "a response of the IdP that says whose it is", Goal: "a code for a client that asked somebody else",
			setup: setup{options: "discover", idp: func(b *testidp.Behavior) { b.SendsIssuer = true }}, only: withCallback,
			run: func(ctx context.Context, s *stage) (Outcome, error) { return s.withIssuer(ctx, evil) },
		},
		{
			Name: "the same, to have the client told so; the gateway knows the issuer, or none", Means: "a response of the IdP that says whose it is", Goal: "the client takes the response for that of another IdP",
			setup: setup{options: "discover", idp: func(b *testidp.Behavior) { b.SendsIssuer = true }}, only: withCallback,
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				for _, options := range []string{"", "issuer " + s.idp.URL(), "discover"} {
					if err := s.restart(0, func(c *setup) { c.options = options }); err != nil {
						return Outcome{}, err
					}
					sent, err := s.logInUntilCode(ctx, victim, newLogin())
					if err != nil {
						return Outcome{}, err
					}
					sent.params.Set("iss", evil)
					next, err := s.loadCallback(ctx, sent.params)
					if err != nil || next == nil {
						return Outcome{}, fmt.Errorf("the response does not reach the client: %w", err)
					}
					if iss := next.params.Get("iss"); iss != "" && iss != s.idp.URL() {
						return succeeded("the client is told that it is from %s", iss), nil
					}
				}
				return stopped(Gateway, "the known issuer, or none"), nil
			},
		},
	}
}

// misled has a gateway that has never asked before read altered metadata. With the
// unaltered it has to work.
func (s *stage) misled(ctx context.Context, members map[string]any) (Outcome, error) {
	authorize := func() (*response, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.authorizeURL(newLogin()), nil)
		if err != nil {
			return nil, err
		}
		return s.do(r)
	}
	before, err := authorize()
	if err != nil {
		return Outcome{}, err
	}
	if location := before.header.Get("Location"); !strings.HasPrefix(location, s.idp.URL()) {
		return Outcome{}, fmt.Errorf("with the unaltered metadata it answers %d, to %s", before.status, location)
	}
	s.idp.Change(func(b *testidp.Behavior) { b.Metadata = members })
	s.nodes[0].Kill()
	if err := os.RemoveAll(filepath.Join(s.storage, "identity_gateway", "discovery")); err != nil {
		return Outcome{}, err
	}
	if err := s.restart(0, func(*setup) {}); err != nil {
		return Outcome{}, err
	}
	after, err := authorize()
	if err != nil {
		return Outcome{}, err
	}
	if location := after.header.Get("Location"); location != "" {
		return succeeded("sent to %s", location), nil
	}
	if after.status != http.StatusServiceUnavailable {
		return Outcome{}, fmt.Errorf("it answers %d", after.status)
	}
	return stopped(Gateway, "%d", after.status), nil
}

// withIssuer delivers the IdP's response with another iss. Unaltered it has to work.
func (s *stage) withIssuer(ctx context.Context, iss string) (Outcome, error) {
	deliver := func(alter func(url.Values)) (string, error) {
		sent, err := s.logInUntilCode(ctx, victim, newLogin())
		if err != nil {
			return "", err
		}
		alter(sent.params)
		next, err := s.loadCallback(ctx, sent.params)
		if err != nil || next == nil {
			return "", err
		}
		return next.params.Get("code"), nil
	}
	code, err := deliver(func(url.Values) {})
	if err == nil && code == "" {
		err = errors.New("the unaltered response gives no code")
	}
	if err != nil {
		return Outcome{}, err
	}
	code, err = deliver(func(q url.Values) {
		q.Del("iss")
		if iss != "" {
			q.Set("iss", iss)
		}
	})
	switch {
	case err != nil:
		return Outcome{}, err
	case code != "":
		return succeeded("the client was sent a code"), nil
	}
	return stopped(Gateway, "the client was sent no code"), nil
}
