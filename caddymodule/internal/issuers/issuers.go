// Package issuers keeps the metadata of identity providers at hand: fetched
// once for all in this process that believe the same, kept in Caddy's storage, refreshed in
// the background. The rules of what a document may say stand in idp/discovery.
//
// A user opens an issuer in Provision, which asks nobody anything, and asks for
// what is known with each request:
//
//	metadata, err := issuers.Open(issuer, issuers.Access{Storage: ctx.Storage(), Logger: ctx.Logger()})
//	...
//	m := metadata.Current() // nil: not known yet
//
// An IdP that is down is no reason not to start: what it said before is in the
// storage, and as long as nothing is known, Current is nil.
//
// # Files
//
//	issuers.go: how often the IdP is asked; whether it is ready
//	source.go: one issuer while the process runs; what the log says of a change
//	fetch.go: one fetch, and the addresses that are tried; what is kept in the storage
//	metrics.go: gauges
package issuers

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/certmagic"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/readiness"
	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// Access is how a user's metadata is fetched and kept.
type Access struct {
	// Storage is where the document is kept. Required.
	Storage certmagic.Storage
	// Logger tells what was fetched, and why not. Required.
	Logger *zap.Logger
	// Transport reaches the IdP; nil is one of its own with the system's
	// certificate authorities.
	Transport http.RoundTripper
	// Trusts is the configuration of Transport, and says who is believed to be the
	// IdP: users that differ in it share nothing, neither in memory nor in the storage.
	Trusts string
	// At is where the document is, "" for the well-known addresses of the issuer. Users that differ in it
	// share nothing either.
	At string
	// Metrics is the registry of the user's configuration; nil is none.
	Metrics *prometheus.Registry
}

// Handle is one user's hold on the metadata of an issuer. It is safe for
// concurrent use.
type Handle struct {
	source *source
	access Access
	close  func() error
}

// sources are the issuers that somebody in this process uses, by [storageKey]. They
// survive reloads.
var sources = caddy.NewUsagePool()

// Open holds the metadata of an issuer for a user, who has to close it again. It
// fails only if issuer can be none, or At no address. The network is asked from the first call of
// [Handle.Current], [Handle.Await] or [Handle.Start] on.
func Open(issuer string, access Access) (*Handle, error) {
	return open(issuer, access, defaultTiming)
}

func open(issuer string, access Access, timing timing) (*Handle, error) {
	addresses, err := discovery.AddressesAt(issuer, access.At)
	if err != nil {
		return nil, err
	}
	if at, err := url.Parse(addresses[0]); err == nil && !uris.IsSecure(at) { // in a network that the operator trusts
		access.Logger.Warn("whoever can alter the answers of this host decides where codes and secrets go, and whose tokens are good: discover is http, and not on loopback", zap.String("host", at.Host))
	}
	key := storageKey(issuer, access)
	value, _, err := sources.LoadOrNew(key, func() (caddy.Destructor, error) { return newSource(issuer, timing), nil })
	if err != nil {
		return nil, err
	}
	h := &Handle{source: value.(*source), access: access}
	remove := h.source.users.Add(h)
	h.close = sync.OnceValue(func() error {
		remove()
		_, err := sources.Delete(key)
		return err
	})
	if access.Metrics != nil {
		if err := register(access.Metrics, h); err != nil {
			return nil, errors.Join(err, h.Close())
		}
	}
	return h, nil
}

// Close gives the hold back. The last one ends the refreshing.
func (h *Handle) Close() error { return h.close() }

// Issuer is the issuer that was opened.
func (h *Handle) Issuer() string { return h.source.issuer }

// Start begins to fetch, so that the metadata is known when it is needed.
func (h *Handle) Start() { h.source.start() }

// Current is what is known, nil if nothing is. It returns the same pointer until
// the IdP says something else. It never waits.
func (h *Handle) Current() *discovery.Metadata {
	h.source.start()
	return h.source.current.Load()
}

// ErrUnknown is in the chain of the error of [Handle.Await].
var ErrUnknown = errors.New("the identity provider's metadata is not known")

// Await is [Handle.Current], and waits for the attempt to get it that is under
// way, if nothing is known. It ends with ctx at the latest.
func (h *Handle) Await(ctx context.Context) (*discovery.Metadata, error) {
	if m := h.Current(); m != nil {
		return m, nil
	}
	return h.source.await(ctx)
}

// Check is whether the metadata is known, for readiness.
func (h *Handle) Check() readiness.Check {
	return readiness.Check{Name: "discovery", Of: h.Issuer(), Probe: func(ctx context.Context) error {
		_, err := h.Await(ctx)
		return err
	}}
}

// timing is how often the IdP is asked.
type timing struct {
	// refresh is the time between two fetches, retry the shortest and longest time
	// after one that failed: each failure doubles it. The shortest is for an IdP that
	// is another site of the same Caddy, which listens a moment later. All vary by a
	// quarter, so that nodes and issuers spread out.
	refresh            time.Duration
	retryMin, retryMax time.Duration
	// request bounds one request.
	request time.Duration
	// end is how long the end waits for what has been fetched to be stored.
	end time.Duration
}

var defaultTiming = timing{refresh: time.Hour, retryMin: 100 * time.Millisecond, retryMax: 5 * time.Minute, request: 10 * time.Second, end: 2 * time.Second}
