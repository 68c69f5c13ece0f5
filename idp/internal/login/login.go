package login

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// Login is what a code is bound to on its way from /authorize to the token
// endpoint: who asked, where the response goes, and which verifier and nonce
// belong to it. It travels in the state that the IdP gets ([Pending]), then in the code that the
// client gets ([Authorized]).
type Login struct {
	// ClientID is the reference to the client: its id, or what [NewReference] makes of it.
	ClientID string
	ID       ID
	// RedirectURI is the client's. Named reports that the client sent it to
	// /authorize, and so has to send it to the token endpoint (RFC 6749 section
	// 4.1.3).
	RedirectURI string
	Named       bool
	Challenge   pkce.Challenge
	// Verifier is the gateway's own, of [pkce.NewVerifier], in a login of a client that does without
	// PKCE, which the IdP gets; "": the client's is that of Challenge.
	Verifier pkce.Verifier
	// Expires is when the login, or the code, is over; in whole seconds.
	Expires time.Time
	// Began is when the browser was sent to the IdP, in milliseconds; zero if nothing ends logins.
	Began time.Time

	Nonce NonceHash
	// OpenID: the scope has openid, so that there is an ID token. OwnOpenID: the
	// gateway's has, and the client gets none.
	OpenID, OwnOpenID bool
	// Browser is where the user has approved the login; zero if nobody asked.
	Browser BrowserHash
	// Resource is the key of what the login is for, Scope what it asks of it; "" if no
	// resources are configured.
	Resource, Scope string
	// Key is that of which the client has to prove that it has it, zero for none.
	Key dpop.Thumbprint
	// StepUp is what the ID token is held to.
	StepUp StepUp
	// IDToken is what the gateway's own ID token needs; zero: the client gets none of it.
	IDToken IDToken
}

// IDToken is what a login needs that ends with an ID token of the gateway's own.
type IDToken struct {
	// Wanted: the client has asked for one.
	Wanted bool
	// Nonce is the client's, "" for none. The IdP's token has another one.
	Nonce string
	// Hint is the user who has to log in, zero for any.
	Hint SubjectHash
}

// SubjectHash is the first half of the SHA-256 of a user's name; zero for none.
type SubjectHash [16]byte

// HashSubject is the hash of a user's name.
func HashSubject(subject string) SubjectHash {
	sum := sha256.Sum256([]byte("subject\x00" + subject))
	return SubjectHash(sum[:])
}

// Pending is a login that is under way at the IdP: what state holds.
type Pending struct {
	Login

	Mode  oauth.ResponseMode
	State string // the client's own
}

// Authorized is a login with a code of the IdP: what the client's code holds.
type Authorized struct {
	Login

	Code string // the IdP's
	// Callback is the redirect URI for which the IdP issued the code.
	Callback string
}

// NonceHash is the first half of the SHA-256 of a nonce, zero for none. Nobody
// gains by two nonces of his own with one hash; to find a second one for a given
// hash takes 2^128 attempts.
type NonceHash [16]byte

// HashNonce is the hash of a nonce.
func HashNonce(nonce string) NonceHash {
	if nonce == "" {
		return NonceHash{}
	}
	sum := sha256.Sum256([]byte(nonce))
	return NonceHash(sum[:])
}

// Matches compares in constant time.
func (h NonceHash) Matches(nonce string) bool {
	got := HashNonce(nonce)
	return subtle.ConstantTimeCompare(h[:], got[:]) == 1
}

// BrowserHash is the first half of the SHA-256 of a browser's cookie; zero for none.
type BrowserHash [16]byte

// HashBrowser is the hash of a cookie.
func HashBrowser(browser string) BrowserHash {
	sum := sha256.Sum256([]byte("browser\x00" + browser))
	return BrowserHash(sum[:])
}

// StepUp is what an authorization request asks of the login (OpenID Connect Core 1.0 section
// 3.1.2.1, RFC 9470 section 4): what the IdP is asked for by acr_values and max_age, which
// somebody may alter on the way there. The zero value is nothing.
type StepUp struct {
	// ACR are the values of which acr has to be one, with spaces between them.
	ACR string
	// Since is the earliest auth_time, in whole seconds; zero: any.
	Since time.Time
}

