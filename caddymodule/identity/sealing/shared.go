package sealing

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/certmagic"
	"go.uber.org/zap"
)

const (
	// keysRefresh is how often a process that is asked for its keys looks for others.
	keysRefresh = 5 * time.Minute
	// keysTimeout bounds a look into the storage.
	keysTimeout = 10 * time.Second
	// keyTime begins the name of a key: when it was made, in UTC.
	keyTime = "20060102T150405"
)

// shared are keys that all nodes have from Caddy's storage, one file each. Nodes that start
// together may each make one. None is ever overwritten. They are read when the first request
// needs them, so that validating a configuration neither makes nor reads any.
type shared[T any] struct {
	storage certmagic.Storage // nil if the configuration gives the keys
	logger  *zap.Logger
	now     func() time.Time
	kind    string // in messages
	idp     string // whose keys no other one's configuration may have
	// load reads the keys, and makes the first one if there are none: see [shared.files].
	load func(context.Context) (*T, error)

	keys atomic.Pointer[T]
	// known is what was last read from the same storage, also by the configuration
	// before a reload; nil if the storage has no name by which it could be told.
	known *known[T]
	name  string // of the storage, and of the keys

	mu     sync.Mutex
	looked time.Time // when the storage was last asked
	err    error     // and what came of it
	// due is when to look for other keys, in Unix nanoseconds.
	due atomic.Int64
}

// known are the keys that were last read from a storage.
type known[T any] struct{ atomic.Pointer[T] }

// Destruct implements caddy.Destructor.
func (*known[T]) Destruct() error { return nil }

// storages are the known keys by storage, which configurations share across
// reloads: a reload while the storage is away must not break logins.
var storages = caddy.NewUsagePool()

// Remember shares what is read with other configurations. Forget must be called in the end.
func (s *shared[T]) Remember() error {
	storage, ok := s.storage.(fmt.Stringer)
	if !ok {
		return nil
	}
	name := s.kind + "\x00" + s.idp + "\x00" + storage.String()
	of, _, err := storages.LoadOrNew(name, func() (caddy.Destructor, error) { return new(known[T]), nil })
	if err != nil {
		return err
	}
	s.known, s.name = of.(*known[T]), name
	return nil
}

// Forget ends what Remember began.
func (s *shared[T]) Forget() error {
	if s.known == nil {
		return nil
	}
	_, err := storages.Delete(s.name)
	return err
}

// current are the keys to use now.
func (s *shared[T]) current(ctx context.Context) (*T, error) {
	if keys := s.keys.Load(); keys != nil {
		s.refresh(ctx)
		return keys, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if keys := s.keys.Load(); keys != nil {
		return keys, nil
	}
	if s.now().Sub(s.looked) < time.Second {
		return nil, s.err
	}
	s.look(ctx)
	return s.keys.Load(), s.err
}

// refresh looks for keys that were made elsewhere, or whose time has come, if that is
// due. The request does not wait for it.
func (s *shared[T]) refresh(ctx context.Context) {
	if s.storage == nil || s.now().UnixNano() < s.due.Load() || !s.mu.TryLock() {
		return
	}
	go func() {
		defer s.mu.Unlock()
		s.look(ctx)
	}()
}

// look reads the keys from the storage. The request that asks may end before
// it is done; others wait for the same look.
func (s *shared[T]) look(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keysTimeout)
	defer cancel()
	s.looked = s.now()
	s.due.Store(s.looked.Add(keysRefresh).UnixNano())
	found, err := s.load(ctx)
	if err != nil && s.known != nil {
		found = s.known.Load() // also from before a reload
	}
	if found != nil {
		s.keys.Store(found)
	}
	switch {
	case err == nil:
		if s.known != nil {
			s.known.Store(found)
		}
	case s.keys.Load() != nil:
		s.logger.Warn("the "+s.kind+" can't be read from Caddy's storage; those that are known stay in use", zap.Error(err))
		err = nil
	default:
		s.logger.Error("the "+s.kind+" can't be read from Caddy's storage; logins wait until they can", zap.Error(err))
	}
	s.err = err
}

// files are those of a folder whose names fit, of which create makes the first one.
func (s *shared[T]) files(ctx context.Context, folder string, fits func(name string) bool, create func(context.Context) (string, error)) ([]file, error) {
	found, err := readFiles(ctx, s.storage, folder, fits)
	if err != nil || len(found) > 0 {
		return found, err
	}
	if s.keys.Load() != nil {
		// Anybody can bring about a look, and a storage that is away may seem empty: a
		// new key would end all logins and refresh tokens of those in use.
		return nil, fmt.Errorf("%s no longer has keys: restore them, or reload the configuration to make a new one", folder)
	}
	name, err := create(ctx)
	if err != nil {
		return nil, err
	}
	if name != "" { // "": another node did
		s.logger.Info("made the first of the "+s.kind, zap.String("storage_key", name))
	}
	if found, err = readFiles(ctx, s.storage, folder, fits); err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("the storage does not list %s, which was just made", cmp.Or(name, "a key"))
	}
	return found, nil
}

// file is one in a storage that has a key.
type file struct {
	name    string // in the storage
	made    time.Time
	content []byte
}

// readFiles reads the files of a folder whose names fit, in the order of these, which begin with
// when they were made.
func readFiles(ctx context.Context, storage certmagic.Storage, folder string, fits func(name string) bool) ([]file, error) {
	names, err := storage.List(ctx, folder, false)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("listing %s: %w", folder, err)
	}
	slices.Sort(names)
	var found []file
	for _, name := range names {
		// Caddy's file storage writes under another name until a file is complete. One
		// that was never completed stays, if the process was killed.
		made, ok := keyMade(path.Base(name))
		if !ok || !fits(path.Base(name)) {
			continue
		}
		content, err := storage.Load(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		found = append(found, file{name, made, content})
	}
	return found, nil
}

// keyMade is when a key was made, by its name. It is false for names that createFile does
// not make.
func keyMade(name string) (time.Time, bool) {
	stamp, _, ok := strings.Cut(name, "-")
	made, err := time.Parse(keyTime, stamp)
	return made, ok && err == nil
}

// createFile stores a new key under a name that no other node uses, and returns that.
func createFile(ctx context.Context, storage certmagic.Storage, folder, infix string, now time.Time, content []byte) (string, error) {
	name := fmt.Sprintf("%s/%s-%s%s", folder, now.UTC().Format(keyTime), infix, rand.Text())
	if err := storage.Store(ctx, name, content); err != nil {
		return "", fmt.Errorf("storing %s: %w", name, err)
	}
	return name, nil
}
