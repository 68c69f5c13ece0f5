package idp

import (
	"encoding/base64"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
)

// party is the client of a request: who it says it is, and what the gateway knows of it. It is
// found once, and goes through all that follows.
type party struct {
	// ClientID is the client_id, or at the callback the reference that was sealed.
	ClientID string
	// client is nil of one that is not known.
	client *client
	// reference is how what is sealed names it: by its id, and a dynamic one, whose id is
	// long, by [login.NewReference].
	reference string
}

// dynamicParty is a client that no configuration names.
func dynamicParty(id string, c *client) party {
	return party{ClientID: id, client: c, reference: login.NewReference(id)}
}

// idpID is the id that the client, or the gateway for it, has at the IdP.
func (y party) idpID() string {
	if y.client == nil {
		return y.ClientID
	}
	return y.client.idpID(y.ClientID)
}

// agent is an id that is short: the client's own, and of one that has registered a hash of it.
func (y party) agent() string {
	if y.client != nil && !y.client.unverified || !login.IsReference(y.reference) {
		return y.ClientID
	}
	return "dynamic:" + base64.RawURLEncoding.EncodeToString([]byte(y.reference[1:]))
}

// logName is the id of a client that is known, or what stands for a dynamic one, else "": what
// clients make up belongs into no log.
func (y party) logName() string {
	switch {
	case y.client == nil && !login.IsReference(y.reference):
		return ""
	case y.client != nil && y.client.host != "":
		return y.client.host
	}
	return y.agent()
}

// requiresConsent reports whether its users approve each login here.
func (y party) requiresConsent() bool {
	return y.client != nil && y.client.consent || login.IsReference(y.reference)
}
