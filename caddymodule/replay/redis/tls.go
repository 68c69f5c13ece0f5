package redis

import (
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
)

// TLS says whom to trust and who we are. The names are those of the TLS options
// of Caddy's reverse_proxy.
type TLS struct {
	// The certificate authorities to trust. Default: the system's.
	CARaw json.RawMessage `json:"ca,omitempty" caddy:"namespace=tls.ca_pool.source inline_key=provider"`

	// A client certificate and its key, PEM files.
	ClientCertificateFile    string `json:"client_certificate_file,omitempty"`
	ClientCertificateKeyFile string `json:"client_certificate_key_file,omitempty"`

	// The name that the servers' certificates must be for. Default: the address
	// that each is reached at.
	ServerName string `json:"server_name,omitempty"`
}

func (t *TLS) config(ctx caddy.Context) (*tls.Config, error) {
	options := reverseproxy.TLSConfig{CARaw: t.CARaw}
	var err error
	if options.ClientCertificateFile, err = args.Resolve("tls.client_certificate_file", t.ClientCertificateFile); err != nil {
		return nil, err
	}
	if options.ClientCertificateKeyFile, err = args.Resolve("tls.client_certificate_key_file", t.ClientCertificateKeyFile); err != nil {
		return nil, err
	}
	if options.ServerName, err = args.Resolve("tls.server_name", t.ServerName); err != nil {
		return nil, err
	}
	config, err := options.MakeTLSClientConfig(ctx)
	if err != nil {
		return nil, fmt.Errorf("tls: %w", err)
	}
	if config == nil {
		return nil, errors.New("tls is empty")
	}
	return config, nil
}
