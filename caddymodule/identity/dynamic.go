package identity

import (
	"net/url"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientmetadata"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// DynamicClients are public clients that the configuration does not name. They say
// themselves what they are called and where their codes go, and the user approves each
// login of theirs on a page of the gateway's own.
type DynamicClients struct {
	// The confidential client that the gateway is at the IdP for all of them. Required.
	IdPClient *idp.IdPClientConfig `json:"idp_client,omitempty"`
	// Takes https URLs for client ids, at which a document describes the client
	// (draft-ietf-oauth-client-id-metadata-document).
	MetadataDocuments *idp.MetadataDocumentsConfig `json:"metadata_documents,omitempty"`
	// Lets clients register (RFC 7591) at `/oauth/register`. Nothing is stored.
	Registration *Registration `json:"registration,omitempty"`
	// The redirect URIs besides loopback that may be registered: URIs, schemes with their
	// colon, such as `vscode:`, and the names of published clients: `chatgpt`, `claude`,
	// `claude-code`, `codex`, `copilot`, `cursor`, `gemini`, `inspector`, `vscode`.
	Allow []string `json:"allow,omitempty"`
	// Whether their tokens are bound to a key, as `dpop` of a client. Default: proofs are
	// rejected.
	DPoP oauth.Mode `json:"dpop,omitempty"`
}

// Registration lets clients register.
type Registration struct {
	// How long a registration is good, from `1h` to ten years. Default: `90d`.
	Lifetime caddy.Duration `json:"lifetime,omitempty"`
}

func (g *Gateway) unmarshalDynamicClients(d *caddyfile.Dispenser) error {
	c := new(DynamicClients)
	g.DynamicClients = c
	return args.Alone(d, "dynamic_clients", args.Options{
		"idp_client": idpClient(&c.IdPClient),
		"metadata_documents": args.Once(func(d *caddyfile.Dispenser) (err error) {
			c.MetadataDocuments = new(idp.MetadataDocumentsConfig)
			if c.MetadataDocuments.Hosts, err = args.List(d); err != nil {
				return err
			}
			return args.Block(d, "metadata_documents", args.Options{"proxy": args.String(&c.MetadataDocuments.Proxy)})
		}),
		"registration": args.Once(func(d *caddyfile.Dispenser) error {
			c.Registration = new(Registration)
			if !d.NextArg() {
				return nil
			}
			lifetime, err := caddy.ParseDuration(d.Val())
			if err != nil || lifetime <= 0 {
				return d.Errf("registration must be a positive duration such as 90d, not %q", d.Val())
			}
			c.Registration.Lifetime = caddy.Duration(lifetime)
			return args.None(d)
		}),
		"allow": args.Strings(&c.Allow),
		"dpop":  args.OneOf(&c.DPoP, oauth.Optional, oauth.Required),
	})
}

// config is what the library needs to know.
func (c *DynamicClients) config() (*idp.DynamicClientsConfig, error) {
	if c == nil {
		return nil, nil
	}
	config := &idp.DynamicClientsConfig{MetadataDocuments: c.MetadataDocuments, Allow: c.Allow, DPoP: c.DPoP}
	if err := readSecrets(c.IdPClient); err != nil {
		return nil, err
	}
	if c.IdPClient != nil {
		config.IdPClient = *c.IdPClient
	}
	if c.Registration != nil {
		config.Registration = &idp.RegistrationConfig{Lifetime: time.Duration(c.Registration.Lifetime)}
	}
	return config, nil
}

// provisionDocuments sets up what fetches metadata documents.
func (g *Gateway) provisionDocuments(parts *idp.Parts) {
	if g.DynamicClients != nil && g.DynamicClients.MetadataDocuments != nil {
		proxy, _ := url.Parse(g.DynamicClients.MetadataDocuments.Proxy) // which was checked
		if proxy != nil && proxy.Host == "" {
			proxy = nil
		}
		parts.Documents = clientmetadata.NewCache(g.DynamicClients.MetadataDocuments.Hosts, proxy, func(host string, err error) {
			g.logger.Info("the metadata document of a client could not be fetched", zap.String("host", host), zap.Error(err))
		})
	}
}
