package testgateway

import (
	"context"
	"net"
	"net/http"
)

// HTTP2 is a client that speaks HTTP/2 without TLS, over connections that dial makes.
// The gateway needs "protocols h1 h2c" in [Config.Servers].
func HTTP2(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Transport {
	transport := &http.Transport{Protocols: new(http.Protocols), DialContext: dial}
	transport.Protocols.SetUnencryptedHTTP2(true)
	return transport
}
