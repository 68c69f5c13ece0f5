package idp

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// A refresh that brings no token gives its lease back, so that the next one does not
// wait, and a token that was replaced ends its login, here and at the IdP.
func TestRefreshesThroughTheGateway(t *testing.T) {
	s := newServed(t, rotating, func(c *Config) { c.Endpoints = map[Endpoint]string{Revoke: "/revoke"} })
	refresh := func(token string) *Result {
		return s.do("POST", "/oauth/token", form("grant_type", "refresh_token", "refresh_token", token, "code", "", "code_verifier", "", "redirect_uri", ""))
	}
	first := s.sealed.granted("app", nil, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-1"}`)
	s.sealed.pass(time.Hour)

	s.respond(func(*http.Request) (*http.Response, error) { return idpResponse(503, ""), nil })
	require.Equal(t, http.StatusServiceUnavailable, refresh(first).Status)
	s.respond(func(*http.Request) (*http.Response, error) {
		return idpResponse(200, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-2"}`), nil
	})
	result := refresh(first)
	require.Equal(t, http.StatusOK, result.Status, string(result.Body))
	require.NotContains(t, string(result.Body), "idp-2")
	require.Empty(t, result.Incidents)

	s.sealed.pass(time.Hour)
	s.sent = nil
	s.respond(func(*http.Request) (*http.Response, error) { return nil, errors.New("down") })
	result = refresh(first)
	require.Equal(t, http.StatusBadRequest, result.Status)
	require.Len(t, s.sent, 1)
	require.Equal(t, "https://idp.example/revoke idp-2", s.sent[0].URL.String()+" "+s.sent[0].form.Get("token"))
	require.Equal(t, []Endpoint{Revoke}, []Endpoint{result.Calls[0].Endpoint}, "for the metrics of the IdP")
	require.Equal(t, []IncidentKind{NotRevoked, Reused}, []IncidentKind{result.Incidents[0].Kind, result.Incidents[1].Kind})
}

// A code that its client redeems once more ends what it has bought (RFC 6749 section 4.1.2): the
// refresh tokens of the login, here and at the IdP, and access tokens of the gateway's own. A code that
// only looks like it ends nothing, and neither does one in a login that goes on.
func TestACodeThatComesAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		with   []func(*Config)
		again  func(a *agent, code string) *Result
		before func(a *agent, g granted) granted // what has happened to the tokens meanwhile
		ends   bool
	}{
		"from its client": {again: func(a *agent, code string) *Result { return a.redeem(code) }, ends: true},
		"from its client, with tokens of the IdP": {
			with: []func(*Config){passedThrough}, again: func(a *agent, code string) *Result { return a.redeem(code) }, ends: true,
		},
		"after a refresh": {
			before: func(a *agent, g granted) granted { return a.given(a.renew(g.RefreshToken)) },
			again:  func(a *agent, code string) *Result { return a.redeem(code) }, ends: true,
		},
		"from another client": {again: func(a *agent, code string) *Result {
			return a.do("POST", "/oauth/token", form("code", code, "client_id", "single", "redirect_uri", "https://single.example/cb?tenant=1"))
		}},
		"without its verifier": {again: func(a *agent, code string) *Result {
			return a.do("POST", "/oauth/token", form("code", code, "code_verifier", string(verifierOf("x"))))
		}},
		"too late": {again: func(a *agent, code string) *Result {
			a.sealed.pass(2 * time.Minute)
			return a.redeem(code)
		}},
		// Whoever has seen the IdP's code in a URL ends nobody's login with one of his own.
		"the IdP's, in the login of a thief": {again: func(a *agent, _ string) *Result {
			own := a.logIn("code_challenge", string(verifierOf("t").S256()))
			return a.do("POST", "/oauth/token", form("code", own, "code_verifier", string(verifierOf("t"))))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, true, append([]func(*Config){rotating, func(c *Config) { c.Endpoints = map[Endpoint]string{Revoke: "/oauth/revoke"} }}, tt.with...)...)
			code := a.logIn()
			g := a.given(a.redeem(code))
			a.claims = nil
			if tt.before != nil {
				g = tt.before(a, g)
			}
			a.claims = map[string]any{}
			result := tt.again(a, code)
			a.claims = nil
			a.refuses(result, oauth.InvalidGrant, "")
			own := len(tt.with) == 0
			if own {
				require.Equal(t, !tt.ends, strings.Contains(string(a.ask("server-a", g.AccessToken).Body), `"active":true`), "the access token")
			}
			renewed := a.renew(g.RefreshToken)
			if !tt.ends {
				a.given(renewed)
				require.Empty(t, a.revoked())
				return
			}
			a.refuses(renewed, oauth.InvalidGrant, "log in again")
			require.Equal(t, []string{"idp-refresh"}, a.revoked())
			require.Equal(t, []IncidentKind{CodeReused}, []IncidentKind{result.Incidents[0].Kind})
		})
	}
}

// Without a family in the store there is nothing to end, and a code that is being redeemed has
// bought nothing yet: who sends it twice at a time keeps what the first has bought.
func TestACodeThatComesTwiceAtATime(t *testing.T) {
	a := newAgent(t, true, rotating)
	code, twice := a.logIn(), (*Result)(nil)
	respond := a.idp
	a.respond(func(r *http.Request) (*http.Response, error) {
		if twice == nil {
			twice = a.redeem(code)
		}
		return respond(r)
	})
	g := a.given(a.redeem(code))
	a.refuses(twice, oauth.InvalidGrant, "redeemed before")
	a.claims = nil
	a.given(a.renew(g.RefreshToken))
}
