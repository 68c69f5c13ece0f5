package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
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
	step := func(name string, err error) bool {
		result := Result{Step: name, OK: err == nil}
		if err != nil {
			result.Detail = err.Error()
		}
		results = append(results, result)
		return err == nil
	}

	var token *oauth2.Token
	var subject string
	if !step("login", func() (err error) {
		token, subject, err = goLogin(ctx, e, s, provider, config)
		return err
	}()) {
		return results, nil
	}
	checkUser := func(token *oauth2.Token) error {
		user, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
		if err != nil {
			return err
		}
		if user.Subject != subject {
			return fmt.Errorf("user info is about %q, the ID token about %q", user.Subject, subject)
		}
		return nil
	}
	if offered("userinfo") {
		step("userinfo", checkUser(token))
	}
	refresh := func() error {
		if token.RefreshToken == "" {
			return errors.New("there is no refresh token")
		}
		old := *token
		old.Expiry = time.Now().Add(-time.Hour)
		fresh, err := config.TokenSource(ctx, &old).Token()
		if err != nil {
			return err
		}
		if fresh.AccessToken == token.AccessToken {
			return errors.New("the access token is still the old one")
		}
		if _, renewed := fresh.Extra("id_token").(string); renewed {
			token = fresh // a logout's hint is the last ID token
		}
		if offered("userinfo") {
			return checkUser(fresh)
		}
		return nil
	}
	if offered("refresh") {
		step("refresh", refresh())
	}
	if !offered("logout") {
		return results, nil
	}
	step("logout", func() error {
		query := url.Values{"client_id": {s.ClientID}, "returnTo": {s.ReturnTo}}
		if hint, _ := token.Extra("id_token").(string); s.Hints {
			query.Set("id_token_hint", hint)
		}
		target := s.Gateway + "/v2/logout?" + query.Encode()
		arrived, err := e.browser.current.visit(ctx, target)
		if err != nil {
			return err
		}
		if !strings.HasPrefix(arrived.URL, s.ReturnTo) {
			return fmt.Errorf("it ended at %s and not at returnTo", arrived.URL)
		}
		return nil
	}())
	return results, nil
}

func goLogin(ctx context.Context, e *environment, s session, provider *oidc.Provider, config *oauth2.Config) (_ *oauth2.Token, _ string, err error) {
	defer fail.Catch(&err)
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
		return nil, "", fmt.Errorf("the browser ended at %s with error %q (%s) and without our code", arrived.URL, response.Get("error"), response.Get("error_description"))
	}
	token := fail.Must(config.Exchange(ctx, response.Get("code"), oauth2.VerifierOption(verifier)))
	if s.OAuthOnly {
		return token, "", nil
	}
	raw, _ := token.Extra("id_token").(string)
	idToken := fail.Must(provider.VerifierContext(ctx, &oidc.Config{ClientID: config.ClientID}).Verify(ctx, raw))
	if idToken.Nonce != nonce {
		return nil, "", errors.New("the ID token has another nonce")
	}
	return token, idToken.Subject, nil
}
