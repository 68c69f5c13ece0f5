package clients

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/clientmetadata"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// DynamicClientsConfig admits clients that the configuration does not name: public ones,
// which say themselves what they are called and where their codes go. The user has to
// approve each login of theirs.
type DynamicClientsConfig struct {
	// IdPClient is the confidential client that the gateway is at the IdP for all of
	// them. Required.
	IdPClient IdPClientConfig
	// MetadataDocuments takes https URLs for client ids, at which the client is described
	// (draft-ietf-oauth-client-id-metadata-document). Nil: none.
	MetadataDocuments *MetadataDocumentsConfig
	// Registration takes registrations (RFC 7591). Nil: none.
	Registration *RegistrationConfig
	// Allow are the redirect URIs besides loopback that may be registered, and those of
	// metadata documents that are neither https nor of a scheme with a dot: URIs, schemes
	// with a colon, such as vscode:, and names of [uris.Published].
	Allow []string
	// DPoP is as that of a [ClientConfig].
	DPoP oauth.Mode
}

// MetadataDocumentsConfig are the documents by which clients describe themselves.
type MetadataDocumentsConfig struct {
	// The hosts whose documents are taken, with a port if it is not 443. Default: any, at
	// port 443.
	Hosts []string `json:"hosts,omitempty"`
	// The address of an HTTP proxy through which documents of these hosts come, where there is no
	// other way out, such as `http://proxy.internal:3128`. It looks names up, so that nothing keeps
	// them from leading into its network: needs hosts. Default: none.
	Proxy string `json:"proxy,omitempty"`
}

// RegistrationConfig says for how long a registration is good.
type RegistrationConfig struct {
	// Lifetime is from an hour to ten years. Zero: [DefaultRegistrationLifetime].
	Lifetime time.Duration
}

// DocumentSource finds the metadata documents of clients, such as a
// [clientmetadata.Cache].
type DocumentSource interface {
	// Get is the document of a client id. [clientmetadata.ErrUnavailable] is in the chain
	// of the error of one that may be there later.
	Get(ctx context.Context, clientID string) (*clientmetadata.Document, error)
	// Used is told that a client has got a token for a user, "" if it is not known for whom.
	Used(clientID, user string)
}

type dynamicClients struct {
	// Template is what all of them have in common.
	Template  *Client
	Documents bool
	// Lifetime is zero if nobody can register.
	Lifetime time.Duration
	Allowed  uris.Allowed
	// Terms are what all of this is checked against, in one form.
	Terms string
}

func (d *dynamicClients) readWays(c *DynamicClientsConfig) error {
	if d.Documents {
		for _, host := range c.MetadataDocuments.Hosts {
			if err := clientmetadata.CheckHost(host); err != nil {
				return err
			}
		}
		if proxy := c.MetadataDocuments.Proxy; proxy != "" {
			switch u, err := url.Parse(proxy); {
			case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
				return errors.New("metadata_documents: proxy must be the address of an HTTP proxy, such as http://proxy.internal:3128")
			case len(c.MetadataDocuments.Hosts) == 0:
				return errors.New("metadata_documents: proxy needs hosts, such as metadata_documents claude.ai chatgpt.com: it looks names up, and anybody's could lead into its network")
			}
		}
	}
	if c.Registration == nil {
		return nil
	}
	d.Lifetime = cmp.Or(c.Registration.Lifetime, DefaultRegistrationLifetime)
	if d.Lifetime < minRegistrationLifetime || d.Lifetime > maxRegistrationLifetime {
		return errors.New("registration: the lifetime must be between 1h and 87600h")
	}
	return nil
}

// newClient is a dynamic client that was found to have these redirect URIs.
func (d *dynamicClients) newClient(name string, redirectURIs []string) *Client {
	c := *d.Template
	c.Name = name
	for _, uri := range redirectURIs {
		c.Redirects = append(c.Redirects, uris.NewRegistered(uri))
	}
	return &c
}

// binds has all tokens of a dynamic client bound to its key if it asks for that (RFC 9449
// section 5.2). It is false where none are.
func (c *Client) binds(asked bool) bool {
	if asked && c.DPoP == oauth.Optional {
		c.DPoP = oauth.Required
	}
	return !asked || c.DPoP == oauth.Required
}

// IsDynamic reports whether a client is not named by the configuration; c may be nil.
func (c *Client) IsDynamic() bool { return c != nil && (c.Host != "" || c.Unverified) }

// ReadScope is a scope as a dynamic client may write it: Claude sends " offline_access".
func (c *Client) ReadScope(scope string) string {
	if !c.IsDynamic() {
		return scope
	}
	return strings.Join(strings.FieldsFunc(scope, func(r rune) bool { return r == ' ' }), " ")
}

// Known is what a resource has of a scope that a dynamic client asks for. Nobody has told
// such a client of others, and some ask for them (Claude for claudeai): they are left out
// (RFC 6749 section 3.3). One that asks for nothing but offline_access gets the default, too.
func (r *Resource) Known(scope string) string {
	names := slices.DeleteFunc(strings.Fields(scope), func(name string) bool { return !slices.Contains(r.names, name) })
	if len(names) == 1 && names[0] == "offline_access" {
		names = append(slices.DeleteFunc(strings.Fields(r.DefaultScope), func(name string) bool { return name == names[0] }), names...)
	}
	return strings.Join(names, " ")
}

// Described is the client with a metadata document.
func (d *dynamicClients) Described(document *clientmetadata.Document) (*Client, error) {
	const source = "draft-ietf-oauth-client-id-metadata-document section 4"
	var redirectURIs []string
	for _, uri := range document.RedirectURIs {
		if uris.CheckRedirect(uri) == nil || d.Allowed.Has(uri) {
			redirectURIs = append(redirectURIs, uri)
		}
	}
	if len(redirectURIs) == 0 {
		return nil, oauth.Reject(oauth.InvalidClient, source, "the client's metadata document has no redirect_uri that is https, http on loopback, or allowed at this gateway")
	}
	c := d.newClient(document.Name, redirectURIs)
	c.Host = document.Host
	if !c.binds(document.DPoPBound) {
		return nil, oauth.Reject(oauth.InvalidClient, "RFC 9449 section 5.2", "the client's metadata document has dpop_bound_access_tokens, and this gateway binds no tokens to keys; its operator can set dpop")
	}
	return c, nil
}
