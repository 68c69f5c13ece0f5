package clients

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// RegistrationRequest is the client metadata of RFC 7591 section 2 that counts here.
// Other members are ignored, as section 3.1 has it. What a client would have of grant
// types, scopes and authentication is the operator's to say.
type RegistrationRequest struct {
	RedirectURIs []string `json:"redirect_uris"`
	Name         string   `json:"client_name"`
	DPoPBound    bool     `json:"dpop_bound_access_tokens"` // RFC 9449 section 5.2
}

// ParseRegistration checks a registration: its header and whole body. Of the redirect
// URIs it keeps those that are allowed.
func (d *dynamicClients) ParseRegistration(header http.Header, content string) (RegistrationRequest, error) {
	var r RegistrationRequest
	if values := header["Content-Type"]; len(values) != 1 || !body.IsTypeInUTF8(values[0], "application/json") || len(header["Content-Encoding"]) > 0 {
		return r, oauth.Reject(oauth.InvalidClientMetadata, "RFC 7591 section 3.1", "send the client's metadata as Content-Type: application/json, and not compressed")
	}
	if json.Unmarshal([]byte(content), &r) != nil {
		return r, oauth.Reject(oauth.InvalidClientMetadata, "RFC 7591 section 3.1", "the body must be a JSON object with redirect_uris, a list of strings")
	}
	if r.DPoPBound && d.Template.DPoP == oauth.Off {
		return r, oauth.Reject(oauth.InvalidClientMetadata, "RFC 9449 section 5.2", "dpop_bound_access_tokens: this gateway binds no tokens to keys; leave it out, or have its operator set dpop")
	}
	if len(r.RedirectURIs) > maxRedirectURIs {
		return r, oauth.Reject(oauth.InvalidRedirectURI, "RFC 7591 section 3.2.2", "more than "+strconv.Itoa(maxRedirectURIs)+" redirect_uris")
	}
	kept, length := r.RedirectURIs[:0], 0
	for _, uri := range r.RedirectURIs {
		if d.Allowed.MayRegister(uri) && !slices.Contains(kept, uri) {
			kept = append(kept, uri)
			length += len(uri)
		}
	}
	switch r.RedirectURIs = kept; {
	case len(kept) == 0:
		return r, oauth.Reject(oauth.InvalidRedirectURI, "RFC 7591 section 3.2.2",
			"none of the redirect_uris is accepted here: http on 127.0.0.1, [::1] or localhost is, and what the gateway's operator allows (dynamic_clients, allow)")
	case length > maxRegistered:
		return r, oauth.Reject(oauth.InvalidRedirectURI, "RFC 7591 section 3.2.2", "the redirect_uris are longer than "+strconv.Itoa(maxRegistered)+" bytes together")
	}
	r.Name = ClientName(r.Name)
	return r, nil
}

// ClientName is a name that a client gives itself, as it is shown.
func ClientName(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	if utf8.RuneCountInString(name) <= MaxClientName {
		return name
	}
	return string([]rune(name)[:MaxClientName-1]) + "…"
}

// IsOver reports that a registration is good no longer.
func (d *dynamicClients) IsOver(r *login.Registration, at time.Time) bool {
	return !at.Before(r.Issued.Add(d.Lifetime))
}

// Registered is the client of a registration, with those of its redirect URIs that are allowed
// now. It is refused if the registration is over, where the error has clients register
// anew.
func (d *dynamicClients) Registered(r *login.Registration, over bool) (*Client, error) {
	const source = "RFC 7591 section 3.2.1"
	c := d.newClient(r.Name, slices.DeleteFunc(r.RedirectURIs, func(uri string) bool { return !d.Allowed.MayRegister(uri) }))
	switch {
	case len(c.Redirects) == 0:
		return nil, oauth.Reject(oauth.InvalidClient, source, "none of the client's redirect_uris is allowed here any more; register again with others")
	case over:
		return nil, oauth.Reject(oauth.InvalidClient, source, "the client's registration has expired; register again")
	}
	c.Unverified = true
	if !c.binds(r.DPoPBound) {
		return nil, oauth.Reject(oauth.InvalidClient, source, "the client registered dpop_bound_access_tokens, and this gateway binds no tokens to keys any more; register again without")
	}
	return c, nil
}
