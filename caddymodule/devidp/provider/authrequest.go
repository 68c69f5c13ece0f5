package provider

import (
	"slices"
	"time"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// responseModeWebMessage responds with a page that posts the result to its
// opener or parent (draft-sakimura-oauth-wmrm), as Auth0 does for silent logins.
const responseModeWebMessage oidc.ResponseMode = "web_message"

// supportedResponseModes in the order of discovery.
var supportedResponseModes = []string{
	string(oidc.ResponseModeQuery), string(oidc.ResponseModeFragment),
	string(oidc.ResponseModeFormPost), string(responseModeWebMessage),
}

// authRequest is a checked authorization request. It is immutable but for
// redeemed, which the store guards.
type authRequest struct {
	id           string
	clientID     string
	redirectURI  string
	responseMode oidc.ResponseMode
	state        string
	nonce        string
	scopes       []string
	audience     []string // of the access token
	challenge    string   // S256
	loginHint    string

	subject  string // empty until somebody logged in
	authTime time.Time

	redeemed *grant // what its code was exchanged for
}

// loggedIn is a copy of the request that belongs to a user.
func (a *authRequest) loggedIn(s session) *authRequest {
	done := *a
	done.subject, done.authTime = s.subject, s.authTime
	return &done
}

var _ op.AuthRequest = (*authRequest)(nil)

func (a *authRequest) GetID() string                      { return a.id }
func (a *authRequest) GetACR() string                     { return "" }
func (a *authRequest) GetAMR() []string                   { return nil }
func (a *authRequest) GetAudience() []string              { return a.audience }
func (a *authRequest) GetAuthTime() time.Time             { return a.authTime }
func (a *authRequest) GetClientID() string                { return a.clientID }
func (a *authRequest) GetNonce() string                   { return a.nonce }
func (a *authRequest) GetRedirectURI() string             { return a.redirectURI }
func (a *authRequest) GetResponseType() oidc.ResponseType { return oidc.ResponseTypeCode }
func (a *authRequest) GetResponseMode() oidc.ResponseMode { return a.responseMode }
func (a *authRequest) GetScopes() []string                { return a.scopes }
func (a *authRequest) GetState() string                   { return a.state }
func (a *authRequest) GetSubject() string                 { return a.subject }
func (a *authRequest) Done() bool                         { return a.subject != "" }
func (a *authRequest) GetCodeChallenge() *oidc.CodeChallenge {
	return &oidc.CodeChallenge{Challenge: a.challenge, Method: oidc.CodeChallengeMethodS256}
}

// grant is what a user gave a client at one login. Every token that came from
// that login points to it, so that they can be revoked together.
type grant struct {
	clientID string
	subject  string
	nonce    string
	scopes   []string
	audience []string
	authTime time.Time
	revoked  bool
}

// refreshRequest is a refresh_token grant with a token that was found good.
type refreshRequest struct {
	grant  *grant
	scopes []string
}

var _ op.RefreshTokenRequest = (*refreshRequest)(nil)

func (r *refreshRequest) GetAMR() []string                 { return nil }
func (r *refreshRequest) GetAudience() []string            { return r.grant.audience }
func (r *refreshRequest) GetAuthTime() time.Time           { return r.grant.authTime }
func (r *refreshRequest) GetClientID() string              { return r.grant.clientID }
func (r *refreshRequest) GetScopes() []string              { return r.scopes }
func (r *refreshRequest) GetSubject() string               { return r.grant.subject }
func (r *refreshRequest) SetCurrentScopes(scopes []string) { r.scopes = slices.Clone(scopes) }

// The library takes the audience of both tokens from the request. That of the
// request is the access token's: the APIs that the client named and the user
// info endpoint. The ID token is for the client alone (OpenID Connect Core 2).

type clientOnlyAuthRequest struct{ *authRequest }

func (clientOnlyAuthRequest) GetAudience() []string { return nil }

type clientOnlyRefreshRequest struct{ *refreshRequest }

func (clientOnlyRefreshRequest) GetAudience() []string { return nil }

// forClientOnly is the request as its ID token sees it.
func forClientOnly(request op.IDTokenRequest) op.IDTokenRequest {
	switch request := request.(type) {
	case *authRequest:
		return clientOnlyAuthRequest{request}
	case *refreshRequest:
		return clientOnlyRefreshRequest{request}
	}
	return request
}
