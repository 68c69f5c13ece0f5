package ledger

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Storage is what a shared ledger needs of a key-value store. Keys are paths
// with slashes.
type Storage interface {
	Store(ctx context.Context, key string, value []byte) error
	// Load fails with fs.ErrNotExist if there is no such key.
	Load(ctx context.Context, key string) ([]byte, error)
	// Delete succeeds if there is no such key.
	Delete(ctx context.Context, key string) error
	// List returns the keys below prefix; fs.ErrNotExist counts as none.
	List(ctx context.Context, prefix string, recursive bool) ([]string, error)
	// Modified is the time at which the key was stored.
	Modified(ctx context.Context, key string) (time.Time, error)
	// TryLock takes a lock that holds across all nodes, and reports whether it
	// was free. It does not wait.
	TryLock(ctx context.Context, name string) (bool, error)
	Unlock(ctx context.Context, name string) error
}

// storageTimeout bounds one operation of the ledger on its storage.
const storageTimeout = 5 * time.Second

// Shared is a ledger in a storage that several nodes share. A login may begin
// at one and be exchanged at another. See [NewShared].
type Shared struct {
	storage  Storage
	prefix   string
	ttl      time.Duration
	capacity int64
	now      func() time.Time

	// count is the number of entries at the last sweep and those that this
	// node has added since.
	count   atomic.Int64
	sweepMu sync.Mutex
	evicted atomic.Uint64
}

// NewShared makes a ledger below prefix in storage. Nodes share it if they
// use the same storage, prefix and bounds.
func NewShared(storage Storage, prefix string, ttl time.Duration, capacity int, now func() time.Time) *Shared {
	return &Shared{storage: storage, prefix: prefix, ttl: ttl, capacity: int64(capacity), now: now}
}

func (s *Shared) loginPath(k key) string { return s.prefix + "/login/" + hex.EncodeToString(k[:]) }
func (s *Shared) spentPath(k key) string { return s.prefix + "/spent/" + hex.EncodeToString(k[:]) }

// lockName has no slashes: some storages make a file of it.
func lockName(k key) string { return "identity_gateway_ledger_" + hex.EncodeToString(k[:]) }

// Remember implements [Ledger].
func (s *Shared) Remember(ctx context.Context, login Login) error {
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	if err := s.makeRoom(ctx); err != nil {
		return err
	}
	if err := s.storage.Store(ctx, s.loginPath(loginKey(login)), s.timestamp()); err != nil {
		return fmt.Errorf("storing a login: %w", err)
	}
	s.count.Add(1)
	return nil
}

// Begin implements [Ledger]. The reservation is a pair of locks in the storage,
// which frees them itself if this node dies.
func (s *Shared) Begin(ctx context.Context, login Login, code string) (*Reservation, error) {
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	ks := newKeys(login, code)
	if err := s.lock(ctx, ks); err != nil {
		return nil, err
	}
	if err := s.check(ctx, ks); err != nil {
		s.release(ctx, ks)
		return nil, err
	}
	return &Reservation{settler: s, keys: ks}, nil
}

// lock takes both locks or none.
func (s *Shared) lock(ctx context.Context, ks keys) error {
	for i, k := range [...]key{ks.code, ks.verifier} {
		locked, err := s.storage.TryLock(ctx, lockName(k))
		if err == nil && locked {
			continue
		}
		if i > 0 {
			_ = s.storage.Unlock(ctx, lockName(ks.code))
		}
		if err != nil {
			return fmt.Errorf("locking an exchange: %w", err)
		}
		return ErrBusy
	}
	return nil
}

// check reads the entries under the locks.
func (s *Shared) check(ctx context.Context, ks keys) error {
	for _, path := range [...]string{s.spentPath(ks.code), s.spentPath(ks.verifier)} {
		if live, err := s.isLive(ctx, path); err != nil {
			return err
		} else if live {
			return ErrSpent
		}
	}
	if live, err := s.isLive(ctx, s.loginPath(ks.login)); err != nil {
		return err
	} else if !live {
		return ErrUnknown
	}
	return nil
}

