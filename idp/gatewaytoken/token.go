// Package gatewaytoken makes and reads the access tokens of an identity gateway's own: for one
// resource and one agent, sealed with the gateway's keys. Resource servers read them without the
// gateway.
package gatewaytoken

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// Token is what an access token of the gateway's own says: who may do what where.
// Agents get it sealed, so that nobody but who has the gateway's keys can read or make
// one. The claims are those of RFC 9068 section 2.2.
type Token struct {
	// Issuer is the gateway: its public URL.
	Issuer string
	// Resource is what the token is for, as [uris.Key] writes it.
	Resource string
	// Subject is the user, by the IdP's name (sub, or else id of its user info).
	Subject string
	// ClientID is the agent's id at the gateway, or "dynamic:" and a hash of that id for one
	// that has registered there.
	ClientID string
	// Scope has names with spaces between them.
	Scope           string
	Issued, Expires time.Time
	// ID is unique to each token.
	ID string
	// ACR, AMR and AuthTime, in whole seconds, are how the user has logged in, as the IdP's ID
	// token said then (RFC 9068 section 2.2.1), values without spaces. Zero: it did not.
	ACR      string
	AMR      []string
	AuthTime time.Time
	// Given are claims of the IdP about the user, a JSON object without any of the names above; nil: none.
	Given claims.Object
	// Upstream is the IdP's access token, "" if it was dropped. It is no claim.
	Upstream string

	// Key is that which its holder has to prove to have (RFC 9449), Certificate that with which
	// he has to connect (RFC 8705 section 3); zero for none.
	Key         dpop.Thumbprint
	Certificate clientcert.Thumbprint
	// LoginID is that of the login in logs. It is no claim.
	LoginID string

	// Family is that of the login's refresh tokens, nil if it has none.
	Family *rotation.Family
	// Session is the login at the IdP of a token without a family; zero: its family has that, or
	// logouts are not looked at.
	Session rotation.Session
}

// MaxLifetime is the longest lifetime of an access token. A user who is disabled at the
// IdP can't refresh, and is out when it ends.
const MaxLifetime = time.Hour

// What they are sealed for: to be sent, or to be inside of a JWT, where they are no access tokens by
// themselves.
const (
	purpose       seal.Purpose = "access token"
	purposeInside seal.Purpose = "access token in a JWT"
)

// Seal is the token as the agent gets it: a prefix and what keys seal. It is bound to the
// issuer, and gets an ID if it has none.
func (t *Token) Seal(keys *seal.Keys) string {
	return t.seal(keys, purpose, seal.AccessTokenPrefix)
}

func (t *Token) seal(keys *seal.Keys, purpose seal.Purpose, prefix string) string {
	id, err := base64.RawURLEncoding.DecodeString(t.ID)
	if err != nil || len(id) != idLength {
		id = make([]byte, idLength)
		_, _ = rand.Read(id) // never returns an error
		t.ID = base64.RawURLEncoding.EncodeToString(id)
	}
	w := seal.NewWriter()
	w.Time(t.Issued)
	w.Time(t.Expires)
	w.B = append(w.B, id...)
	of := login.ParseID(t.LoginID)
	w.B = append(w.B, of[:]...)
	if w.Flag(t.Family != nil) {
		w.B = append(w.B, t.Family[:]...)
	}
	if w.Flag(t.Key != dpop.Thumbprint{}) {
		w.B = append(w.B, t.Key[:]...)
	}
	if w.Flag(t.Certificate != clientcert.Thumbprint{}) {
		w.B = append(w.B, t.Certificate[:]...)
	}
	if w.Flag(t.Session != rotation.Session{}) {
		t.Session.Write(w)
	}
	if by := (&login.Authentication{ACR: t.ACR, AMR: t.AMR, Time: t.AuthTime}); w.Flag(!by.IsZero()) {
		by.Write(w)
	}
	given := w.Flag(len(t.Given) > 0)
	for _, text := range [...]string{t.Resource, t.Subject, t.ClientID, t.Scope} {
		w.Text(text)
	}
	if given {
		w.Text(string(t.Given))
	}
	return prefix + keys.Seal(purpose, t.Issuer, append(w.B, t.Upstream...))
}

