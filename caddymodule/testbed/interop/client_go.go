package main

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// runGoClient is golang.org/x/oauth2 with github.com/coreos/go-oidc, set up as
// their documentation says.
func runGoClient(ctx context.Context, e *environment, s session) ([]Result, error) {
	ctx = oidc.ClientContext(ctx, &http.Client{Transport: e.authority.transport(), Timeout: 30 * time.Second})
	provider := (&oidc.ProviderConfig{
		IssuerURL:   s.Issuer,
		AuthURL:     s.Gateway + "/authorize",
		TokenURL:    s.Gateway + "/oauth/token",
		UserInfoURL: s.Gateway + "/userinfo",
		JWKSURL:     s.JWKSURI,
		Algorithms:  []string{oidc.RS256, oidc.ES256, oidc.PS256},
	}).NewProvider(ctx)
	config := &oauth2.Config{
		ClientID: s.ClientID, Endpoint: provider.Endpoint(), RedirectURL: s.RedirectURI, Scopes: strings.Fields(s.Scope),
	}
	var results []Result
	offered := func(step string) bool { return !slices.Contains(s.Lacks, step) }
	var token *oauth2.Token
	var subject string
	checkUser := func(token *oauth2.Token) {
		if user := fail.Must(provider.UserInfo(ctx, oauth2.StaticTokenSource(token))); user.Subject != subject {
			fail.Now("user info is about %q, the ID token about %q", user.Subject, subject)
		}
	}
	if !step(&results, "login", func() { token, subject = goLogin(ctx, e, s, provider, config) }) {
		return results, nil
	}
	if offered("userinfo") {
		step(&results, "userinfo", func() { checkUser(token) })
	}
	if offered("refresh") {
		step(&results, "refresh", func() {
			if token.RefreshToken == "" {
				fail.Now("there is no refresh token")
			}
			old := *token
			old.Expiry = time.Now().Add(-time.Hour)
			fresh := fail.Must(config.TokenSource(ctx, &old).Token())
			if fresh.AccessToken == token.AccessToken {
				fail.Now("the access token is still the old one")
			}
			if _, renewed := fresh.Extra("id_token").(string); renewed {
				token = fresh // a logout's hint is the last ID token
			}
			if offered("userinfo") {
				checkUser(fresh)
			}
		})
	}
	if offered("logout") {
		step(&results, "logout", func() {
			query := url.Values{"client_id": {s.ClientID}, "returnTo": {s.ReturnTo}}
			if hint, _ := token.Extra("id_token").(string); s.Hints {
				query.Set("id_token_hint", hint)
			}
			arrived := fail.Must(e.browser.current.visit(ctx, s.Gateway+"/v2/logout?"+query.Encode()))
			if !strings.HasPrefix(arrived.URL, s.ReturnTo) {
				fail.Now("it ended at %s and not at returnTo", arrived.URL)
			}
		})
	}
	return results, nil
}

// step does a step and appends what came of it.
func step(results *[]Result, name string, do func()) bool {
	result := Result{Step: name, OK: true}
	if err := fail.Try(do); err != nil {
		result.OK, result.Detail = false, err.Error()
	}
	*results = append(*results, result)
	return result.OK
}

func goLogin(ctx context.Context, e *environment, s session, provider *oidc.Provider, config *oauth2.Config) (token *oauth2.Token, subject string) {
	state, nonce, verifier := rand.Text(), rand.Text(), oauth2.GenerateVerifier()
	options := []oauth2.AuthCodeOption{
		oauth2.S256ChallengeOption(verifier),
		oauth2.SetAuthURLParam("audience", s.Audience), oauth2.SetAuthURLParam("response_mode", "query"),
	}
	if !s.OAuthOnly {
		options = append(options, oidc.Nonce(nonce))
	}
	for name, value := range s.AuthParams {
		options = append(options, oauth2.SetAuthURLParam(name, value))
	}
	arrived := fail.Must(e.browser.current.visit(ctx, config.AuthCodeURL(state, options...)))
	response := fail.Must(url.ParseQuery(arrived.Params))
	if response.Get("code") == "" || response.Get("state") != state {
		fail.Now("the browser ended at %s with error %q (%s) and without our code", arrived.URL, response.Get("error"), response.Get("error_description"))
	}
	token = fail.Must(config.Exchange(ctx, response.Get("code"), oauth2.VerifierOption(verifier)))
	if s.OAuthOnly {
		return token, ""
	}
	raw, _ := token.Extra("id_token").(string)
	idToken := fail.Must(provider.VerifierContext(ctx, &oidc.Config{ClientID: config.ClientID}).Verify(ctx, raw))
	if idToken.Nonce != nonce {
		fail.Now("the ID token has another nonce")
	}
	return token, idToken.Subject
}
