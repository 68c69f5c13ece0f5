// Package redis keeps the replay store of the directive identity_gateway in
// Redis, so that a code of the identity provider buys one token at any number
// of gateways that share a callback, and refresh tokens rotate at all of them. It
// registers the Caddy module
// http.identity_gateway.replay.redis.
package redis

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

func init() {
	caddy.RegisterModule(Store{})
}

const (
	defaultKeyPrefix = "identity_gateway:replay:"

	// defaultTimeout is how long a claim may take in all, with connecting.
	defaultTimeout = 3 * time.Second
)

// Store records redeemed codes in Redis: one server, a master watched by
// Sentinels, or a cluster. A claim is one SET NX with an expiry and a random
// value, and is given back by deleting the key if it still holds that value. Where
// the refresh tokens of a login stand is one key, which a script compares and swaps.
// No command that sets a key is sent twice. If Redis can't be reached, no code is redeemed.
//
// url, password, and the strings of tls may hold placeholders, which
// are resolved when the configuration is loaded: {env.*}, {file.*}.
type Store struct {
	// Where Redis is:
	//
	//	redis://[user[:password]@]host[:port][/db]
	//	unix://[user[:password]@]/path/to/redis.sock[?db=db]
	//	redis+sentinel://[user[:password]@]host[:port][/db]?master_name=name[&addr=host:port...]
	//	redis+cluster://[user[:password]@]host[:port][?addr=host:port...]
	//
	// rediss, rediss+sentinel and rediss+cluster use TLS. The user of a Sentinel
	// URL is the one that the Sentinels know. Required.
	URL string `json:"url"`

	// The password of the Redis servers, in place of the URL's. Unlike there,
	// special characters are written as they are.
	Password string `json:"password,omitempty"`

	// How many replicas must confirm a claim, or where a refresh token stands, before
	// the identity provider is asked (the command WAIT). A failover to one of them
	// then forgets nothing. With fewer replicas nothing is redeemed. Default: 0.
	WaitReplicas int `json:"wait_replicas,omitempty"`

	// Certificates for TLS, if the system's authorities are not enough. A
	// configuration with them connects anew whenever it is loaded, so that
	// renewed files are read.
	TLS *TLS `json:"tls,omitempty"`

	settings  settings
	keyPrefix string        // what the names of the keys begin with
	timeout   time.Duration // of a whole claim
	client    *client
}

// CaddyModule returns the Caddy module information.
func (Store) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.identity_gateway.replay.redis", New: func() caddy.Module { return new(Store) }}
}

// clients holds the connected clients by their settings, so that a reload keeps
// the connections of a store that stays as it is.
var clients = caddy.NewUsagePool()

// Provision resolves placeholders and reads certificates. It does not connect.
func (s *Store) Provision(ctx caddy.Context) error {
	resolved, err := s.resolve(ctx)
	if err != nil {
		return fmt.Errorf("replay redis: %w", err)
	}
	shared, _, err := clients.LoadOrNew(resolved, func() (caddy.Destructor, error) { return newClient(resolved) })
	if err != nil {
		return fmt.Errorf("replay redis: %w", err)
	}
	s.settings, s.client = resolved, shared.(*client)
	s.client.logger.Store(ctx.Logger())
	s.client.warnUnencrypted(ctx.Logger())
	return nil
}

// resolve checks the options and fills in defaults and placeholders.
func (s *Store) resolve(ctx caddy.Context) (settings, error) {
	resolved := settings{}
	if s.keyPrefix == "" {
		s.keyPrefix = defaultKeyPrefix
	}
	var err error
	resolved.timeout = cmp.Or(s.timeout, defaultTimeout)
	if resolved.replicas, err = args.Limit("wait_replicas", s.WaitReplicas, 0); err != nil {
		return resolved, err
	}
	if resolved.url, err = args.Resolve("url", s.URL); err != nil {
		return resolved, err
	}
	if resolved.password, err = args.Resolve("password", s.Password); err != nil {
		return resolved, err
	}
	if s.TLS != nil {
		resolved.tls, err = s.TLS.config(ctx)
	}
	return resolved, err
}

// Cleanup gives the connections up. The last store that uses them closes them.
func (s *Store) Cleanup() error {
	if s.client == nil {
		return nil // Provision failed
	}
	_, err := clients.Delete(s.settings)
	return err
}

// Claim implements [replay.Store].
func (s *Store) Claim(ctx context.Context, key replay.Key, ttl time.Duration) (replay.Claim, error) {
	return s.client.claim(ctx, s.keyPrefix+encode(key), ttl)
}

// Name implements [replay.Namer]: the servers, the database and the prefix.
func (s *Store) Name() string {
	options, err := parseURL(s.settings.url)
	if err != nil {
		return "" // newClient has parsed it
	}
	slices.Sort(options.Addrs)
	return fmt.Sprintf("redis %q %q %d %q", options.Addrs, options.MasterName, options.DB, s.keyPrefix)
}

// Ping implements [replay.Pinger].
func (s *Store) Ping(ctx context.Context) error { return s.client.ping(ctx, s.keyPrefix+"ping") }

// Interface guards
var (
	_ caddy.Provisioner     = (*Store)(nil)
	_ caddy.CleanerUpper    = (*Store)(nil)
	_ caddyfile.Unmarshaler = (*Store)(nil)
	_ replay.StateStore     = (*Store)(nil)
	_ replay.Pinger         = (*Store)(nil)
	_ replay.Namer          = (*Store)(nil)
)
