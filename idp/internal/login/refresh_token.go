package login

import (
	"encoding/binary"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// RefreshToken is what a sealed refresh token holds: who may use it, and what for.
type RefreshToken struct {
	// ClientID is the client that got it (RFC 6749 section 6), IdPClient its id at
	// the IdP then: the IdP's token is that client's.
	ClientID, IdPClient string
	LoginID             ID
	Issued              time.Time
	// Token is the IdP's, "" of one that rotates: then the replay store has it.
	Token string
	// Lasting: the IdP's is no refresh token, but an access token that does not expire.
	Lasting bool
	// Place is nil of one that does not rotate here.
	Place *rotation.Place
	// User is who has logged in by the IdP's ID token, of one that rotates: a name by which an operator
	// ends logins, and nothing else. It is "" if Subject says it, or nobody does.
	User string
	// OwnOpenID: the login's openid is the gateway's own.
	OwnOpenID bool
	// Resource is the key of what it is for, Scope what was granted of it; "" if no resources
	// are configured.
	Resource, Scope string
	// Subject is the user, and By how he has logged in, where the gateway issues the access
	// tokens.
	Subject string
	By      Authentication
	// IDToken: the client gets ID tokens of the gateway's own, whose user Subject is, too; of the
	// session Session at the IdP, "" if that is not known.
	IDToken bool
	Session string
	// Key is that of which the client has to prove that it has it, Certificate that with
	// which it has to connect; zero for none.
	Key         dpop.Thumbprint
	Certificate clientcert.Thumbprint
}

// SealRefreshToken seals what [Codec.OpenRefreshToken] reads.
func (c *Codec) SealRefreshToken(keys *seal.Keys, t *RefreshToken) string {
	w := seal.NewWriter()
	w.Flag(t.OwnOpenID)
	w.Time(t.Issued)
	w.B = append(w.B, t.LoginID[:]...)
	if w.Flag(t.Key != dpop.Thumbprint{}) {
		w.B = append(w.B, t.Key[:]...)
	}
	if w.Flag(t.Certificate != clientcert.Thumbprint{}) {
		w.B = append(w.B, t.Certificate[:]...)
	}
	w.Text(t.ClientID)
	w.Text(t.IdPClient)
	if resource := c.resource(t.Resource); w.Flag(resource != nil) {
		w.B = append(w.B, resource.digest[:]...)
		w.Text(t.Scope)
		w.Text(t.Subject)
	}
	if w.Flag(!t.By.IsZero()) {
		t.By.Write(w)
	}
	rotates := w.Flag(t.Place != nil)
	if w.Flag(t.IDToken) {
		w.Text(t.Subject)
		w.Text(t.Session)
	}
	w.Flag(t.Lasting)
	if rotates {
		w.B = append(w.B, t.Place.Family[:]...)
		w.B = binary.BigEndian.AppendUint32(w.B, t.Place.Generation)
		w.B = append(w.B, t.User...)
	} else {
		w.B = append(w.B, t.Token...)
	}
	return keys.SealLasting(purposeRefreshToken, c.refresh, w.B)
}

// OpenRefreshToken opens a refresh token that came from a client. current reports
// that the key that seals now has sealed it.
func (c *Codec) OpenRefreshToken(keys *seal.Keys, sealed string) (t RefreshToken, current bool, err error) {
	b, current, err := keys.OpenLasting(purposeRefreshToken, c.refresh, sealed)
	if err != nil {
		return t, false, err
	}
	r := seal.NewReader(b)
	t.OwnOpenID, t.Issued = r.Flag(), r.Time()
	copy(t.LoginID[:], r.Bytes(len(t.LoginID)))
	if r.Flag() {
		copy(t.Key[:], r.Bytes(len(t.Key)))
	}
	if r.Flag() {
		copy(t.Certificate[:], r.Bytes(len(t.Certificate)))
	}
	t.ClientID, t.IdPClient = r.Text(), r.Text()
	if bound := r.Flag(); bound || len(c.resources) > 0 {
		resource := c.readResource(r, func(known *Resource) Digest { return known.digest })
		t.Scope, t.Subject = r.Text(), r.Text()
		if !bound || resource == nil {
			return t, false, seal.ErrInvalid
		}
		t.Resource = resource.Key
	}
	if r.Flag() {
		t.By = OpenAuthentication(r)
	}
	rotates := r.Flag()
	if t.IDToken = r.Flag(); t.IDToken {
		t.Subject, t.Session = r.Text(), r.Text()
	}
	t.Lasting = r.Flag()
	if rotates {
		family, generation := r.Bytes(len(rotation.Family{})), r.Bytes(4)
		if !r.Failed {
			t.Place = &rotation.Place{Family: rotation.Family(family), Generation: binary.BigEndian.Uint32(generation)}
			t.User = string(r.Rest)
		}
	} else {
		t.Token = string(r.Rest)
	}
	if r.Failed || t.Token == "" && t.Place == nil || (t.Place != nil) != c.rotates {
		return t, false, seal.ErrInvalid
	}
	return t, current, nil
}
