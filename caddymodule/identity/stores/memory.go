package stores

import (
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

func init() {
	caddy.RegisterModule(Memory{})
}

// Memory records redeemed codes in the memory of this process, across
// configuration reloads. A restart forgets them.
type Memory struct {
	*replay.Memory `json:"-"`
	name           string
}

// CaddyModule returns the Caddy module information.
func (Memory) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: Namespace + ".memory", New: func() caddy.Module { return new(Memory) }}
}

// UnmarshalCaddyfile sets up the module from Caddyfile tokens. Syntax:
//
//	replay memory
func (m *Memory) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
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

// of takes the store of an IdP. No site's codes can fill another IdP's store.
func (m *Memory) of(idpAddress string) error {
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
func (*Memory) Name() string { return "memory" }

// Cleanup gives the store back.
func (m *Memory) Cleanup() error {
	if m.Memory == nil {
		return nil
	}
	_, err := memoryStores.Delete(m.name)
	return err
}

// Interface guards
var (
	_ replay.StateStore     = (*Memory)(nil)
	_ replay.Pinger         = (*Memory)(nil)
	_ replay.Namer          = (*Memory)(nil)
	_ replay.Counter        = (*Memory)(nil)
	_ caddy.CleanerUpper    = (*Memory)(nil)
	_ caddyfile.Unmarshaler = (*Memory)(nil)
)