// Check holds the ID token of a login to what its request has asked for. Clocks may differ by
// [seal.Skew].
func (s *StepUp) Check(a Authentication) error {
	switch {
	case s.ACR != "" && (a.ACR == "" || !slices.Contains(strings.Fields(s.ACR), a.ACR)):
		return unmet("the user has not logged in as acr_values asks for: the identity provider's ID token has another acr, or none; " +
			"if that is so in each login, its operator has to configure these values there")
	case !s.Since.IsZero() && a.Time.Before(s.Since.Add(-seal.Skew)):
		return unmet("the user has logged in longer ago than max_age allows, or the identity provider's ID token does not say when (auth_time)")
	}
	return nil
}

// unmet withholds a token response whose login is less than its request has asked for. The code
// is spent.
func unmet(description string) error {
	return oauth.Reject(oauth.UnmetAuthentication, "OpenID Connect Core Error Code unmet_authentication_requirements 1.0", description)
}

// write writes what [Codec.read] reads. Because IdPs bound the length of state, a
// digest stands for a client and a redirect URI that are registered, and for a resource.
func (c *Codec) write(w *seal.Writer, l *Login) {
	w.Flag(l.Named)
	w.Flag(l.OpenID)
	w.Flag(l.OwnOpenID)
	w.Time(l.Expires)
	if w.Flag(!l.Began.IsZero()) {
		w.B = binary.BigEndian.AppendUint64(w.B, uint64(l.Began.UnixMilli()))
	}
	w.B = append(w.B, l.ID[:]...)
	w.B, _ = base64.RawURLEncoding.AppendDecode(w.B, []byte(l.Challenge)) // pkce.ParseChallenge has checked it
	if w.Flag(l.Nonce != NonceHash{}) {
		w.B = append(w.B, l.Nonce[:]...)
	}
	if w.Flag(l.Browser != BrowserHash{}) {
		w.B = append(w.B, l.Browser[:]...)
	}
	if w.Flag(l.Key != dpop.Thumbprint{}) {
		w.B = append(w.B, l.Key[:]...)
	}
	if w.Flag(l.StepUp != StepUp{}) {
		w.Time(l.StepUp.Since)
		w.Text(l.StepUp.ACR)
	}
	if resource := c.resource(l.Resource); w.Flag(resource != nil) {
		w.B = resource.appendScopes(append(w.B, resource.terms[:]...), l.Scope)
	}
	c.writeClient(w, l)
	if w.Flag(l.IDToken.Wanted) {
		w.Text(l.IDToken.Nonce)
		w.B = append(w.B, l.IDToken.Hint[:]...)
	}
	if w.Flag(l.Verifier != "") {
		w.B, _ = base64.RawURLEncoding.AppendDecode(w.B, []byte(l.Verifier))
	}
}

// writeClient writes what [Codec.readClient] reads.
func (c *Codec) writeClient(w *seal.Writer, l *Login) {
	digest, port, registered := c.find(l.ClientID, l.RedirectURI)
	if w.Flag(registered) {
		w.B = binary.BigEndian.AppendUint16(append(w.B, digest[:]...), port)
		return
	}
	if w.Flag(IsReference(l.ClientID)) {
		w.B = append(w.B, c.dynamic[:]...)
	}
	w.Text(l.ClientID)
	w.Text(l.RedirectURI)
}

