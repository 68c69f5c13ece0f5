package idp

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
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
	// ClientID is the [Policy.reference] of the client.
	ClientID string
	id       loginID
	// RedirectURI is the client's. Named reports that the client sent it to
	// /authorize, and so has to send it to the token endpoint (RFC 6749 section
	// 4.1.3).
	RedirectURI string
	Named       bool
	Challenge   Challenge
	// Expires is when the login, or the code, is over; in whole seconds.
	Expires time.Time

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
	return boundLogin{
		browser: browser, ClientID: p.reference(r.ClientID), id: r.loginID, RedirectURI: r.RedirectURI, Named: r.Named, Challenge: r.Challenge,
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

// The flags that a sealed login begins with.
const (
	flagNamed byte = 1 << iota
	flagNonce
	// flagRegistered: client and redirect URI follow as a digest and a port.
	flagRegistered
	flagOpenID
	// flagApproved: a hash of the browser in which the user has approved follows.
	flagApproved
	flagOwnOpenID
	// flagResource: a digest of the resource and the scopes follow.
	flagResource
	// flagDynamic: the terms and the reference of a dynamic client and its redirect URI
	// follow.
	flagDynamic
	// flagMore, which no client is both of: what the other flags name follows, and then the
	// flags with which of the two is meant.
	flagMore = flagRegistered | flagDynamic
)

// The flags that go with flagMore.
const (
	moreKey    byte = 1 << iota // the thumbprint of a key
	moreStepUp                  // what the ID token is held to
)

// sealedLoginLength is how many bytes appendLogin appends for a registered client at most.
const sealedLoginLength = 1 + 32 + 1 + 4 + 6 + 32 + 16 + 16 + 8 + 2 + 8 + 4

// errNotALogin is the error of sealed bytes that are no login, or none of a
// client and redirect URI that are registered now.
var errNotALogin = errors.New("not a login of a registered client")

// appendLogin appends
//
//	flags (1) | thumbprint of the key (32), if it is bound to one, what the ID token is held to (5 and more), if to
//	anything, and flags (1) after either | expiry in Unix seconds (4) | id (6) |
//	challenge (32) | hash of the nonce (16, if there is one) |
//	hash of the browser (16, if there is one) |
//	digest of the resource (8) and a bit for each scope, if resources are configured |
//	digest (8) and port (2), or terms (8) and reference (17) of a dynamic client and its redirect URI after its length
//	(uvarint), or else client id and redirect URI, each after its length (uvarint)
func (p *Policy) appendLogin(dst []byte, l *boundLogin) []byte {
	flags := byte(0)
	if l.Named {
		flags |= flagNamed
	}
	if l.nonce != (nonceHash{}) {
		flags |= flagNonce
	}
	if l.openID {
		flags |= flagOpenID
	}
	if l.browser != (browserHash{}) {
		flags |= flagApproved
	}
	if l.ownOpenID {
		flags |= flagOwnOpenID
	}
	if l.resource != nil {
		flags |= flagResource
	}
	dynamic := isReference(l.ClientID)
	if dynamic {
		flags |= flagDynamic
	}
	digest, port, registered := p.findRegistration(l.ClientID, l.RedirectURI)
	if registered {
		flags |= flagRegistered
	}
	dst = append(l.appendMore(dst), flags)
	dst = append(binary.BigEndian.AppendUint32(dst, uint32(l.Expires.Unix())), l.id[:]...)
	dst, _ = base64.RawURLEncoding.AppendDecode(dst, []byte(l.Challenge)) // parseChallenge has checked it
	if l.nonce != (nonceHash{}) {
		dst = append(dst, l.nonce[:]...)
	}
	if l.browser != (browserHash{}) {
		dst = append(dst, l.browser[:]...)
	}
	if l.resource != nil {
		dst = l.resource.appendScopes(append(dst, l.resource.terms[:]...), l.scope)
	}
	if registered {
		return binary.BigEndian.AppendUint16(append(dst, digest[:]...), port)
	}
	if dynamic {
		dst = append(append(dst, p.dynamic.terms[:]...), l.ClientID...)
		return seal.AppendText(dst, l.RedirectURI)
	}
	return seal.AppendText(seal.AppendText(dst, l.ClientID), l.RedirectURI)
}

// appendMore appends what few logins have.
func (l *boundLogin) appendMore(dst []byte) []byte {
	more, at := byte(0), len(dst)
	dst = append(dst, 0)
	if l.key != (dpop.Thumbprint{}) {
		more |= moreKey
		dst = append(dst, l.key[:]...)
	}
	if l.stepUp != (stepUp{}) {
		more |= moreStepUp
		dst = l.stepUp.append(dst)
	}
	if more == 0 {
		return dst[:at]
	}
	dst[at] = flagMore | more
	return dst
}

// readMore reads what appendMore wrote, and the flags after it.
func (l *boundLogin) readMore(r *seal.Reader) (flags []byte) {
	flags = r.Bytes(1)
	if r.Failed || flags[0]&flagMore != flagMore {
		return flags
	}
	if flags[0]&moreKey != 0 {
		copy(l.key[:], r.Bytes(len(l.key)))
	}
	if flags[0]&moreStepUp != 0 {
		l.stepUp = readStepUp(r)
	}
	return r.Bytes(1)
}

// readDynamic reads which dynamic client a login is of. It must be admitted under the
// same terms now.
func (p *Policy) readDynamic(r *seal.Reader, l boundLogin) (boundLogin, error) {
	terms, reference := r.Bytes(len(registrationDigest{})), r.Bytes(referenceLength)
	l.ClientID, l.RedirectURI = string(reference), r.Text()
	if r.Failed || p.dynamic == nil || registrationDigest(terms) != p.dynamic.terms {
		return boundLogin{}, errNotALogin
	}
	return l, nil
}

// readLogin reads what appendLogin wrote. Client and redirect URI must be
// registered in this configuration, which may be newer than the one that wrote it.
func (p *Policy) readLogin(r *seal.Reader) (boundLogin, error) {
	var l boundLogin
	flags := l.readMore(r)
	expires, id, challenge := r.Bytes(4), r.Bytes(len(loginID{})), r.Bytes(sha256.Size)
	if r.Failed || flags[0]&flagMore == flagMore {
		return boundLogin{}, errNotALogin
	}
	l.id = loginID(id)
	l.Named, l.openID, l.ownOpenID = flags[0]&flagNamed != 0, flags[0]&flagOpenID != 0, flags[0]&flagOwnOpenID != 0
	l.Expires = time.Unix(int64(binary.BigEndian.Uint32(expires)), 0)
	l.Challenge = Challenge(base64.RawURLEncoding.EncodeToString(challenge))
	if flags[0]&flagNonce != 0 {
		copy(l.nonce[:], r.Bytes(len(l.nonce)))
	}
	if flags[0]&flagApproved != 0 {
		copy(l.browser[:], r.Bytes(len(l.browser)))
	}
	if bound := flags[0]&flagResource != 0; bound || len(p.resources) > 0 {
		l.resource = p.sealedResource(r, func(known *resource) resourceDigest { return known.terms })
		if !bound || l.resource == nil {
			return boundLogin{}, errNotALogin
		}
		l.scope = l.resource.readScopes(r)
	}
	return p.readClient(r, flags[0], l)
}

// readClient reads which client a login is of, and its redirect URI.
func (p *Policy) readClient(r *seal.Reader, flags byte, l boundLogin) (boundLogin, error) {
	if flags&flagDynamic != 0 {
		return p.readDynamic(r, l)
	}
	if flags&flagRegistered == 0 {
		l.ClientID, l.RedirectURI = r.Text(), r.Text()
		if r.Failed || p.clients != nil || !uris.IsLoopbackRedirect(l.RedirectURI) {
			return boundLogin{}, errNotALogin
		}
		return l, nil
	}
	digest, port := r.Bytes(len(registrationDigest{})), r.Bytes(2)
	if r.Failed {
		return boundLogin{}, errNotALogin
	}
	registered, ok := p.registrations[registrationDigest(digest)]
	if !ok {
		return boundLogin{}, errNotALogin
	}
	l.ClientID = registered.clientID
	l.RedirectURI = registered.uri.WithPort(binary.BigEndian.Uint16(port))
	return l, nil
}

// findRegistration is the digest and, for a loopback URI, the port that stand
// for a client and its redirect URI. It reports false if no clients are registered.
func (p *Policy) findRegistration(clientID, redirectURI string) (registrationDigest, uint16, bool) {
	if c := p.clients[clientID]; c != nil {
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
	b := p.appendLogin(make([]byte, 0, sealedLoginLength+1+len(r.State)), &login)
	for number, mode := range responseModes {
		if mode == r.ResponseMode {
			b = append(b, byte(number))
		}
	}
	b = append(b, r.State...)
	return string(s.Keys.Seal(nil, sealedState, p.siteContext()+s.Callback, b))
}

// openPending opens a state that came back to the callback.
func (p *Policy) openPending(s sealer, state string) (pendingLogin, error) {
	b, err := s.Keys.Open(sealedState, p.siteContext()+s.Callback, state)
	if err != nil {
		return pendingLogin{}, err
	}
	r := seal.Reader{Rest: b}
	login, err := p.readLogin(&r)
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
	b := p.appendLogin(make([]byte, 0, sealedLoginLength+2+len(l.callback)+len(l.code)), &l.boundLogin)
	b = append(seal.AppendText(b, l.callback), l.code...)
	return string(s.Keys.Seal(nil, sealedCode, p.siteContext(), b))
}

// openAuthorized opens a code that came to the token endpoint.
func (p *Policy) openAuthorized(s sealer, code string) (authorizedLogin, error) {
	b, err := s.Keys.Open(sealedCode, p.siteContext(), code)
	if err != nil {
		return authorizedLogin{}, err
	}
	r := seal.Reader{Rest: b}
	login, err := p.readLogin(&r)
	if err != nil {
		return authorizedLogin{}, err
	}
	l := authorizedLogin{boundLogin: login, callback: r.Text(), code: string(r.Rest)}
	if r.Failed || l.code == "" {
		return authorizedLogin{}, errNotALogin
	}
	return l, nil
}
