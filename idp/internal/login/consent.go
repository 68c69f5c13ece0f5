package login

import (
	"encoding/binary"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// Consent is the authorization request that a consent page asks about.
type Consent struct {
	// Shown is when the page was made, in milliseconds.
	Shown time.Time
	ID    ID
	// Until is when the request is over, zero for one that was not pushed.
	Until time.Time
	Query string
}

// consentContext binds a page to the browser that it was made for.
func (c *Codec) consentContext(callback, browser string) string {
	return c.site + callback + "\x00" + browser
}

// SealConsent is the transaction in the form of a page, for the browser with a cookie.
func (c *Codec) SealConsent(keys *seal.Keys, callback, browser string, page *Consent) string {
	w := seal.NewWriter()
	w.B = append(binary.BigEndian.AppendUint64(w.B, uint64(page.Shown.UnixMilli())), page.ID[:]...)
	w.Time(page.Until)
	return keys.Seal(purposeConsent, c.consentContext(callback, browser), append(w.B, page.Query...))
}

// OpenConsent opens the transaction of a page.
func (c *Codec) OpenConsent(keys *seal.Keys, callback, browser, transaction string) (Consent, error) {
	b, err := keys.Open(purposeConsent, c.consentContext(callback, browser), transaction)
	if err != nil {
		return Consent{}, err
	}
	r := seal.NewReader(b)
	shown, id, until := r.Bytes(8), r.Bytes(len(ID{})), r.Time()
	if r.Failed {
		return Consent{}, seal.ErrInvalid
	}
	return Consent{Shown: time.UnixMilli(int64(binary.BigEndian.Uint64(shown))), ID: ID(id), Until: until, Query: string(r.Rest)}, nil
}
