package main

import (
	"context"
	"fmt"
	"strings"
)

// startDevelopmentIdP needs no process: the provider is a site of the same Caddy.
func startDevelopmentIdP(_ context.Context, e *environment) (*runningIdP, error) {
	return developmentIdP(e, ""), nil
}

// startProxiedDevelopmentIdP hands it the gateway's whole host, as with a custom
// domain. Without callback only so can a page renew its login in a hidden frame:
// that checks that the response comes from the origin it asked.
func startProxiedDevelopmentIdP(_ context.Context, e *environment) (*runningIdP, error) {
	idp := developmentIdP(e, "")
	idp.gateway = "front_channel proxy"
	idp.proxied = true
	idp.rest = fmt.Sprintf("reverse_proxy localhost:%d", e.idpPort)
	return idp, nil
}

func developmentIdP(e *environment, options string) *runningIdP {
	var clients strings.Builder
	for _, c := range e.clientsAtIdP("native", "spa") {
		kind := ""
		switch {
		case c.Secret != "":
			kind = "secret " + c.Secret
		case c.Origin != "":
			kind = "origin " + c.Origin
		}
		fmt.Fprintf(&clients, "\t\tclient %s {\n\t\t\t%s\n\t\t\tredirect_uri %s\n\t\t\treturn_to %s\n\t\t}\n", c.ID, kind, c.RedirectURI, c.ReturnTo)
	}
	return &runningIdP{
		issuer:  e.gatewayURL() + "/",
		jwksURI: e.gatewayURL() + "/.well-known/jwks.json",
		authURL: fmt.Sprintf("http://localhost:%d", e.idpPort),
		rest:    fmt.Sprintf("reverse_proxy /.well-known/* localhost:%d", e.idpPort),
		sites: fmt.Sprintf(`
http://localhost:%[2]d {
	bind localhost
	development_idp {
		issuer http://localhost:%[1]d/
		%[3]s
%[4]s	}
}`, e.gatewayPort, e.idpPort, options, clients.String()),
		frames:   true,
		clientID: "native", spaID: "spa",
		scope:    "openid profile email offline_access",
		username: "ada",
	}
}
