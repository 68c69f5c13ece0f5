package idp

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// The purposes of what the gateway seals for a login.
const (
	sealedState seal.Purpose = "state"
	sealedCode  seal.Purpose = "code"
)

// maxClientState is the longest state of a client that is sealed into the IdP's, in bytes.
const maxClientState = 2 << 10

// sealer is what it takes to seal and open: the keys, the time, and the
// callback's address as the browser knows it ([Policy.CallbackURL]).
type sealer struct {
	Keys     *seal.Keys
	Now      time.Time
	Callback string
}

// boundLogin is what a code is bound to on its way from /authorize to the token
// endpoint: who asked, where the response goes, and which verifier and nonce
// belong to it. The gateway does not remember it. It travels sealed: in the
// state that the IdP gets, then in the code that the client gets.
type boundLogin struct {
	// ClientID is the reference to the client: see [party].
	ClientID string
	id       login.ID
	// RedirectURI is the client's. Named reports that the client sent it to
	// /authorize, and so has to send it to the token endpoint (RFC 6749 section
	// 4.1.3).
	RedirectURI string
	Named       bool
	Challenge   pkce.Challenge
	// Expires is when the login, or the code, is over; in whole seconds.
	Expires time.Time
	// began is when the browser was sent to the IdP, in milliseconds; zero if logouts by the IdP
	// are not looked at.
	began time.Time

	nonce nonceHash
	// openID: the scope has openid, so that there is an ID token. ownOpenID: the
	// gateway's has, and the client gets none.
	openID, ownOpenID bool
	// browser is where the user has approved the login; zero if nobody asked.
	browser browserHash
	// resource is what the login is for, scope what it asks of it; nil and "" if no
	// resources are configured.
	resource *resource
	scope    string
	// key is that of which the client has to prove that it has it, zero for none.
	key dpop.Thumbprint
	// stepUp is what the ID token is held to.
	stepUp stepUp
}

// checkCallback refuses a login that would end at the gateway's own callback, where
// only the IdP's responses can go. The error must not be sent there either.
func (s sealer) checkCallback(r *authorizeRequest) error {
	if s.Callback != "" && r.RedirectURI == s.Callback {
		return oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 3.1.2",
			"redirect_uri is the gateway's own callback, which is for the identity provider only; it must be an address of the app")
	}
	return nil
}

// login is the login that an authorization request begins.
func (p *Policy) login(r *authorizeRequest, s sealer) boundLogin {
	var browser browserHash
	if r.browser != "" {
		browser = hashBrowser(r.browser)
	}
	var began time.Time
	if p.served[BackchannelLogout] {
		began = s.Now
	}
	return boundLogin{
		began: began, browser: browser, ClientID: r.reference, id: r.loginID, RedirectURI: r.RedirectURI, Named: r.Named, Challenge: r.Challenge,
		Expires: s.Now.Add(p.callback.loginTimeout), nonce: hashNonce(r.nonce), openID: r.openID, ownOpenID: r.ownOpenID,
		resource: r.resource, scope: r.scope, key: r.key, stepUp: r.stepUp(s.Now),
	}
}

// nonceHash is the first half of the SHA-256 of a nonce, zero for none. Nobody
// gains by two nonces of his own with one hash; to find a second one for a given
// hash takes 2^128 attempts.
type nonceHash [16]byte

func hashNonce(nonce string) nonceHash {
	if nonce == "" {
		return nonceHash{}
	}
	sum := sha256.Sum256([]byte(nonce))
	return nonceHash(sum[:])
}

// matches compares in constant time.
func (h nonceHash) matches(nonce string) bool {
	got := hashNonce(nonce)
	return subtle.ConstantTimeCompare(h[:], got[:]) == 1
}

// pendingLogin is a login that is under way at the IdP: what state holds.
type pendingLogin struct {
	boundLogin
	mode  ResponseMode
	state string // the client's own
}

// authorizedLogin is a login with a code of the IdP: what the client's code holds.
type authorizedLogin struct {
	boundLogin
	code string // the IdP's
	// callback is the redirect URI for which the IdP issued the code.
	callback string
}

// registration is a client with one of its redirect URIs, and what it may do. In what
// is sealed its digest stands for all of it, because IdPs bound the length of state: a
// login that was checked against other terms than those of now opens nowhere.
type registration struct {
	clientID string
	uri      uris.Registered
	terms    string
}

