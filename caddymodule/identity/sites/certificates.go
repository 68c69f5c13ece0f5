package sites

import (
	"crypto/tls"
	"net"
	"slices"

	"github.com/caddyserver/caddy/v2"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// checkCertificates warns of clients that authenticate by a TLS certificate, or whose tokens are
// bound to one, at a site that does not ask for it, or believes anybody.
func (c *Checker) checkCertificates(p place) {
	var byName, others []string
	for _, client := range p.gateway.Clients {
		switch {
		case slices.Contains(client.AuthMethods, idp.AuthTLS):
			byName = append(byName, client.ID)
		case slices.Contains(client.AuthMethods, idp.AuthSelfSignedTLS), client.CertificateBound:
			others = append(others, client.ID)
		}
	}
	if len(byName)+len(others) == 0 {
		return
	}
	for _, host := range p.Hosts() {
		asks := p.handshake(c.ctx, host)
		problem, clients := "", byName
		switch {
		case asks == nil || asks.ClientAuth == tls.NoClientCert:
			problem, clients = "this site asks no client for a TLS certificate, which these clients need, so that none of them gets a token; "+
				"have it ask: tls { client_auth { mode verify_if_given, and a trust_pool with your authority } }, or mode request for self_signed_tls_client_auth", append(byName, others...)
		case len(byName) == 0:
		case asks.ClientAuth < tls.VerifyClientCertIfGiven:
			problem = "this site verifies no TLS certificate, and tls_client_auth takes none that is not: " +
				"set mode verify_if_given, and a trust_pool with your authority, in its tls { client_auth { … } }"
		case asks.ClientCAs == nil:
			problem = "this site takes the TLS certificates of every public authority, any of which could issue one with the name of these clients: " +
				"set a trust_pool with your authority in its tls { client_auth { … } }"
		}
		if problem != "" {
			c.logger.Warn(problem, append(p.gateway.Segment.Fields("tls_client_auth"), zap.String("site", host), zap.Strings("clients", clients))...)
		}
	}
}

// handshake is how connections for a host are made, nil if without TLS.
func (p *place) handshake(ctx caddy.Context, host string) *tls.Config {
	if len(p.Server.TLSConnPolicies) == 0 {
		return nil
	}
	// Policies may look at addresses, too: those of a pipe are nobody's.
	near, far := net.Pipe()
	_, _ = near.Close(), far.Close()
	config, err := p.Server.TLSConnPolicies.TLSConfig(ctx).GetConfigForClient(&tls.ClientHelloInfo{ServerName: host, Conn: near})
	if err != nil {
		return nil
	}
	return config
}
