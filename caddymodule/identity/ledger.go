package identity

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/certmagic"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/idp/ledger"
)

// Ledger configures the gateway's memory of logins. A token request is rejected
// unless its login began at `/authorize` here, with the same client and redirect
// URI. A code and a code_verifier buy one token.
type Ledger struct {
	// Where logins are remembered: `memory` (default) of this process, which
	// survives config reloads and, through Caddy's storage, orderly restarts;
	// `storage`, shared by all nodes that share it; `off`.
	Mode string `json:"mode,omitempty"`
	// How long a login may take. Default: `15m`.
	TTL caddy.Duration `json:"ttl,omitempty"`
	// The largest number of entries: one for a pending login, two for a
	// completed one. Default: 1000000 (about 70 MB in memory, if ever reached).
	Capacity int `json:"capacity,omitempty"`
	// The storage module for the mode `storage`. Default: Caddy's own storage.
	StorageRaw json.RawMessage `json:"storage,omitempty" caddy:"namespace=caddy.storage inline_key=module"`
}

// memoryLedgers are the ledgers in memory by IdP, which configs share across reloads.
var memoryLedgers = caddy.NewUsagePool()

const (
	ledgerPrefix  = "identity_gateway/ledger"
	sweepInterval = time.Minute
	// storageWait bounds the wait for storage while a configuration ends.
	storageWait = 10 * time.Second
)

// ledgerKeeper is a handler's hold on its ledger, nil if that is off.
type ledgerKeeper struct {
	ledger.Ledger
	pooled   *pooledLedger
	bounds   sync.Once
	ttl      time.Duration
	capacity int
	stop     context.CancelFunc
}

func (k *ledgerKeeper) remember(ctx context.Context, login ledger.Login) error {
	k.ready()
	return k.Remember(ctx, login)
}

func (k *ledgerKeeper) begin(ctx context.Context, login ledger.Login, code string) (*ledger.Reservation, error) {
	k.ready()
	return k.Begin(ctx, login, code)
}

// ready runs with the first request, so that a configuration that is only
// validated, or fails to load, changes nothing.
func (k *ledgerKeeper) ready() {
	if k.pooled == nil {
		return
	}
	k.bounds.Do(func() {
		k.pooled.SetBounds(k.ttl, k.capacity)
		k.pooled.restore()
	})
}

func (k *ledgerKeeper) close() error {
	if k == nil {
		return nil
	}
	if k.stop != nil {
		k.stop()
	}
	if k.pooled == nil {
		return nil
	}
	_, err := memoryLedgers.Delete(k.pooled.key)
	return err
}

func (g *Gateway) provisionLedger(ctx caddy.Context) error {
	config := g.Ledger
	if config == nil {
		config = new(Ledger)
	}
	if config.TTL < 0 || config.TTL > 0 && config.TTL < caddy.Duration(time.Second) {
		return errors.New("ttl must be at least 1s")
	}
	if config.Capacity < 0 {
		return errors.New("capacity must be positive")
	}
	k := &ledgerKeeper{ttl: time.Duration(config.TTL), capacity: config.Capacity}
	if k.ttl == 0 {
		k.ttl = ledger.DefaultTTL
	}
	if k.capacity == 0 {
		k.capacity = ledger.DefaultCapacity
	}
	storage := ctx.Storage()
	if config.StorageRaw != nil {
		module, err := ctx.LoadModule(config, "StorageRaw")
		if err != nil {
			return fmt.Errorf("storage: %w", err)
		}
		if storage, err = module.(caddy.StorageConverter).CertMagicStorage(); err != nil {
			return fmt.Errorf("storage: %w", err)
		}
	}
	sum := sha256.Sum256([]byte(g.policy.AuthURL().String()))
	name := ledgerPrefix + "/" + hex.EncodeToString(sum[:8])

	switch config.Mode {
	case "", "memory":
		pooled, _, err := memoryLedgers.LoadOrNew(name, func() (caddy.Destructor, error) {
			return &pooledLedger{
				Memory: ledger.NewMemory(k.ttl, k.capacity, time.Now),
				key:    name, storage: storage, logger: g.logger,
			}, nil
		})
		if err != nil {
			return err
		}
		k.pooled = pooled.(*pooledLedger)
		k.Ledger = k.pooled
	case "storage":
		shared := ledger.NewShared(ledgerStorage{storage}, name, k.ttl, k.capacity, time.Now)
		k.Ledger = shared
		var background context.Context
		background, k.stop = context.WithCancel(context.Background())
		go sweep(background, shared, g.logger)
	case "off":
		return nil
	default:
		return fmt.Errorf("mode %s is unknown; use memory, storage or off", config.Mode)
	}
	g.ledger = k
	return nil
}

// sweep keeps a shared ledger tidy until its configuration ends.
func sweep(ctx context.Context, shared *ledger.Shared, logger *zap.Logger) {
	ticker := time.NewTicker(sweepInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := shared.Sweep(ctx); err != nil && ctx.Err() == nil {
				logger.Warn("the ledger's old entries could not be removed", zap.Error(err))
			}
		}
	}
}

// pooledLedger is a ledger in memory that outlives configurations and is saved
// when the last one that uses it ends.
type pooledLedger struct {
	*ledger.Memory
	key      string
	storage  certmagic.Storage
	logger   *zap.Logger
	restored sync.Once
	used     atomic.Bool
}

func (l *pooledLedger) snapshotKey() string { return l.key + "/memory.snapshot" }

// restore takes up what the last process saved and removes it: taken up twice,
// it would bring back logins that were exchanged in between.
func (l *pooledLedger) restore() {
	l.restored.Do(func() {
		l.used.Store(true)
		ctx, cancel := context.WithTimeout(context.Background(), storageWait)
		defer cancel()
		snapshot, err := l.storage.Load(ctx, l.snapshotKey())
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err == nil {
			err = l.storage.Delete(ctx, l.snapshotKey())
		}
		if err == nil {
			err = l.Restore(snapshot)
		}
		if err != nil {
			l.logger.Warn("logins that were under way before the restart are lost", zap.Error(err))
		}
	})
}

// Destruct implements caddy.Destructor.
func (l *pooledLedger) Destruct() error {
	if !l.used.Load() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), storageWait)
	defer cancel()
	if err := l.storage.Store(ctx, l.snapshotKey(), l.Snapshot()); err != nil {
		return fmt.Errorf("saving the ledger: %w", err)
	}
	return nil
}

// ledgerStorage is a Caddy storage as a shared ledger sees it.
type ledgerStorage struct{ certmagic.Storage }

// lockWait bounds the wait for a lock of a storage that can't just try.
const lockWait = 2 * time.Second

// Modified implements ledger.Storage.
func (s ledgerStorage) Modified(ctx context.Context, key string) (time.Time, error) {
	info, err := s.Stat(ctx, key)
	return info.Modified, err
}

// TryLock implements ledger.Storage.
func (s ledgerStorage) TryLock(ctx context.Context, name string) (bool, error) {
	if locker, ok := s.Storage.(certmagic.TryLocker); ok {
		return locker.TryLock(ctx, name)
	}
	wait, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	err := s.Lock(wait, name)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return false, nil
	}
	return err == nil, err
}

// Interface guards
var (
	_ caddy.Destructor = (*pooledLedger)(nil)
	_ ledger.Ledger    = (*pooledLedger)(nil)
	_ ledger.Storage   = ledgerStorage{}
)
