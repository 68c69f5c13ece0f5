package login

import (
	"crypto/sha256"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// RequestPrefix begins a request_uri (RFC 9126 section 2.2).
const RequestPrefix = "urn:ietf:params:oauth:request_uri:"

// RequestURI is a request_uri of the gateway's own, without the request.
type RequestURI struct {
	Until time.Time
	// First is the key by which the request_uri is used once. One that the gateway gives to a
	// client whose silent login needs a browser has that of the first one.
	First replay.Key
	Again bool
	// Browser is the one that it is for; zero for any.
	Browser BrowserHash
}

// Use is the key by which a request_uri is used once.
func (u *RequestURI) Use() replay.Key {
	if u.Again {
		return sha256.Sum256(append([]byte("request_uri again\x00"), u.First[:]...))
	}
	return u.First
}

// Expires is when the request is over, zero for one that was not pushed.
func (u *RequestURI) Expires() time.Time {
	if u == nil {
		return time.Time{}
	}
	return u.Until
}

// InBrowser is what a silent login leads to that needs a browser: the same request, once more.
func (u *RequestURI) InBrowser() RequestURI {
	if u == nil {
		return RequestURI{}
	}
	return RequestURI{Until: u.Until, First: u.First, Again: true}
}

// SealRequest is a request_uri for a query.
func (c *Codec) SealRequest(keys *seal.Keys, u RequestURI, query string) string {
	w := seal.NewWriter()
	w.Time(u.Until)
	if w.Flag(u.Browser != BrowserHash{}) {
		w.B = append(w.B, u.Browser[:]...)
	}
	if w.Flag(u.Again) {
		w.B = append(w.B, u.First[:]...)
	}
	return RequestPrefix + keys.Seal(purposeRequest, c.site, append(w.B, query...))
}

// OpenRequest opens what follows [RequestPrefix] in a request_uri.
func (c *Codec) OpenRequest(keys *seal.Keys, sealed string) (u RequestURI, query string, err error) {
	b, err := keys.Open(purposeRequest, c.site, sealed)
	if err != nil {
		return u, "", err
	}
	r := seal.NewReader(b)
	u.Until, u.First = r.Time(), sha256.Sum256([]byte("request_uri\x00"+sealed))
	if r.Flag() {
		copy(u.Browser[:], r.Bytes(len(u.Browser)))
	}
	if u.Again = r.Flag(); u.Again {
		copy(u.First[:], r.Bytes(len(u.First)))
	}
	if r.Failed {
		return RequestURI{}, "", seal.ErrInvalid
	}
	return u, string(r.Rest), nil
}
