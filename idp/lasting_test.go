package idp

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

// atGitHub is an agent with an OAuth app at GitHub, whose tokens don't expire.
func atGitHub(t *testing.T, with ...func(*Config)) *agent {
	a := newAgent(t, false, append([]func(*Config){gitHub}, with...)...)
	a.token = map[string]any{"access_token": "idp-access", "token_type": "bearer", "scope": "read,write"}
	a.info = `{"id":7,"name":"Ada"}`
	granting := a.idp
	a.respond(func(r *http.Request) (*http.Response, error) {
		switch {
		case r.URL.Host != "api.github.com":
			return granting(r)
		case a.infoStatus == 0:
			return nil, io.ErrUnexpectedEOF
		}
		require.Equal(t, "Bearer idp-access", r.Header.Get("Authorization"))
		return idpResponse(a.infoStatus, a.info), nil
	})
	return a
}

func gitHub(c *Config) {
	c.AuthURL, c.LogoutProtocol = "https://github.com", NoLogout
	c.Endpoints = map[Endpoint]string{Authorize: "/login/oauth/authorize", Token: "/login/oauth/access_token", UserInfo: "https://api.github.com/user"}
}

// askedAt are the addresses at the IdP that were asked since the last call.
func (a *agent) askedAt() (addresses []string) {
	for _, sent := range a.sent {
		addresses = append(addresses, sent.URL.Host+sent.URL.Path)
	}
	a.sent = nil
	return addresses
}

// A refresh asks GitHub whose the token is, and nothing else. The IdP's token is never seen.
func TestARefreshOfAnAccessTokenThatDoesNotExpire(t *testing.T) {
	for name, with := range map[string]func(*Config){"that stays": func(*Config) {}, "that rotates": rotating} {
		t.Run(name, func(t *testing.T) {
			a := atGitHub(t, with, func(c *Config) { c.TokenClaims = []users.GivenClaim{{Path: "name"}} })
			g := a.tokens()
			require.Equal(t, 3600, g.ExpiresIn)
			a.askedAt()
			for _, called := range []string{"Ada", "Ada L.", "Ada K."} {
				a.sealed.pass(time.Hour)
				a.info = `{"id":7,"name":"` + called + `"}`
				next := a.answer(a.renew(g.RefreshToken))
				require.Equal(t, []string{"api.github.com/user"}, a.askedAt())
				require.Equal(t, [2]any{"read write", 3600}, [2]any{next.Scope, next.ExpiresIn})
				token := a.opened(next.AccessToken)
				require.Equal(t, "7", token.Subject)
				require.Contains(t, string(token.Claims()), strconv.Quote(called), "each refresh asks again")
				require.Equal(t, name == "that rotates", next.RefreshToken != "" && next.RefreshToken != g.RefreshToken)
				if next.RefreshToken != "" {
					g = next
				}
			}
			require.Equal(t, "read", a.answer(a.renew(g.RefreshToken, "scope", "read")).Scope, "less than was granted")
			a.refuses(a.renew(g.RefreshToken, "scope", "admin"), oauth.InvalidScope, "")
			a.askedAt()

			for says, refused := range map[string]struct {
				info       string
				infoStatus int
				status     int
				code       oauth.Code
			}{
				"log in again":           {`{"message":"Bad credentials"}`, 401, 400, oauth.InvalidGrant},
				"another user":           {`{"id":8,"name":"Ada"}`, 200, 400, oauth.InvalidGrant},
				"does not say at":        {`{}`, 500, 503, oauth.TemporarilyUnavailable},
				"at the moment":          {``, 0, 503, oauth.TemporarilyUnavailable},
				"does not say whose":     {`{"message":"Sorry. Your account was suspended."}`, 403, 502, oauth.ServerError},
				"does not say who":       {`{}`, 200, 502, oauth.ServerError},
				"no sub and no id":       {`[]`, 200, 502, oauth.ServerError},
				"the user is; try again": {`{}`, 429, 503, oauth.TemporarilyUnavailable},
			} {
				a.info, a.infoStatus = refused.info, refused.infoStatus
				result := a.renew(g.RefreshToken)
				a.refuses(result, refused.code, says)
				require.Equal(t, refused.status, result.Status)
				require.Equal(t, []string{"api.github.com/user"}, a.askedAt())
				require.Nil(t, result.Issued)
				require.NotContains(t, fmt.Sprintf("%+v", result), "idp-access")
			}
			a.info, a.infoStatus = `{"id":7}`, 200
			a.answer(a.renew(g.RefreshToken))
			if name == "that stays" {
				return
			}
			a.sealed.pass(time.Second)
			require.NoError(t, a.Gateway.End(t.Context(), rotation.OfUser, "7"))
			a.askedAt()
			a.refuses(a.renew(g.RefreshToken), oauth.InvalidGrant, "has ended")
			require.Empty(t, a.askedAt())
		})
	}
}

