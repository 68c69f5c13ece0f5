package main

import (
	"fmt"
	"strings"
)

// Registration is how the gateway's clients are registered at the provider.
type Registration struct {
	Name     string
	suffix   string // of the client ids
	callback bool   // the gateway is the redirect target, else the client itself
	secret   string // of a confidential client, which only the gateway knows
}

// Registrations are all of them, in the order of the table. Each has its own
// clients, so that a provider need not be started again.
func Registrations() []Registration {
	return []Registration{
		{Name: "no callback"},
		{Name: "callback, confidential", suffix: "-confidential", callback: true, secret: "only-the-gateway-knows-it"},
		{Name: "callback, public", suffix: "-public", callback: true},
	}
}

// idpClient is a client as a provider knows it.
type idpClient struct {
	ID          string `json:"id"`
	RedirectURI string `json:"redirect_uri"`
	ReturnTo    string `json:"return_to"`
	Origin      string `json:"origin"` // of a page
	Secret      string `json:"secret"`
}

// callbackURL is the gateway's.
func (e *environment) callbackURL() string { return e.gatewayURL() + "/oauth/callback" }

// clientsAtIdP are the native client and the page's, in every registration.
func (e *environment) clientsAtIdP(native, spa string) []idpClient {
	var clients []idpClient
	for _, r := range Registrations() {
		for _, c := range []idpClient{
			{ID: native, RedirectURI: e.browser.redirectURI(), ReturnTo: e.browser.returnTo()},
			{ID: spa, RedirectURI: e.spaOrigin() + "/", ReturnTo: e.spaOrigin() + "/", Origin: e.spaOrigin()},
		} {
			c.ID += r.suffix
			c.Secret = r.secret
			if r.callback {
				c.RedirectURI = e.callbackURL()
			}
			clients = append(clients, c)
		}
	}
	return clients
}

// gatewayOptions are the registration's part of identity_gateway: the clients,
// and the callback if there is one. Clients keep their ids at the provider: that
// is what they find as the audience of their ID tokens.
func (e *environment) gatewayOptions(idp *runningIdP, r Registration) string {
	var options strings.Builder
	if r.callback {
		fmt.Fprintf(&options, "callback\nissuer %s\n%s", idp.issuer, idp.callback)
	}
	if r.secret != "" {
		options.WriteString("\n" + idp.par)
	}
	client := func(id, redirectURI, returnTo, more string) {
		if idp.audience != "" {
			more += "\taudience " + idp.audience + "\n"
		}
		if r.secret != "" {
			more += fmt.Sprintf("\tidp_client %s {\n\t\tsecret %s %s\n\t}\n", id, r.secret, idp.secretMethod)
		}
		fmt.Fprintf(&options, "\nclient %s {\n\tredirect_uri %s\n\treturn_to %s\n%s}", id, redirectURI, returnTo, more)
	}
	client(idp.clientID+r.suffix, e.browser.redirectURI(), e.browser.returnTo(), "")
	client(idp.spaID+r.suffix, e.spaOrigin()+"/", e.spaOrigin()+"/", "\torigin "+e.spaOrigin()+"\n")
	return options.String()
}