// read reads a login. Client and redirect URI must be registered in this
// configuration, which may be newer than the one that wrote it.
func (c *Codec) read(r *seal.Reader) (l Login, err error) {
	l.Named, l.OpenID, l.OwnOpenID = r.Flag(), r.Flag(), r.Flag()
	l.Expires = r.Time()
	if r.Flag() {
		if b := r.Bytes(8); !r.Failed {
			l.Began = time.UnixMilli(int64(binary.BigEndian.Uint64(b)))
		}
	}
	copy(l.ID[:], r.Bytes(len(l.ID)))
	l.Challenge = pkce.Challenge(base64.RawURLEncoding.EncodeToString(r.Bytes(sha256.Size)))
	if r.Flag() {
		copy(l.Nonce[:], r.Bytes(len(l.Nonce)))
	}
	if r.Flag() {
		copy(l.Browser[:], r.Bytes(len(l.Browser)))
	}
	if r.Flag() {
		copy(l.Key[:], r.Bytes(len(l.Key)))
	}
	if r.Flag() {
		l.StepUp.Since = r.Time()
		l.StepUp.ACR = r.Text()
	}
	if bound := r.Flag(); bound || len(c.resources) > 0 {
		resource := c.readResource(r, func(known *Resource) Digest { return known.terms })
		if !bound || resource == nil {
			return Login{}, ErrUnknown
		}
		l.Resource, l.Scope = resource.Key, resource.readScopes(r)
	}
	if !c.readClient(r, &l) {
		return Login{}, ErrUnknown
	}
	if l.IDToken.Wanted = r.Flag(); l.IDToken.Wanted {
		l.IDToken.Nonce = r.Text()
		copy(l.IDToken.Hint[:], r.Bytes(len(l.IDToken.Hint)))
	}
	if r.Flag() {
		l.Verifier = pkce.Verifier(base64.RawURLEncoding.EncodeToString(r.Bytes(sha256.Size)))
	}
	if r.Failed {
		return Login{}, ErrUnknown
	}
	return l, nil
}

// readClient reads which client a login is of, and its redirect URI. It is false for one that
// may not use the gateway now.
func (c *Codec) readClient(r *seal.Reader, l *Login) bool {
	if r.Flag() {
		digest, port := r.Bytes(len(Digest{})), r.Bytes(2)
		if r.Failed {
			return false
		}
		registered, ok := c.registered[Digest(digest)]
		if ok {
			l.ClientID, l.RedirectURI = registered.clientID, registered.uri.WithPort(binary.BigEndian.Uint16(port))
		}
		return ok
	}
	if r.Flag() { // a dynamic client must be admitted under the same terms
		terms := r.Bytes(len(Digest{}))
		l.ClientID, l.RedirectURI = r.Text(), r.Text()
		return !r.Failed && c.dynamic != nil && Digest(terms) == *c.dynamic
	}
	l.ClientID, l.RedirectURI = r.Text(), r.Text()
	return c.anyClient && uris.IsLoopbackRedirect(l.RedirectURI)
}

// responseModes are the response modes by their number in what is sealed.
var responseModes = [...]oauth.ResponseMode{"", oauth.QueryMode, oauth.FragmentMode, oauth.FormPostMode, oauth.WebMessageMode}

// SealPending is the state that the IdP gets for a login whose response goes to a callback.
func (c *Codec) SealPending(keys *seal.Keys, callback string, l *Pending) string {
	w := seal.NewWriter()
	c.write(w, &l.Login)
	w.B = append(w.B, byte(slices.Index(responseModes[:], l.Mode)))
	return keys.Seal(purposeState, c.site+callback, append(w.B, l.State...))
}

// OpenPending opens a state that came back to a callback.
func (c *Codec) OpenPending(keys *seal.Keys, callback, state string) (Pending, error) {
	b, err := keys.Open(purposeState, c.site+callback, state)
	if err != nil {
		return Pending{}, err
	}
	r := seal.NewReader(b)
	login, err := c.read(r)
	if err != nil {
		return Pending{}, err
	}
	mode := r.Bytes(1)
	if r.Failed || int(mode[0]) >= len(responseModes) {
		return Pending{}, ErrUnknown
	}
	return Pending{Login: login, Mode: responseModes[mode[0]], State: string(r.Rest)}, nil
}

// SealAuthorized is the code that the client gets.
func (c *Codec) SealAuthorized(keys *seal.Keys, l *Authorized) string {
	w := seal.NewWriter()
	c.write(w, &l.Login)
	w.Text(l.Callback)
	return keys.Seal(purposeCode, c.site, append(w.B, l.Code...))
}

// OpenAuthorized opens a code that came to the token endpoint.
func (c *Codec) OpenAuthorized(keys *seal.Keys, code string) (Authorized, error) {
	b, err := keys.Open(purposeCode, c.site, code)
	if err != nil {
		return Authorized{}, err
	}
	r := seal.NewReader(b)
	login, err := c.read(r)
	if err != nil {
		return Authorized{}, err
	}
	l := Authorized{Login: login, Callback: r.Text(), Code: string(r.Rest)}
	if r.Failed || l.Code == "" {
		return Authorized{}, ErrUnknown
	}
	return l, nil
}
