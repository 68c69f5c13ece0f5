package matrix

import (
	"context"
	"fmt"
)

// startDevelopmentIdP needs no process: the provider is a site of the same Caddy.
func startDevelopmentIdP(_ context.Context, b *bench) (*runningIdP, error) {
	return developmentIdP(b, ""), nil
}

// startSilentDevelopmentIdP finishes every login without a person.
func startSilentDevelopmentIdP(_ context.Context, b *bench) (*runningIdP, error) {
	idp := developmentIdP(b, "auto_login ada")
	idp.silent = true
	return idp, nil
}

// startProxiedDevelopmentIdP hands it the gateway's whole host, as with a custom
// domain. Only so can a page renew its login in a hidden frame: that checks that
// the answer comes from the origin it asked.
func startProxiedDevelopmentIdP(_ context.Context, b *bench) (*runningIdP, error) {
	idp := developmentIdP(b, "")
	idp.gateway = "front_channel proxy" + idp.gateway
	idp.rest = fmt.Sprintf("reverse_proxy localhost:%d", b.idpPort)
	idp.frames = true
	return idp, nil
}

func developmentIdP(b *bench, options string) *runningIdP {
	return &runningIdP{
		issuer:  b.gatewayURL() + "/",
		jwksURI: b.gatewayURL() + "/.well-known/jwks.json",
		authURL: fmt.Sprintf("http://localhost:%d", b.idpPort),
		gateway: clientBlocks(b, "dev-native", "dev-spa"),
		rest:    fmt.Sprintf("reverse_proxy /.well-known/* localhost:%d", b.idpPort),
		sites: fmt.Sprintf(`
http://localhost:%[2]d {
	bind localhost
	development_idp {
		issuer http://localhost:%[1]d/
		%[3]s
	}
}`, b.gatewayPort, b.idpPort, options),
		clientID: "dev-native", spaID: "dev-spa",
		scope:    "openid profile email offline_access",
		username: "ada",
	}
}

// clientBlocks registers the two clients of the matrix with the gateway.
func clientBlocks(b *bench, native, spa string) string {
	return fmt.Sprintf(`
client %[1]s {
	redirect_uri %[3]s
	return_to %[4]s
}
client %[2]s {
	redirect_uri %[5]s/
	return_to %[5]s/
	origin %[5]s
}`, native, spa, b.visitor.redirectURI(), b.visitor.returnTo(), b.spaOrigin())
}
