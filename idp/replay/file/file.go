// Package file keeps a [replay.StateStore] in a file, a bbolt database. What it has
// answered outlives the process, and a power failure of a machine whose disk keeps what
// it has confirmed.
package file

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// What a [Store] holds at most. A claim takes about 100 bytes of the file.
const (
	DefaultCapacity   = 1 << 22 // claims
	DefaultStateBytes = 1 << 30
)

// The errors of [Open] that say what is the matter.
var (
	// ErrInUse: a file belongs to one process at a time.
	ErrInUse   = errors.New("another process has it open")
	ErrDamaged = errors.New("it is damaged, or no replay store")
	// Who can write the file, or put another one in its place, can have a code redeemed twice.
	ErrNotOwn  = errors.New("it is a symbolic link, or no file; name the folder where the file itself is")
	ErrExposed = errors.New("everybody on this machine can write it; make it yours alone (chmod 600), or move it away if you can't tell who has written it")
)

const (
	// lockWait is how long [Open] waits for a process that is about to end.
	lockWait = 2 * time.Second
	// writeWait is how long a disk may take for a write before it counts as failed, and
	// maxWaiting how many writes wait for it.
	writeWait  = 5 * time.Second
	maxWaiting = 1 << 14
)

// Store is a [replay.StateStore] in a file. Writes that arrive while others are on
// their way to the disk go there together.
type Store struct {
	path           string
	db             *bbolt.DB
	now            func() time.Time
	opened         time.Time
	elapsed        func() time.Duration // since opened, whatever the clock on the wall is set to
	claims, states *table

	mu      sync.Mutex
	waiting []*write
	writing bool // a goroutine writes what waits
}

// Open opens the store in the file at path, for this user alone. It makes the file, and
// its folder, where there is none. now is time.Now except in tests.
func Open(path string, now func() time.Time) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil { //nolint:gosec // the operator names the folder
		return nil, err
	}
	s := &Store{path: path, now: now, opened: now(), claims: newTable("claims", DefaultCapacity*claimSize), states: newTable("states", DefaultStateBytes)}
	s.elapsed = func() time.Duration { return now().Sub(s.opened) }
	if err := s.open(); err != nil {
		return nil, s.explain(err)
	}
	return s, nil
}

func (s *Store) open() error {
	err := s.check()
	if err == nil {
		s.db, err = bbolt.Open(s.path, 0o600, &bbolt.Options{
			Timeout: lockWait,
			// It would be written with each claim, and be long after many logins at once.
			NoFreelistSync: true, FreelistType: bbolt.FreelistMapType,
		})
	}
	switch {
	case errors.Is(err, bbolterrors.ErrTimeout):
		return ErrInUse
	case errors.Is(err, bbolterrors.ErrInvalid), errors.Is(err, bbolterrors.ErrVersionMismatch), errors.Is(err, bbolterrors.ErrChecksum):
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	case err != nil:
		return err
	}
	if err = s.db.Update(func(tx *bbolt.Tx) error {
		_, claims := tx.CreateBucketIfNotExists(s.claims.name)
		_, states := tx.CreateBucketIfNotExists(s.states.name)
		return errors.Join(claims, states)
	}); err != nil {
		_ = s.db.Close()
	}
	return err
}

// check reads a file that is there. bbolt does so, too, in a goroutine of its own, so
// that a page that makes no sense, or is missing, ends the process.
func (s *Store) check() (err error) {
	info, err := os.Lstat(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return ErrNotOwn
	case info.Mode().Perm()&0o002 != 0 && runtime.GOOS != "windows": // where it says nothing
		return ErrExposed
	case info.Size() == 0:
		return nil
	}
	db, err := bbolt.Open(s.path, 0o600, &bbolt.Options{Timeout: lockWait, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, reason)
		}
	}()
	return db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(_ []byte, bucket *bbolt.Bucket) error {
			return bucket.ForEach(func(_, entry []byte) error {
				_ = isOver(entry, s.opened)
				return nil
			})
		})
	})
}

// Close gives the file up. Methods return an error after it.
func (s *Store) Close() error { return s.db.Close() }

// Claim implements [replay.Store].
func (s *Store) Claim(ctx context.Context, key replay.Key, ttl time.Duration) (replay.Claim, error) {
	c := &claim{store: s, key: key}
	_, _ = rand.Read(c.id[:]) // never returns an error
	claimed, err := s.swap(ctx, s.claims, key, nil, c.id[:], ttl)
	switch {
	case err != nil:
		return nil, err
	case !claimed:
		return nil, replay.ErrClaimed
	}
	return c, nil
}

type claim struct {
	store *Store
	key   replay.Key
	id    [8]byte // tells it from later ones
}

// Release implements [replay.Claim].
func (c *claim) Release(ctx context.Context) error {
	_, err := c.store.swap(ctx, c.store.claims, c.key, c.id[:], nil, 0)
	return err
}

