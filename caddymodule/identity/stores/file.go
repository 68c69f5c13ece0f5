package stores

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/docs"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay/file"
)

func init() {
	caddy.RegisterModule(File{})
}

// File records redeemed codes, and where refresh tokens that rotate stand, in a
// file of this machine, which one process has open at a time: right for one node.
// Several nodes behind one address need a store that they share, such as redis.
type File struct {
	// The folder of the files, one for each IdP. It must be on a disk of this machine.
	// Default: `identity_gateway/replay` in Caddy's data directory.
	Folder string `json:"folder,omitempty"`

	path   string
	opened func() (*file.Store, error)
	isOpen bool
}

// CaddyModule returns the Caddy module information.
func (File) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: Namespace + ".file", New: func() caddy.Module { return new(File) }}
}

// UnmarshalCaddyfile sets up the module from Caddyfile tokens. Syntax:
//
//	replay file [<folder>]
func (f *File) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the module's name
	if d.NextArg() {
		f.Folder = d.Val()
	}
	return args.None(d)
}

// Provision resolves placeholders. It opens nothing: so does `caddy validate`, beside
// the process that has the file.
func (f *File) Provision(caddy.Context) error {
	var err error
	if f.Folder, err = args.Resolve("replay file", f.Folder); err != nil || f.Folder != "" {
		return err
	}
	f.Folder = filepath.Join(caddy.AppDataDir(), "identity_gateway", "replay")
	return nil
}

// fileStores are the open stores by path, which configurations share across reloads.
var fileStores = caddy.NewUsagePool()

// pooledFile is a store in fileStores.
type pooledFile struct{ *file.Store }

// Destruct implements caddy.Destructor.
func (p pooledFile) Destruct() error { return p.Close() }

// of makes it the store of an IdP: no site's codes can fill another IdP's. The file is
// opened once, when the configuration starts or by a request that is earlier.
func (f *File) of(idpAddress *url.URL) {
	sum := sha256.Sum256([]byte(idpAddress.String()))
	host := strings.ReplaceAll(idpAddress.Hostname(), ":", "_") // of an IPv6 address
	f.path = filepath.Join(f.Folder, fmt.Sprintf("%s-%x.db", host, sum[:4]))
	f.opened = sync.OnceValues(f.open)
}

func (f *File) open() (*file.Store, error) {
	pooled, _, err := fileStores.LoadOrNew(f.path, func() (caddy.Destructor, error) {
		store, err := file.Open(f.path, time.Now)
		return pooledFile{store}, err
	})
	switch {
	case err == nil:
		f.isOpen = true
		return pooled.(pooledFile).Store, nil
	case errors.Is(err, file.ErrInUse):
		return nil, fmt.Errorf("replay file: %w; stop that one, give each a folder of its own (replay file <folder>), or have both share replay redis ("+docs.ReplayStore+")", err)
	case errors.Is(err, file.ErrDamaged):
		return nil, fmt.Errorf("replay file: %w; move it away for an empty one: codes of the last hour could then be redeemed again, "+
			"and with rotate_refresh everybody logs in again ("+docs.ReplayStore+")", err)
	case errors.Is(err, file.ErrNotOwn), errors.Is(err, file.ErrExposed):
		return nil, fmt.Errorf("replay file: %w ("+docs.ReplayStore+")", err)
	}
	return nil, fmt.Errorf("replay file: %w; let Caddy's user write there, name another folder (replay file <folder>), "+
		"or set replay memory, which forgets at each restart ("+docs.ReplayStore+")", err)
}

// Claim implements replay.Store.
func (f *File) Claim(ctx context.Context, key replay.Key, ttl time.Duration) (replay.Claim, error) {
	store, err := f.opened()
	if err != nil {
		return nil, err
	}
	return store.Claim(ctx, key, ttl)
}

// Load implements replay.StateStore.
func (f *File) Load(ctx context.Context, key replay.Key) ([]byte, time.Time, error) {
	store, err := f.opened()
	if err != nil {
		return nil, time.Time{}, err
	}
	return store.Load(ctx, key)
}

// CompareAndSwap implements replay.StateStore.
func (f *File) CompareAndSwap(ctx context.Context, key replay.Key, old, replacement []byte, ttl time.Duration) (bool, error) {
	store, err := f.opened()
	if err != nil {
		return false, err
	}
	return store.CompareAndSwap(ctx, key, old, replacement, ttl)
}

// Name implements replay.Namer: sites of a process share the store of an IdP.
func (f *File) Name() string { return "file " + f.Folder }

// Ping implements replay.Pinger.
func (f *File) Ping(ctx context.Context) error {
	store, err := f.opened()
	if err != nil {
		return err
	}
	return store.Ping(ctx)
}

// Len implements replay.Counter.
func (f *File) Len() int {
	store, err := f.opened()
	if err != nil {
		return 0
	}
	return store.Len()
}

// Cap implements replay.Counter.
func (*File) Cap() int { return file.DefaultCapacity }

// Cleanup gives the store back. The last configuration that has it closes the file.
func (f *File) Cleanup() error {
	if !f.isOpen {
		return nil
	}
	_, err := fileStores.Delete(f.path)
	return err
}

// Interface guards
var (
	_ replay.StateStore     = (*File)(nil)
	_ replay.Pinger         = (*File)(nil)
	_ replay.Namer          = (*File)(nil)
	_ replay.Counter        = (*File)(nil)
	_ caddy.Provisioner     = (*File)(nil)
	_ caddy.CleanerUpper    = (*File)(nil)
	_ caddyfile.Unmarshaler = (*File)(nil)
)