// Whoever has the sealed token gets nothing for it anywhere else, and the IdP hears nothing of it.
func TestWhereARefreshTokenOfAnAccessTokenIsNoGood(t *testing.T) {
	for name, with := range map[string]func(*Config){"that stays": func(*Config) {}, "that rotates": rotating} {
		t.Run(name, func(t *testing.T) {
			a := atGitHub(t, with)
			code := a.logIn()
			g := a.answer(a.redeem(code))
			a.askedAt()
			a.refuses(a.do("POST", "/oauth/token", refreshForm("single", g.RefreshToken)), oauth.InvalidGrant, "issued to another client")
			a.refuses(a.redeem(g.RefreshToken), oauth.InvalidGrant, "")
			a.refuses(a.renew(g.AccessToken), oauth.InvalidRequest, "one of the gateway's own access tokens")
			a.refuses(a.renew(code), oauth.InvalidGrant, "did not issue the refresh token")
			a.refuses(a.renew("idp-access"), oauth.InvalidGrant, "did not issue the refresh token")
			require.Equal(t, 401, a.do("GET", "/userinfo", "", "Authorization", "Bearer "+g.RefreshToken).Status)
			require.JSONEq(t, `{"active":false}`, string(a.ask("server-a", g.RefreshToken).Body))
			require.Empty(t, a.askedAt())

			revoked := a.do("POST", "/oauth/revoke", url.Values{"client_id": {"app"}, "token": {g.RefreshToken}}.Encode())
			if name == "that stays" {
				a.refuses(revoked, oauth.UnsupportedTokenType, "no revocation endpoint")
				a.answer(a.renew(g.RefreshToken))
				return
			}
			require.Equal(t, 200, revoked.Status, string(revoked.Body))
			a.refuses(a.renew(g.RefreshToken), oauth.InvalidGrant, "log in again")
			require.Empty(t, a.askedAt())
		})
	}
	g := atGitHub(t).tokens()
	for name, with := range map[string]func(*Config){
		"tokens of the IdP since": passedThrough,
		"without resources since": withoutResources,
		"another IdP since":       func(c *Config) { c.AuthURL, c.Endpoints = "https://idp.example", nil },
	} {
		a := atGitHub(t, with)
		a.refuses(a.renew(g.RefreshToken), oauth.InvalidGrant, "log in again")
		require.Empty(t, a.askedAt(), name)
	}
}

// What expires, or has a refresh token, is renewed with that alone; what an app gets itself, not here.
func TestAnAccessTokenIsNoRefreshTokenElsewhere(t *testing.T) {
	for name, tt := range map[string]struct {
		with  func(*Config)
		token map[string]any
		renew bool
	}{
		"one that expires":   {func(*Config) {}, map[string]any{"expires_in": 28800}, false},
		"of a GitHub App":    {func(*Config) {}, map[string]any{"expires_in": 28800, "refresh_token": "idp-refresh"}, true},
		"with a refresh one": {func(*Config) {}, map[string]any{"refresh_token": "idp-refresh"}, true},
		"the IdP's tokens":   {passedThrough, nil, false},
		"of apps":            {withoutResources, nil, false},
		"of another IdP":     {func(c *Config) { c.AuthURL = "https://github.com.evil.example" }, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := atGitHub(t, tt.with)
			for member, value := range tt.token {
				a.token[member] = value
			}
			g := a.given(a.redeem(a.logIn("scope", "read")))
			require.Equal(t, tt.renew, g.RefreshToken != "")
			if !tt.renew {
				return
			}
			a.askedAt()
			a.answer(a.renew(g.RefreshToken))
			require.Equal(t, "idp-refresh", a.sent[0].form.Get("refresh_token"))
			require.Equal(t, []string{"github.com/login/oauth/access_token", "api.github.com/user"}, a.askedAt())
		})
	}
}
