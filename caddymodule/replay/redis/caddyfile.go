package redis

import (
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddytls"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
)

// UnmarshalCaddyfile sets up the store from Caddyfile tokens: replay redis <url> { … }, with the options
// of README.md.
func (s *Store) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the store's name
	if err := args.Unquoted(d, d.Val(), d.RemainingArgs(), &s.URL); err != nil {
		return err
	}
	if !args.HasPlaceholder(s.URL) {
		if _, err := parseURL(s.URL); err != nil {
			return d.WrapErr(err)
		}
	}
	var t TLS
	if err := args.Block(d, "replay redis", args.Options{
		"password":        args.Once(func(d *caddyfile.Dispenser) error { return args.Unquoted(d, d.Val(), d.RemainingArgs(), &s.Password) }),
		"wait_replicas":   args.Count(&s.WaitReplicas, "replicas"),
		"tls_trust_pool":  args.Once(t.unmarshalTrustPool),
		"tls_client_auth": args.Once(t.unmarshalClientAuth),
		"tls_server_name": args.String(&t.ServerName),
	}); err != nil {
		return err
	}
	if t.CARaw != nil || t.ClientCertificateFile != "" || t.ServerName != "" {
		s.TLS = &t
	}
	return nil
}

func (t *TLS) unmarshalTrustPool(d *caddyfile.Dispenser) error {
	if !d.NextArg() {
		return d.Err("tls_trust_pool needs the name of a module: tls_trust_pool file <files...>")
	}
	name := d.Val()
	module, err := caddyfile.UnmarshalModule(d, "tls.ca_pool.source."+name)
	if err != nil {
		return err
	}
	pool, ok := module.(caddytls.CA)
	if !ok {
		return d.Errf("module tls.ca_pool.source.%s is not a pool of certificate authorities", name)
	}
	t.CARaw = caddyconfig.JSONModuleObject(pool, "provider", name, nil)
	return nil
}

func (t *TLS) unmarshalClientAuth(d *caddyfile.Dispenser) error {
	if !d.Args(&t.ClientCertificateFile, &t.ClientCertificateKeyFile) || d.NextArg() {
		return d.Err("tls_client_auth needs two files: tls_client_auth <certificate file> <key file>")
	}
	return nil
}
