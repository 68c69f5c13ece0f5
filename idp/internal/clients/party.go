package clients

import (
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
)

// Party is the client of a request: who it says it is, and what the gateway knows of it. It is
// found once, and goes through all that follows.
type Party struct {
	// ClientID is the client_id, or at the callback the reference that was sealed.
	ClientID string
	// Client is nil of one that is not known.
	Client *Client
	// Reference is how what is sealed names it: by its id, and a dynamic one, whose id is
	// long, by [login.NewReference].
	Reference string
}

// DynamicParty is a client that no configuration names.
func DynamicParty(id string, c *Client) Party {
	return Party{ClientID: id, Client: c, Reference: login.NewReference(id)}
}

// IDAtIdP is the id that the client, or the gateway for it, has at the IdP.
func (y Party) IDAtIdP() string {
	if y.Client == nil {
		return y.ClientID
	}
	return y.Client.IDAtIdP(y.ClientID)
}

// Agent is an id that is short: the client's own, and of one that has registered a hash of it.
func (y Party) Agent() string {
	if y.Client != nil && !y.Client.Unverified || !login.IsReference(y.Reference) {
		return y.ClientID
	}
	return "dynamic:" + base64.RawURLEncoding.EncodeToString([]byte(y.Reference[1:]))
}

// LogName is the id of a client that is known, or what stands for a dynamic one, else "": what
// clients make up belongs into no log.
func (y Party) LogName() string {
	switch {
	case y.Client == nil && !login.IsReference(y.Reference):
		return ""
	case y.Client != nil && y.Client.Host != "":
		return AgentName(y.ClientID)
	}
	return y.Agent()
}

// AgentName is the short name of an id: of one that is the address of a metadata document the host.
func AgentName(id string) string {
	if u, err := url.Parse(id); err == nil && strings.HasPrefix(id, "https://") {
		return u.Host
	}
	return id
}

// RequiresConsent reports whether its users approve each login here.
func (y Party) RequiresConsent() bool {
	return y.Client != nil && y.Client.Consent || login.IsReference(y.Reference)
}
