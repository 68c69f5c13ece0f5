package idp

import (
	"cmp"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// trace notes whose login a request is of.
func (f *flow) trace(id login.ID) { f.result.Decision.LoginID = id.String() }

// traceToken notes by which access token a request is traced: no login is sealed in those
// of the IdP.
func (f *flow) traceToken(token string) {
	f.result.Decision.TokenID = f.fingerprint(accessTokenTrace, token)
}

// fingerprint stands for a text in the log; "" without a callback, or while there are no keys.
func (f *flow) fingerprint(purpose seal.Purpose, text string) string {
	if s, err := f.sealing(); err == nil && s.Keys != nil {
		return s.Keys.Fingerprint(purpose, text)
	}
	return ""
}

// The purposes of the fingerprints in logs.
const (
	accessTokenTrace seal.Purpose = "access token in logs"
	subjectTrace     seal.Purpose = "subject in logs"
)

// SubjectLogging is how the user is named in the log.
type SubjectLogging string

const (
	// HashSubject writes a hash under the sealing key, so that nobody without it can find out
	// whose it is by trying names. It is the default, and needs a callback.
	HashSubject SubjectLogging = "hash"
	// PlainSubject writes the IdP's name of the user.
	PlainSubject SubjectLogging = "plain"
	// NoSubject leaves it out.
	NoSubject SubjectLogging = "none"
)

// Issued says what a client was given at the token endpoint. No field holds a secret.
type Issued struct {
	// Grant is the grant_type.
	Grant string
	// ClientName is what a client calls itself that the configuration does not name.
	// Nobody has verified it.
	ClientName string
	// Scope is what the client was told, or else the scope in an access token that is a
	// JWT, with spaces between the names; "" if neither says.
	Scope string
	// Resource is what the token is for, if resources are configured.
	Resource string
	// Subject is the user as [Config.LogSubject] says, "" if the IdP's response does not
	// tell.
	Subject string
	// IDToken and RefreshToken: there is one.
	IDToken, RefreshToken bool
}

// issue notes what a client gets for the IdP's answer.
func (f *tokenFlow) issue(answer *upstream.TokenAnswer, given *given) {
	f.traceToken(given.accessToken)
	subject := cmp.Or(f.request.subject, answer.IDToken.SubjectText())
	var claims upstream.AccessTokenClaims
	if subject == "" || len(given.scope) == 0 {
		claims, _ = upstream.ReadAccessToken(answer.Token.AccessToken)
	}
	issued := Issued{
		Grant: string(f.request.Grant), Subject: f.loggedSubject(cmp.Or(subject, claims.Subject)),
		IDToken: given.idToken, RefreshToken: given.refreshToken,
	}
	for _, granted := range [...]upstream.Names{given.scope, claims.Scope, claims.SCP} {
		if issued.Scope == "" {
			issued.Scope = strings.Join(granted.Spaced(), " ")
		}
	}
	issued.Scope = issued.Scope[:min(len(issued.Scope), maxLoggedScope)]
	if f.request.resource != nil {
		issued.Resource = f.request.resource.Key
	}
	if c := f.request.Client; c.IsDynamic() {
		issued.ClientName = clients.ClientName(c.Name)
		if c.Host != "" {
			f.gateway.parts.Documents.Used(f.request.ClientID, cmp.Or(subject, claims.Subject))
		}
	}
	f.result.Issued = &issued
}

// loggedSubject is the user as the log has it.
func (f *flow) loggedSubject(subject string) string {
	if !upstream.IsSubject(subject) {
		return ""
	}
	switch f.policy.logSubject {
	case PlainSubject:
		return subject
	case NoSubject:
		return ""
	}
	return f.fingerprint(subjectTrace, f.policy.idp.AuthURL().String()+"\x00"+subject)
}