// Load implements [replay.StateStore].
func (s *Store) Load(_ context.Context, key replay.Key) ([]byte, time.Time, error) {
	value, err := s.read(s.states, key)
	return value, s.now(), err
}

// CompareAndSwap implements [replay.StateStore].
func (s *Store) CompareAndSwap(ctx context.Context, key replay.Key, old, replacement []byte, ttl time.Duration) (bool, error) {
	return s.swap(ctx, s.states, key, old, replacement, ttl)
}

func (s *Store) swap(ctx context.Context, t *table, key replay.Key, old, replacement []byte, ttl time.Duration) (bool, error) {
	// What can't succeed is not worth a write, nor is nothing for nothing.
	if value, err := s.read(t, key); err != nil || !same(value, old) || old == nil && replacement == nil {
		return err == nil && same(value, old), err
	}
	swapped := false
	if err := s.write(ctx, func(tx *bbolt.Tx) (err error) {
		swapped, err = t.swap(tx, key, old, replacement, s.now().Add(ttl), s.passed())
		return err
	}); err != nil {
		return false, err // it may be carried out yet, so that swapped is not to be read
	}
	return swapped, nil
}

func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

func (s *Store) read(t *table, key replay.Key) (value []byte, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		value = bytes.Clone(t.get(tx, key, s.passed()))
		return nil
	})
	return value, s.explain(err)
}

// passed is until when entries are over: by the clock on the wall, by which codes
// expire, and by the one that nobody sets. A clock that is set back makes old codes
// valid again.
func (s *Store) passed() time.Time {
	wall := s.now()
	if steady := s.opened.Add(s.elapsed()); steady.UnixNano() < wall.UnixNano() {
		return steady
	}
	return wall
}

// Len implements [replay.Counter]. Claims that have been over for a short time count.
func (s *Store) Len() int {
	var size int64
	_ = s.db.View(func(tx *bbolt.Tx) error {
		size = s.claims.size(tx)
		return nil
	})
	return int(size / claimSize)
}

// Cap implements [replay.Counter].
func (s *Store) Cap() int { return int(s.claims.most / claimSize) }

// Ping implements [replay.Pinger]: it writes, and there is room for a claim.
func (s *Store) Ping(ctx context.Context) error {
	return s.write(ctx, func(tx *bbolt.Tx) error { return s.claims.makeRoom(tx, claimSize, s.passed()) })
}

// write is a change that waits for the disk.
type write struct {
	ctx    context.Context
	change func(*bbolt.Tx) error
	result error
	done   chan error
}

// write carries a change out and returns when the disk has it, or won't. If ctx ends
// before, it may have been carried out.
func (s *Store) write(ctx context.Context, change func(*bbolt.Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, writeWait)
	defer cancel()
	w := &write{ctx: ctx, change: change, done: make(chan error, 1)}
	if !s.enqueue(w) {
		return s.explain(errors.New("the disk is too slow: too many writes wait for it"))
	}
	select {
	case err := <-w.done:
		return err
	case <-ctx.Done():
		return s.explain(fmt.Errorf("waiting for the disk: %w", ctx.Err()))
	}
}

func (s *Store) enqueue(w *write) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == maxWaiting {
		return false
	}
	s.waiting = append(s.waiting, w)
	if !s.writing {
		s.writing = true
		go s.writeWaiting()
	}
	return true
}

// writeWaiting writes until nothing waits: at each turn all that came meanwhile, with
// one sync.
func (s *Store) writeWaiting() {
	for {
		s.mu.Lock()
		batch := s.waiting
		s.waiting = nil
		s.writing = len(batch) > 0
		s.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		err := s.commit(batch)
		for _, w := range batch {
			if err != nil {
				w.result = err
			}
			w.done <- w.result
		}
	}
}

// commit carries out a batch in one transaction. A change that returns an error changes
// nothing.
func (s *Store) commit(batch []*write) error {
	return s.explain(s.db.Update(func(tx *bbolt.Tx) error {
		for _, w := range batch {
			if w.result = w.ctx.Err(); w.result == nil {
				w.result = s.explain(w.change(tx))
			}
		}
		passed := s.passed()
		return errors.Join(s.claims.sweep(tx, sweptBeside*len(batch), passed), s.states.sweep(tx, sweptBeside*len(batch), passed))
	}))
}

// explain names the file in an error, and tells a disk without room.
func (s *Store) explain(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		err = fmt.Errorf("%w: %w", replay.ErrFull, err)
	}
	return fmt.Errorf("%s: %w", s.path, err)
}

// Interface guards
var (
	_ replay.StateStore = (*Store)(nil)
	_ replay.Pinger     = (*Store)(nil)
	_ replay.Counter    = (*Store)(nil)
)
