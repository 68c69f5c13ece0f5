// Package clientmetadata finds out who a client is whose id is the address of a document
// that says so (draft-ietf-oauth-client-id-metadata-document).
//
// Anybody can write such an id, so that anybody has the gateway fetch a document. It
// therefore asks nobody but a host of the public internet, at an address that it has
// checked itself, for one small document at a time, and not often: see [Cache].
//
// # Files
//
//	document.go: what a client_id and its document must be
//	cache.go: how long a document is kept, how many, how often a host is asked
//	fetch.go: which addresses are asked, for how long, and which answers are taken
package clientmetadata

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// Document is what a client says of itself. Whoever answers for the host of its id says
// so; nobody else does.
type Document struct {
	// Host is that of the id, with the port if there is one.
	Host string
	// Name is what people know the client by, "" for none.
	Name string
	// RedirectURIs are as they were written: whoever uses them checks them.
	RedirectURIs []string
	// DPoPBound: it sends proofs of its key with each token request (RFC 9449 section 5.2).
	DPoPBound bool
}

// Bounds of an id and of a document, in bytes.
const (
	MaxID       = 1 << 10
	MaxDocument = 5 << 10
)

// ParseID checks a client id (section 3 of the draft): an https URL with a path, without
// dot segments, fragment and user information, here of a host that has a name, in lower
// case.
func ParseID(id string) (*url.URL, error) {
	u, err := url.Parse(id)
	switch {
	case len(id) > MaxID:
		return nil, fmt.Errorf("is longer than %d bytes", MaxID)
	case err != nil || strings.ContainsFunc(id, notInURI):
		return nil, errors.New("is not a URL")
	case !strings.HasPrefix(id, "https://"):
		return nil, errors.New("is not an https URL")
	case u.User != nil || strings.Contains(id, "@") && strings.Contains(u.Host, "@"):
		return nil, errors.New("has user information before the host")
	case strings.Contains(id, "#"):
		return nil, errors.New("has a fragment")
	case !isName(u.Hostname()) || strings.HasSuffix(u.Host, ":"):
		return nil, errors.New("has a host that is not a domain name in lower case")
	case u.Path == "":
		return nil, errors.New("has no path")
	case slices.ContainsFunc(strings.Split(u.Path, "/"), func(segment string) bool { return segment == "." || segment == ".." }):
		return nil, errors.New("has a dot segment in its path")
	}
	return u, nil
}

// notInURI reports what no URI has (RFC 3986 section 2).
func notInURI(r rune) bool {
	return r <= ' ' || r > '~' || strings.ContainsRune("\"<>\\^`{|}", r)
}

// isName reports a domain name of several labels, in ASCII and lower case, that is no
// IPv4 address in any spelling (WHATWG URL section 3.5: its last label is not numeric).
func isName(host string) bool {
	labels := strings.Split(host, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	last := labels[len(labels)-1]
	return len(labels) > 1 && len(host) <= 253 && (last[0] < '0' || last[0] > '9')
}

// document is the client metadata of RFC 7591 section 2. Other members are ignored, and
// no address in it is ever fetched.
type document struct {
	ClientID     string   `json:"client_id"`
	Name         string   `json:"client_name"`
	RedirectURIs []string `json:"redirect_uris"`
	AuthMethod   string   `json:"token_endpoint_auth_method"`
	AuthMethods  []string `json:"token_endpoint_auth_methods_supported"`
	Secret       any      `json:"client_secret"`
	SecretEnds   any      `json:"client_secret_expires_at"`
	DPoPBound    bool     `json:"dpop_bound_access_tokens"`
}

// Parse checks the document that was found at an id (section 4.1 of the draft): it is
// that id's own, has no secret, and lets the client be a public one. [ErrUnavailable] is in
// the chain of the error of one that is not that id's own: then nothing is said of it.
func Parse(id string, raw []byte) (*Document, error) {
	u, err := ParseID(id)
	if err != nil {
		return nil, err
	}
	var d document
	switch {
	case len(raw) > MaxDocument:
		return nil, fmt.Errorf("%w: what its host answers is longer than %d bytes", errNone, MaxDocument)
	case json.Unmarshal(raw, &d) != nil:
		return nil, fmt.Errorf("%w: what its host answers is not a JSON object with client_id and a list of redirect_uris", errNone)
	case d.ClientID != id:
		return nil, fmt.Errorf("%w: what its host answers is for another client_id; they must be equal character by character", errNone)
	case d.Secret != nil || d.SecretEnds != nil:
		return nil, errors.New("its metadata document has a client secret, which everybody can read")
	case !d.isPublic():
		return nil, errors.New("its metadata document does not let the client do without authentication: token_endpoint_auth_method must be none, " +
			"or private_key_jwt with none among token_endpoint_auth_methods_supported")
	case len(d.RedirectURIs) == 0:
		return nil, errors.New("its metadata document has no redirect_uris")
	}
	return &Document{Host: u.Host, Name: d.Name, RedirectURIs: d.RedirectURIs, DPoPBound: d.DPoPBound}, nil
}

// isPublic reports whether a client may be a public one. What is left out is
// client_secret_basic (RFC 7591 section 2), which the draft forbids: none is meant.
func (d *document) isPublic() bool {
	if slices.ContainsFunc(d.AuthMethods, func(method string) bool { return strings.HasPrefix(method, "client_secret") }) {
		return false
	}
	switch d.AuthMethod {
	case "", "none":
		return true
	}
	return d.AuthMethod == "private_key_jwt" && slices.Contains(d.AuthMethods, "none")
}
