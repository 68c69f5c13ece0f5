package idp

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// AccessToken is what an access token of the gateway's own says: who may do what where.
// Agents get it sealed, so that nobody but who has the gateway's keys can read or make
// one. The claims are those of RFC 9068 section 2.2.
type AccessToken struct {
	// Issuer is the gateway: [Config.PublicURL].
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
	// Upstream is the IdP's access token, "" if it was dropped. It is no claim.
	Upstream string

	// Key is that which its holder has to prove to have (RFC 9449), Certificate that with which
	// he has to connect (RFC 8705 section 3); zero for none.
	Key         dpop.Thumbprint
	Certificate clientcert.Thumbprint
	// LoginID is that of the login in logs. It is no claim.
	LoginID string

	// family is that of the login's refresh tokens, nil if it has none.
	family *rotation.Family
	// session is the login at the IdP of a token without a family; zero: its family has that, or
	// logouts are not looked at.
	session rotation.Session
}

// maxAccessToken is the longest lifetime of an access token. A user who is disabled at the
// IdP can't refresh, and is out when it ends.
const maxAccessToken = time.Hour

// accessTokenPrefix begins the gateway's access tokens, so that none is sent to the IdP.
const accessTokenPrefix = seal.AccessTokenPrefix

// sealedAccessToken is the purpose of the access tokens that agents get.
const sealedAccessToken seal.Purpose = "access token"

// isOwnAccessToken reports whether a token has the form of a gateway's access tokens, or is one in
// another spelling, which is good nowhere.
func isOwnAccessToken(token string) bool {
	n := len(accessTokenPrefix)
	return len(token) >= n && strings.EqualFold(token[:n], accessTokenPrefix)
}

// Seal is the token as the agent gets it: a prefix and what keys seal. It is bound to the
// issuer, and gets an ID if it has none.
func (t *AccessToken) Seal(keys *seal.Keys) string {
	id, err := base64.RawURLEncoding.DecodeString(t.ID)
	if err != nil || len(id) != accessTokenID {
		id = make([]byte, accessTokenID)
		_, _ = rand.Read(id) // never returns an error
		t.ID = base64.RawURLEncoding.EncodeToString(id)
	}
	w := seal.NewWriter(64 + len(t.Resource) + len(t.Subject) + len(t.ClientID) + len(t.Scope) + len(t.Upstream))
	w.Time(t.Issued)
	w.Time(t.Expires)
	w.B = append(w.B, id...)
	login, _ := loginIDText.DecodeString(t.LoginID)
	w.B = append(w.B, append(login, make([]byte, len(loginID{}))...)[:len(loginID{})]...)
	if w.Flag(t.family != nil) {
		w.B = append(w.B, t.family[:]...)
	}
	if w.Flag(t.Key != dpop.Thumbprint{}) {
		w.B = append(w.B, t.Key[:]...)
	}
	if w.Flag(t.Certificate != clientcert.Thumbprint{}) {
		w.B = append(w.B, t.Certificate[:]...)
	}
	if w.Flag(t.session != rotation.Session{}) {
		t.session.Write(w)
	}
	if by := (&authentication{t.ACR, t.AMR, t.AuthTime}); w.Flag(!by.isZero()) {
		by.write(w)
	}
	for _, text := range [...]string{t.Resource, t.Subject, t.ClientID, t.Scope} {
		w.Text(text)
	}
	return string(keys.Seal([]byte(accessTokenPrefix), sealedAccessToken, t.Issuer, append(w.B, t.Upstream...)))
}

// Type is its token_type (RFC 6750, RFC 9449 section 5).
func (t *AccessToken) Type() string {
	if t.Key == (dpop.Thumbprint{}) {
		return "Bearer"
	}
	return "DPoP"
}

// accessTokenID is the length of an id, in bytes.
const accessTokenID = 16