// Type is its token_type (RFC 6750, RFC 9449 section 5).
func (t *Token) Type() string {
	if t.Key == (dpop.Thumbprint{}) {
		return "Bearer"
	}
	return "DPoP"
}

// idLength is the length of an id, in bytes.
const idLength = 16

// Open opens an access token that the gateway of an issuer has sealed with
// these keys, and rejects any other, and one that has expired, with 401 invalid_token.
// Without keys the error is 503. The caller holds [Token.Resource] to its own.
func Open(ctx context.Context, keyring seal.Keyring, issuer, token string, now time.Time) (*Token, error) {
	sealed, ok := strings.CutPrefix(token, seal.AccessTokenPrefix)
	if !ok {
		return nil, bearer.BadToken("RFC 6750 section 3.1", "the access token is not the gateway's; "+
			"the identity provider's are not accepted here: get one at this resource's authorization server")
	}
	return open(ctx, keyring, purpose, issuer, sealed, now)
}

// JWT is the token as a JWT (RFC 9068), with the resource as it is written in the place of its key. It
// is not to be called for one with Upstream. Whoever has the gateway's keys finds all of the token in it.
func (t *Token) JWT(keys *seal.Keys, resource string, sign func(claims []byte) (string, error)) (string, error) {
	sealed := t.seal(keys, purposeInside, "") // which gives it an ID
	written := *t
	written.Resource = resource
	claims := written.Claims()
	claims = append(claims[:len(claims)-1], `,"`+InsideClaim+`":`...)
	return sign(append(jsonobject.AppendString(claims, sealed), '}'))
}

// InsideClaim is the claim of a JWT that only the gateway can read.
const InsideClaim = "gateway_token"

// Form is what a token says to be. Nobody has verified that.
type Form int

const (
	// Foreign is what may be the IdP's.
	Foreign Form = iota
	// Sealed is one of [Token.Seal], of any gateway's.
	Sealed
	// Signed is one of [Token.JWT], of any gateway's, or another JWT of the issuer's own.
	Signed
)

// FormOf reads what a token says, whatever else is in it. issuer is the gateway that signs JWTs, "" for
// one that signs none.
func FormOf(token, issuer string) Form {
	if seal.IsAccessToken(token) {
		return Sealed
	}
	said := claims.Object(jwt.Claims(token))
	if said.Has(InsideClaim) || issuer != "" && said.Text("iss") == issuer {
		return Signed
	}
	return Foreign
}

// OpenJWT is [Open] for the claims of a JWT that the gateway has verified.
func OpenJWT(ctx context.Context, keyring seal.Keyring, issuer string, jwtClaims []byte, now time.Time) (*Token, error) {
	return open(ctx, keyring, purposeInside, issuer, claims.Object(jwtClaims).Text(InsideClaim), now)
}

func open(ctx context.Context, keyring seal.Keyring, purpose seal.Purpose, issuer, sealed string, now time.Time) (*Token, error) {
	b, err := seal.With(ctx, keyring, func(keys *seal.Keys) ([]byte, error) { return keys.Open(purpose, issuer, sealed) })
	switch {
	case errors.Is(err, seal.ErrNoKeys):
		return nil, oauth.NoKeys()
	case err != nil:
		return nil, bearer.BadToken("RFC 6750 section 3.1", "the access token is another gateway's, too old or altered, or its key was removed; refresh it or log in again")
	}
	t, ok := read(b)
	switch {
	case !ok:
		return nil, bearer.BadToken("RFC 6750 section 3.1", "the access token was sealed by another version of the gateway; refresh it or log in again")
	case !now.Before(t.Expires):
		return nil, bearer.BadToken("RFC 6750 section 3.1", "the access token has expired; refresh it or log in again")
	}
	t.Issuer = issuer
	return t, nil
}

