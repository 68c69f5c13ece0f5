package identity

import (
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// replayNamespace holds the modules that record which codes were redeemed. They
// implement replay.Store, and replay.StateStore for rotate_refresh. Those that
// implement replay.Pinger take part in readiness, replay.Counter in metrics. One that
// does not implement replay.Namer goes by its configuration, which all nodes must have.
const replayNamespace = "http.identity_gateway.replay"

func init() {
	caddy.RegisterModule(MemoryReplay{})
}

// MemoryReplay records redeemed codes in the memory of this process, across
// configuration reloads. A restart forgets them.
type MemoryReplay struct {
	*replay.Memory `json:"-"`
	name           string
}

// CaddyModule returns the Caddy module information.
func (MemoryReplay) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  replayNamespace + ".memory",
		New: func() caddy.Module { return new(MemoryReplay) },
	}
}

// UnmarshalCaddyfile sets up the module from Caddyfile tokens. Syntax:
//
//	replay memory
func (m *MemoryReplay) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the module's name
	if d.NextArg() {
		return d.ArgErr()
	}
	return nil
}

// memoryStores are the stores in memory by IdP, which configurations share
// across reloads.
var memoryStores = caddy.NewUsagePool()

// pooledMemory is a store in memoryStores.
type pooledMemory struct{ *replay.Memory }

// Destruct implements caddy.Destructor.
func (pooledMemory) Destruct() error { return nil }

// open takes the store of an IdP. No site's codes can fill another IdP's store.
func (m *MemoryReplay) open(idpAddress string) error {
	pooled, _, err := memoryStores.LoadOrNew(idpAddress, func() (caddy.Destructor, error) {
		return pooledMemory{replay.NewMemory(replay.DefaultCapacity, time.Now)}, nil
	})
	if err != nil {
		return err
	}
	m.Memory, m.name = pooled.(pooledMemory).Memory, idpAddress
	return nil
}

// Name implements replay.Namer: sites of a process share the store of an IdP.
func (*MemoryReplay) Name() string { return "memory" }

// Cleanup gives the store back.
func (m *MemoryReplay) Cleanup() error {
	if m.Memory == nil {
		return nil
	}
	_, err := memoryStores.Delete(m.name)
	return err
}

// Interface guards
var (
	_ replay.StateStore     = (*MemoryReplay)(nil)
	_ replay.Pinger         = (*MemoryReplay)(nil)
	_ replay.Namer          = (*MemoryReplay)(nil)
	_ replay.Counter        = (*MemoryReplay)(nil)
	_ caddy.CleanerUpper    = (*MemoryReplay)(nil)
	_ caddyfile.Unmarshaler = (*MemoryReplay)(nil)
)