// OpenAccessToken opens an access token that the gateway of an issuer has sealed with
// these keys, and rejects any other, and one that has expired, with 401 invalid_token.
// Without keys the error is 503. The caller holds [AccessToken.Resource] to its own.
func OpenAccessToken(ctx context.Context, keyring seal.Keyring, issuer, token string, now time.Time) (*AccessToken, error) {
	sealed, ok := strings.CutPrefix(token, accessTokenPrefix)
	if !ok {
		return nil, bearer.BadToken("RFC 6750 section 3.1", "the access token is not the gateway's; "+
			"the identity provider's are not accepted here: get one at this resource's authorization server")
	}
	b, err := seal.With(ctx, keyring, func(keys *seal.Keys) ([]byte, error) { return keys.Open(sealedAccessToken, issuer, sealed) })
	switch {
	case errors.Is(err, seal.ErrNoKeys):
		return nil, oauth.NoKeys()
	case err != nil:
		return nil, bearer.BadToken("RFC 6750 section 3.1", "the access token is another gateway's, too old or altered, or its key was removed; refresh it or log in again")
	}
	t, ok := readSealedAccessToken(b)
	switch {
	case !ok:
		return nil, bearer.BadToken("RFC 6750 section 3.1", "the access token was sealed by another version of the gateway; refresh it or log in again")
	case !now.Before(t.Expires):
		return nil, bearer.BadToken("RFC 6750 section 3.1", "the access token has expired; refresh it or log in again")
	}
	t.Issuer = issuer
	return t, nil
}

// readSealedAccessToken reads what [AccessToken.Seal] wrote.
func readSealedAccessToken(b []byte) (*AccessToken, bool) {
	r := seal.NewReader(b)
	t := &AccessToken{Issued: r.Time(), Expires: r.Time()}
	id, login := r.Bytes(accessTokenID), r.Bytes(len(loginID{}))
	if r.Failed {
		return nil, false
	}
	t.ID, t.LoginID = base64.RawURLEncoding.EncodeToString(id), loginID(login).String()
	if r.Flag() {
		if of := r.Bytes(len(rotation.Family{})); !r.Failed {
			t.family = (*rotation.Family)(of)
		}
	}
	if r.Flag() {
		copy(t.Key[:], r.Bytes(len(t.Key)))
	}
	if r.Flag() {
		copy(t.Certificate[:], r.Bytes(len(t.Certificate)))
	}
	if r.Flag() {
		t.session = rotation.ReadSession(r)
	}
	if r.Flag() {
		by := readSealedAuthentication(r)
		t.ACR, t.AMR, t.AuthTime = by.acr, by.amr, by.at
	}
	t.Resource, t.Subject, t.ClientID, t.Scope = r.Text(), r.Text(), r.Text(), r.Text()
	t.Upstream = string(r.Rest)
	if r.Failed {
		return nil, false
	}
	return t, true
}

// confirmation is the claim cnf, with the comma before it (RFC 7800 section 3.1).
func (t *AccessToken) confirmation() string {
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
func (t *AccessToken) Claims() []byte {
	b := append(make([]byte, 0, 256), `{"iss":`...)
	b = appendJSONString(b, t.Issuer)
	for _, claim := range [...]member{{"sub", t.Subject}, {"aud", t.Resource}, {"client_id", t.ClientID}, {"scope", t.Scope}, {"jti", t.ID}} {
		b = append(append(append(b, `,"`...), claim.name...), `":`...)
		b = appendJSONString(b, claim.value)
	}
	b = t.appendAuthentication(append(b, t.confirmation()...))
	b = strconv.AppendInt(append(b, `,"iat":`...), t.Issued.Unix(), 10)
	return append(strconv.AppendInt(append(b, `,"exp":`...), t.Expires.Unix(), 10), '}')
}

// appendAuthentication appends the claims that say how the user has logged in, as far as that is
// known.
func (t *AccessToken) appendAuthentication(b []byte) []byte {
	if t.ACR != "" {
		b = appendJSONString(append(b, `,"acr":`...), t.ACR)
	}
	for i, method := range t.AMR {
		if i == 0 {
			b = append(b, `,"amr":[`...)
		} else {
			b = append(b, ',')
		}
		b = appendJSONString(b, method)
	}
	if len(t.AMR) > 0 {
		b = append(b, ']')
	}
	if !t.AuthTime.IsZero() {
		b = strconv.AppendInt(append(b, `,"auth_time":`...), t.AuthTime.Unix(), 10)
	}
	return b
}
