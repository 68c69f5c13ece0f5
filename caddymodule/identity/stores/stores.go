// Package stores has the replay stores of a gateway on this machine: a file, or the memory of
// the process.
package stores

import (
	"fmt"
	"net/url"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// Namespace holds the modules that record which codes were redeemed. They
// implement [replay.Store], and [replay.StateStore] for rotate_refresh. Those that
// implement [replay.Pinger] take part in readiness, [replay.Counter] in metrics. One that
// does not implement [replay.Namer] goes by its configuration, which all nodes must have.
const Namespace = "http.identity_gateway.replay"

// Names are those of the project's own, of which redis is a module of its own.
var Names = []string{"file", "memory", "redis"}

// For makes a store of this package that of an IdP, and returns what opens it when the
// configuration starts, nil if nothing does. Stores of others serve all IdPs.
func For(store replay.Store, idpAddress *url.URL) (start func() error, err error) {
	switch store := store.(type) {
	case *File:
		store.of(idpAddress)
		return func() error {
			_, err := store.opened()
			return err
		}, nil
	case *Memory:
		if err := store.of(idpAddress.String()); err != nil {
			return nil, fmt.Errorf("replay: %w", err)
		}
	}
	return nil, nil
}
