package login

import (
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// Registration is what the id of a client holds that has registered.
type Registration struct {
	// DPoPBound: all its tokens are bound to its key.
	DPoPBound    bool
	Issued       time.Time
	Name         string
	RedirectURIs []string
}

// SealClientID is the id of a client.
func (c *Codec) SealClientID(keys *seal.Keys, registered *Registration) string {
	w := seal.NewWriter()
	w.Flag(registered.DPoPBound)
	w.Time(registered.Issued)
	w.Text(registered.Name)
	for _, uri := range registered.RedirectURIs {
		w.Text(uri)
	}
	return keys.SealLasting(purposeClientID, c.client, w.B)
}

// OpenClientID opens the id of a client.
func (c *Codec) OpenClientID(keys *seal.Keys, id string) (Registration, error) {
	b, _, err := keys.OpenLasting(purposeClientID, c.client, id)
	if err != nil {
		return Registration{}, err
	}
	r := seal.NewReader(b)
	registered := Registration{DPoPBound: r.Flag(), Issued: r.Time(), Name: r.Text()}
	for !r.Failed && len(r.Rest) > 0 {
		registered.RedirectURIs = append(registered.RedirectURIs, r.Text())
	}
	if r.Failed {
		return Registration{}, seal.ErrInvalid
	}
	return registered, nil
}
