package main

import (
	"context"
	"fmt"
)

// startDevelopmentIdP needs no process: the provider is a site of the same Caddy.
func startDevelopmentIdP(_ context.Context, e *environment) (*runningIdP, error) {
	return developmentIdP(e, ""), nil
}

// startSilentDevelopmentIdP finishes every login without a person.
func startSilentDevelopmentIdP(_ context.Context, e *environment) (*runningIdP, error) {
	idp := developmentIdP(e, "auto_login ada")
	idp.silent = true
	return idp, nil
}

// startProxiedDevelopmentIdP hands it the gateway's whole host, as with a custom
// domain. Only so can a page renew its login in a hidden frame: that checks that
// the response comes from the origin it asked.
func startProxiedDevelopmentIdP(_ context.Context, e *environment) (*runningIdP, error) {
	idp := developmentIdP(e, "")
	idp.gateway = "front_channel proxy" + idp.gateway
	idp.rest = fmt.Sprintf("reverse_proxy localhost:%d", e.idpPort)
	idp.frames = true
	return idp, nil
}

func developmentIdP(e *environment, options string) *runningIdP {
	return &runningIdP{
		issuer:  e.gatewayURL() + "/",
		jwksURI: e.gatewayURL() + "/.well-known/jwks.json",
		authURL: fmt.Sprintf("http://localhost:%d", e.idpPort),
		gateway: clientBlocks(e, "dev-native", "dev-spa"),
		rest:    fmt.Sprintf("reverse_proxy /.well-known/* localhost:%d", e.idpPort),
		sites: fmt.Sprintf(`
http://localhost:%[2]d {
	bind localhost
	development_idp {
		issuer http://localhost:%[1]d/
		%[3]s
	}
}`, e.gatewayPort, e.idpPort, options),
		clientID: "dev-native", spaID: "dev-spa",
		scope:    "openid profile email offline_access",
		username: "ada",
	}
}

// clientBlocks registers the two clients of the table with the gateway.
func clientBlocks(e *environment, native, spa string) string {
	return fmt.Sprintf(`
client %[1]s {
	redirect_uri %[3]s
	return_to %[4]s
}
client %[2]s {
	redirect_uri %[5]s/
	return_to %[5]s/
	origin %[5]s
}`, native, spa, e.browser.redirectURI(), e.browser.returnTo(), e.spaOrigin())
}