type registrationDigest [8]byte

func (r registration) digest() registrationDigest {
	sum := sha256.Sum256([]byte(r.clientID + "\x00" + r.uri.Exact + "\x00" + r.terms))
	return registrationDigest(sum[:])
}

// register makes the redirect URIs of a client known to what is sealed.
func (p *Policy) register(id string, c *client) error {
	if p.registrations == nil {
		p.registrations = make(map[registrationDigest]registration)
	}
	for _, uri := range c.redirects {
		added := registration{id, uri, c.terms}
		digest := added.digest()
		if other, ok := p.registrations[digest]; ok && other != added {
			return fmt.Errorf("client %s: redirect_uri %s has the same digest as %s of client %s; change one of them",
				id, uri.Exact, other.uri.Exact, other.clientID)
		}
		p.registrations[digest] = added
		c.digests = append(c.digests, digest)
	}
	return nil
}

// sealedLoginLength is how many bytes writeLogin writes for a registered client at most.
const sealedLoginLength = 32 + 4 + 8 + 6 + 32 + 16 + 16 + 8 + 2 + 8 + 4

// errNotALogin is the error of sealed bytes that are no login, or none of a
// client and redirect URI that are registered now.
var errNotALogin = errors.New("not a login of a registered client")

// writeLogin writes what [Policy.readLogin] reads. Because IdPs bound the length of state, a
// digest stands for a client and a redirect URI that are registered, and for a resource.
func (p *Policy) writeLogin(w *seal.Writer, l *boundLogin) {
	w.Flag(l.Named)
	w.Flag(l.openID)
	w.Flag(l.ownOpenID)
	w.Time(l.Expires)
	if w.Flag(!l.began.IsZero()) {
		w.B = binary.BigEndian.AppendUint64(w.B, uint64(l.began.UnixMilli()))
	}
	w.B = append(w.B, l.id[:]...)
	w.B, _ = base64.RawURLEncoding.AppendDecode(w.B, []byte(l.Challenge)) // pkce.ParseChallenge has checked it
	if w.Flag(l.nonce != nonceHash{}) {
		w.B = append(w.B, l.nonce[:]...)
	}
	if w.Flag(l.browser != browserHash{}) {
		w.B = append(w.B, l.browser[:]...)
	}
	if w.Flag(l.key != dpop.Thumbprint{}) {
		w.B = append(w.B, l.key[:]...)
	}
	if w.Flag(l.stepUp != stepUp{}) {
		w.Time(l.stepUp.since)
		w.Text(l.stepUp.acr)
	}
	if w.Flag(l.resource != nil) {
		w.B = l.resource.appendScopes(append(w.B, l.resource.terms[:]...), l.scope)
	}
	digest, port, registered := p.findRegistration(l.ClientID, l.RedirectURI)
	if w.Flag(registered) {
		w.B = binary.BigEndian.AppendUint16(append(w.B, digest[:]...), port)
		return
	}
	if w.Flag(isReference(l.ClientID)) {
		terms := registration{terms: p.registry.dynamic.terms}.digest()
		w.B = append(w.B, terms[:]...)
	}
	w.Text(l.ClientID)
	w.Text(l.RedirectURI)
}

// readLogin reads a login. Client and redirect URI must be registered in this
// configuration, which may be newer than the one that wrote it.
func (p *Policy) readLogin(r *seal.Reader) (l boundLogin, err error) {
	l.Named, l.openID, l.ownOpenID = r.Flag(), r.Flag(), r.Flag()
	l.Expires = r.Time()
	if r.Flag() {
		if b := r.Bytes(8); !r.Failed {
			l.began = time.UnixMilli(int64(binary.BigEndian.Uint64(b)))
		}
	}
	copy(l.id[:], r.Bytes(len(l.id)))
	l.Challenge = pkce.Challenge(base64.RawURLEncoding.EncodeToString(r.Bytes(sha256.Size)))
	if r.Flag() {
		copy(l.nonce[:], r.Bytes(len(l.nonce)))
	}
	if r.Flag() {
		copy(l.browser[:], r.Bytes(len(l.browser)))
	}
	if r.Flag() {
		copy(l.key[:], r.Bytes(len(l.key)))
	}
	if r.Flag() {
		l.stepUp.since = r.Time()
		l.stepUp.acr = r.Text()
	}
	if bound := r.Flag(); bound || len(p.registry.resources) > 0 {
		l.resource = p.registry.sealedResource(r, func(known *resource) resourceDigest { return known.terms })
		if !bound || l.resource == nil {
			return boundLogin{}, errNotALogin
		}
		l.scope = l.resource.readScopes(r)
	}
	if !p.readClient(r, &l) || r.Failed {
		return boundLogin{}, errNotALogin
	}
	return l, nil
}