// read reads what [Token.Seal] wrote.
func read(b []byte) (*Token, bool) {
	r := seal.NewReader(b)
	t := &Token{Issued: r.Time(), Expires: r.Time()}
	id, of := r.Bytes(idLength), r.Bytes(len(login.ID{}))
	if r.Failed {
		return nil, false
	}
	t.ID, t.LoginID = base64.RawURLEncoding.EncodeToString(id), login.ID(of).String()
	if r.Flag() {
		if of := r.Bytes(len(rotation.Family{})); !r.Failed {
			t.Family = (*rotation.Family)(of)
		}
	}
	if r.Flag() {
		copy(t.Key[:], r.Bytes(len(t.Key)))
	}
	if r.Flag() {
		copy(t.Certificate[:], r.Bytes(len(t.Certificate)))
	}
	if r.Flag() {
		t.Session = rotation.ReadSession(r)
	}
	if r.Flag() {
		by := login.OpenAuthentication(r)
		t.ACR, t.AMR, t.AuthTime = by.ACR, by.AMR, by.Time
	}
	given := r.Flag()
	t.Resource, t.Subject, t.ClientID, t.Scope = r.Text(), r.Text(), r.Text(), r.Text()
	if given {
		t.Given = claims.Object(r.Text())
	}
	t.Upstream = string(r.Rest)
	if r.Failed {
		return nil, false
	}
	return t, true
}

// confirmation is the claim cnf, with the comma before it (RFC 7800 section 3.1).
func (t *Token) confirmation() string {
	var members []string
	if t.Key != (dpop.Thumbprint{}) {
		members = append(members, `"jkt":"`+t.Key.String()+`"`)
	}
	if t.Certificate != (clientcert.Thumbprint{}) {
		members = append(members, `"x5t#S256":"`+t.Certificate.String()+`"`)
	}
	if members == nil {
		return ""
	}
	return `,"cnf":{` + strings.Join(members, ",") + "}"
}

// Claims are the claims of the token as a JSON object (RFC 9068 section 2.2, RFC 7662
// section 2.2).
func (t *Token) Claims() []byte {
	b := append(make([]byte, 0, 256), `{"iss":`...)
	b = jsonobject.AppendString(b, t.Issuer)
	for _, claim := range [...]jsonobject.Member{{Name: "sub", Value: t.Subject}, {Name: "aud", Value: t.Resource}, {Name: "client_id", Value: t.ClientID}, {Name: "scope", Value: t.Scope}, {Name: "jti", Value: t.ID}} {
		b = append(append(append(b, `,"`...), claim.Name...), `":`...)
		b = jsonobject.AppendString(b, claim.Value)
	}
	b = t.appendAuthentication(append(b, t.confirmation()...))
	b = strconv.AppendInt(append(b, `,"iat":`...), t.Issued.Unix(), 10)
	b = strconv.AppendInt(append(b, `,"exp":`...), t.Expires.Unix(), 10)
	if len(t.Given) > len("{}") {
		return append(append(b, ','), t.Given[1:]...)
	}
	return append(b, '}')
}

// appendAuthentication appends the claims that say how the user has logged in, as far as that is
// known.
func (t *Token) appendAuthentication(b []byte) []byte {
	if t.ACR != "" {
		b = jsonobject.AppendString(append(b, `,"acr":`...), t.ACR)
	}
	for i, method := range t.AMR {
		if i == 0 {
			b = append(b, `,"amr":[`...)
		} else {
			b = append(b, ',')
		}
		b = jsonobject.AppendString(b, method)
	}
	if len(t.AMR) > 0 {
		b = append(b, ']')
	}
	if !t.AuthTime.IsZero() {
		b = strconv.AppendInt(append(b, `,"auth_time":`...), t.AuthTime.Unix(), 10)
	}
	return b
}