func (s *Shared) isLive(ctx context.Context, path string) (bool, error) {
	value, err := s.storage.Load(ctx, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("reading the ledger: %w", err)
	case len(value) != 8:
		return false, errors.New("reading the ledger: an entry is damaged")
	}
	at := time.Unix(int64(binary.BigEndian.Uint64(value)), 0)
	return s.now().Sub(at) <= s.ttl, nil
}

func (s *Shared) commit(ctx context.Context, ks keys) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storageTimeout)
	defer cancel()
	defer s.release(ctx, ks)
	for _, path := range [...]string{s.spentPath(ks.code), s.spentPath(ks.verifier)} {
		if err := s.storage.Store(ctx, path, s.timestamp()); err != nil {
			return fmt.Errorf("storing a spent code: %w", err)
		}
		s.count.Add(1)
	}
	// The login is of no use any more; if it stays, the spent verifier still guards it.
	if s.storage.Delete(ctx, s.loginPath(ks.login)) == nil {
		s.count.Add(-1)
	}
	return nil
}

func (s *Shared) release(ctx context.Context, ks keys) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storageTimeout)
	defer cancel()
	// A lock that can't be freed expires in the storage.
	_ = s.storage.Unlock(ctx, lockName(ks.verifier))
	_ = s.storage.Unlock(ctx, lockName(ks.code))
}

func (s *Shared) timestamp() []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(s.now().Unix()))
}

// makeRoom sweeps if the ledger may be full.
func (s *Shared) makeRoom(ctx context.Context) error {
	if s.count.Load() < s.capacity {
		return nil
	}
	if err := s.Sweep(ctx); err != nil {
		return err
	}
	if s.count.Load() >= s.capacity {
		return ErrFull
	}
	return nil
}

// Sweep deletes what is expired and counts the rest. Over capacity it drops
// pending logins, oldest first, and a tenth more so that it is not soon
// needed again. Each node has to call it regularly, about once a minute.
func (s *Shared) Sweep(ctx context.Context) error {
	s.sweepMu.Lock()
	defer s.sweepMu.Unlock()
	spent, err := s.sweepFolder(ctx, s.prefix+"/spent")
	if err != nil {
		return err
	}
	pending, err := s.sweepFolder(ctx, s.prefix+"/login")
	if err != nil {
		return err
	}
	if excess := int64(len(spent)+len(pending)) - s.capacity; excess >= 0 {
		slices.SortFunc(pending, func(a, b stored) int { return a.at.Compare(b.at) })
		dropped := min(int64(len(pending)), excess+1+s.capacity/10)
		for _, oldest := range pending[:dropped] {
			if err := s.storage.Delete(ctx, oldest.path); err != nil {
				return fmt.Errorf("dropping an old login: %w", err)
			}
		}
		s.evicted.Add(uint64(dropped))
		pending = pending[dropped:]
	}
	s.count.Store(int64(len(spent) + len(pending)))
	return nil
}

// Evicted counts the pending logins that this node dropped for room, ever.
func (s *Shared) Evicted() uint64 { return s.evicted.Load() }

// stored is an entry as a sweep sees it.
type stored struct {
	path string
	at   time.Time
}

// sweepFolder deletes the expired entries of a folder and returns the others.
func (s *Shared) sweepFolder(ctx context.Context, folder string) ([]stored, error) {
	paths, err := s.storage.List(ctx, folder, false)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("listing the ledger: %w", err)
	}
	var live []stored
	now := s.now()
	for _, path := range paths {
		at, err := s.storage.Modified(ctx, path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, fmt.Errorf("reading the ledger: %w", err)
		case now.Sub(at) > s.ttl:
			if err := s.storage.Delete(ctx, path); err != nil {
				return nil, fmt.Errorf("deleting an expired entry: %w", err)
			}
		default:
			live = append(live, stored{path, at})
		}
	}
	return live, nil
}
