package idp

import (
	"crypto/rand"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// The outcomes that are not OAuth error codes.
const (
	// Passed: the request went on, to the identity provider or to the next handler.
	Passed = "passed"
	// ClientGone: the client left before there was a response.
	ClientGone = "client_gone"
	// ConfusedPath: a path that a later server could take for a protected one.
	ConfusedPath = "path_confusion"
	// DeniedPath: a path that the configuration denies.
	DeniedPath = "denied_path"
	// Other stands for the error codes that only an identity provider knows.
	Other = "other"
)

// StatusClientGone is the status of a response that nobody gets, for access logs.
const StatusClientGone = 499

// ReferenceHeader shows the reference to clients, and to people who look at a
// response in their browser's tools.
const ReferenceHeader = header.Reference

// Decision is what was decided about one request: log lines, metrics and pages are made
// from it, so that they can't disagree. No field holds anything that a client could
// choose freely.
type Decision struct {
	// Endpoint is the name of an endpoint: one of a fixed set.
	Endpoint string
	// Outcome is one of the constants above, or a standard OAuth error code: one of a
	// fixed set. "" while nothing is decided.
	Outcome string
	// ClientID is the client, if it is registered, else "".
	ClientID string
	// LoginID is the same for each request of a login, and no secret: ten letters and digits; "" where
	// there is none.
	LoginID string
	// Refusal is the response, nil if the request passed or the client left.
	Refusal *oauth.Error

	reference string
	token     Fingerprint
}

// Refuse records that the request is answered with e. An outcome that says more than
// the code of e is recorded before.
func (d *Decision) Refuse(e *oauth.Error) {
	d.Refusal = e
	switch {
	case d.Outcome == ConfusedPath || d.Outcome == DeniedPath:
	case e.Code.IsStandard():
		d.Outcome = string(e.Code)
	default:
		d.Outcome = Other
	}
}

// NewReference returns ten letters and digits, at random.
func NewReference() string { return rand.Text()[:10] }

// Reference finds the request in the log.
func (d *Decision) Reference() string {
	if d.reference == "" {
		d.reference = NewReference()
	}
	return d.reference
}

// TokenID is the same for each request with an IdP's access token, and where that was given out; ""
// where there is none.
func (d *Decision) TokenID() string { return d.token.String() }

// Fingerprint stands for a text in logs that must not be read there. It is made for a line that is
// written, and shows nothing of the text if it is printed otherwise. Nil is "".
type Fingerprint func() string

// String is the fingerprint: see [seal.Keys.Fingerprint].
func (f Fingerprint) String() string {
	if f == nil {
		return ""
	}
	return f()
}

// traceToken notes by which access token a request is traced: no login is sealed in those
// of the IdP.
func (f *flow) traceToken(token string) {
	f.result.Decision.token = f.fingerprint(accessTokenTrace, token)
}

// loggedSubject is the user as the log has it.
func (f *flow) loggedSubject(subject string) Fingerprint {
	if !upstream.IsSubject(subject) {
		return nil
	}
	return f.fingerprint(subjectTrace, f.policy.idp.AuthURL().String()+"\x00"+subject)
}

// The purposes of the fingerprints in logs.
const (
	accessTokenTrace seal.Purpose = "access token in logs"
	subjectTrace     seal.Purpose = "subject in logs"
)

// fingerprint stands for a text in the log; nil without a callback, or while there are no keys.
func (f *flow) fingerprint(purpose seal.Purpose, text string) Fingerprint {
	keys, err := f.keys()
	if err != nil || keys == nil {
		return nil
	}
	return func() string { return keys.Fingerprint(purpose, text) }
}

// Call is a request to the IdP.
type Call struct {
	Endpoint Endpoint
	// Duration is until its response was read.
	Duration time.Duration
	// Status is that of the response, 0 if there was none.
	Status int
	// Err is why there was none. It holds no query.
	Err error
}

// Incident is something that an operator wants to know besides what the client was
// told. No field holds a secret.
type Incident struct {
	Kind IncidentKind
	// Err is the cause, if there is more to say.
	Err error
}

// IncidentKind is what happened.
type IncidentKind uint8

// The incidents.
const (
	// NoResponse: the IdP could not be reached, or sent no whole response.
	NoResponse IncidentKind = iota
	// NotSigned: a request to the IdP could not be signed.
	NotSigned
	// ClaimFailed: the replay store could not say whether a code was redeemed.
	ClaimFailed
	// ClaimKept: the claim of a code that was not redeemed could not be given back.
	ClaimKept
	// RefreshFailed: the replay store could not say where a refresh token stands.
	RefreshFailed
	// LeaseKept: the lease of a refresh that brought no token could not be given back.
	LeaseKept
	// NotRecorded: a login got no refresh token, because it could not be recorded.
	NotRecorded
	// StoreNotTrusted: the replay store holds what the gateway has not put there. The
	// login has ended.
	StoreNotTrusted
	// NotRevoked: the IdP could not be told to revoke the refresh token of a login that
	// has ended here.
	NotRevoked
	// Reused: a refresh token was used again after it was replaced. Its login has ended.
	Reused
	// CodeReused: a code was redeemed, and sent again by its client. Its login has ended.
	CodeReused
	// LogoutFailed: a logout of the IdP could not be checked or recorded. Its logins go on.
	LogoutFailed
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
	// Subject is a hash of the user under the sealing key, so that nobody without it can find
	// out whose it is by trying names; "" if the IdP's response does not tell, or without a
	// callback.
	Subject Fingerprint
	// IDToken and RefreshToken: there is one.
	IDToken, RefreshToken bool
}

// Scrub is err without the URL queries in its text. Errors of a transport may contain
// them.
func Scrub(err error) error { return upstream.Scrub(err) }