// readClient reads which client a login is of, and its redirect URI. It is false for one that
// may not use the gateway now.
func (p *Policy) readClient(r *seal.Reader, l *boundLogin) bool {
	if r.Flag() {
		digest, port := r.Bytes(len(registrationDigest{})), r.Bytes(2)
		if r.Failed {
			return false
		}
		registered, ok := p.registrations[registrationDigest(digest)]
		if ok {
			l.ClientID, l.RedirectURI = registered.clientID, registered.uri.WithPort(binary.BigEndian.Uint16(port))
		}
		return ok
	}
	if r.Flag() { // a dynamic client must be admitted under the same terms
		terms := r.Bytes(len(registrationDigest{}))
		l.ClientID, l.RedirectURI = r.Text(), r.Text()
		return !r.Failed && p.registry.dynamic != nil && registrationDigest(terms) == registration{terms: p.registry.dynamic.terms}.digest()
	}
	l.ClientID, l.RedirectURI = r.Text(), r.Text()
	return p.registry.clients == nil && uris.IsLoopbackRedirect(l.RedirectURI)
}

// findRegistration is the digest and, for a loopback URI, the port that stand
// for a client and its redirect URI. It reports false if no clients are registered.
func (p *Policy) findRegistration(clientID, redirectURI string) (registrationDigest, uint16, bool) {
	if c := p.registry.clients[clientID]; c != nil {
		for i, uri := range c.redirects {
			if uri.Matches(redirectURI) {
				return c.digests[i], uri.Port(redirectURI), true
			}
		}
	}
	return registrationDigest{}, 0, false
}

// responseModes are the response modes by their number in what is sealed.
var responseModes = [...]ResponseMode{"", QueryMode, FragmentMode, FormPostMode, WebMessageMode}

// sealPending is the state that the IdP gets for an authorization request.
func (p *Policy) sealPending(s sealer, r *authorizeRequest) string {
	login := p.login(r, s)
	w := seal.NewWriter(sealedLoginLength + 1 + len(r.State))
	p.writeLogin(w, &login)
	w.B = append(w.B, byte(slices.Index(responseModes[:], r.ResponseMode)))
	return string(s.Keys.Seal(nil, sealedState, p.siteContext()+s.Callback, append(w.B, r.State...)))
}

// openPending opens a state that came back to the callback.
func (p *Policy) openPending(s sealer, state string) (pendingLogin, error) {
	b, err := s.Keys.Open(sealedState, p.siteContext()+s.Callback, state)
	if err != nil {
		return pendingLogin{}, err
	}
	r := seal.NewReader(b)
	login, err := p.readLogin(r)
	if err != nil {
		return pendingLogin{}, err
	}
	mode := r.Bytes(1)
	if r.Failed || int(mode[0]) >= len(responseModes) {
		return pendingLogin{}, errNotALogin
	}
	return pendingLogin{boundLogin: login, mode: responseModes[mode[0]], state: string(r.Rest)}, nil
}

// sealAuthorized is the code that the client gets.
func (p *Policy) sealAuthorized(s sealer, l *authorizedLogin) string {
	w := seal.NewWriter(sealedLoginLength + 2 + len(l.callback) + len(l.code))
	p.writeLogin(w, &l.boundLogin)
	w.Text(l.callback)
	return string(s.Keys.Seal(nil, sealedCode, p.siteContext(), append(w.B, l.code...)))
}

// openAuthorized opens a code that came to the token endpoint.
func (p *Policy) openAuthorized(s sealer, code string) (authorizedLogin, error) {
	b, err := s.Keys.Open(sealedCode, p.siteContext(), code)
	if err != nil {
		return authorizedLogin{}, err
	}
	r := seal.NewReader(b)
	login, err := p.readLogin(r)
	if err != nil {
		return authorizedLogin{}, err
	}
	l := authorizedLogin{boundLogin: login, callback: r.Text(), code: string(r.Rest)}
	if r.Failed || l.code == "" {
		return authorizedLogin{}, errNotALogin
	}
	return l, nil
}
