// Package sealing has the keys with which gateways seal what browsers and clients carry: one
// that the configuration gives, or those in Caddy's storage, which all nodes share and
// `caddy identity-gateway rotate-key` rolls.
package sealing

import (
	"context"
	"crypto/rand"
	"encoding/base64"
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

	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

const (
	// keysFolder holds the master keys in Caddy's storage, one file each. Nodes
	// that start together may each make one. None is ever overwritten: one seals
	// ([sealer]), all of them open.
	keysFolder = "identity_gateway/keys"
	// keysRefresh is how often a process that is asked for its keys looks for others.
	keysRefresh = 5 * time.Minute
	// keysSettle is the age at which a key begins to seal: all processes know it.
	keysSettle = 2 * keysRefresh
	// keysTimeout bounds a look into the storage.
	keysTimeout = 10 * time.Second
	// keysInterval is the shortest time between two looks into the storage,
	// whatever sealed values come from outside.
	keysInterval = 2 * time.Second
	// keyTime begins the name of a key: when it was made, in UTC.
	keyTime = "20060102T150405"
)

// Keyring holds a gateway's sealing keys: those of the configuration, or those
// in Caddy's storage, which are read when the first request needs them, so that
// validating a configuration neither makes nor reads any.
type Keyring struct {
	storage certmagic.Storage // nil if the configuration gives the keys
	logger  *zap.Logger
	now     func() time.Time

	keys atomic.Pointer[seal.Keys]
	// made is when the storage's key that seals was made, nil if that is not known.
	made atomic.Pointer[time.Time]

	// known is what was last read from the same storage, also by the configuration
	// before a reload; nil if the storage has no name by which it could be told.
	known *knownKeys
	name  string // of the storage

	mu     sync.Mutex
	looked time.Time // when the storage was last asked
	err    error     // and what came of it
	// due is when to look for other keys, in Unix nanoseconds.
	due atomic.Int64
}

// knownKeys are the keys that were last read from a storage.
type knownKeys struct{ atomic.Pointer[foundKeys] }

// Destruct implements caddy.Destructor.
func (*knownKeys) Destruct() error { return nil }

// foundKeys are keys, and when the one that seals was made, if that is known.
type foundKeys struct {
	keys *seal.Keys
	made *time.Time
}

// storages are the known keys by storage, which configurations share across
// reloads: a reload while the storage is away must not break logins.
var storages = caddy.NewUsagePool()

// Remember shares what is read with the keyrings of other configurations. Forget
// must be called in the end.
func (k *Keyring) Remember() error {
	storage, ok := k.storage.(fmt.Stringer)
	if !ok {
		return nil
	}
	known, _, err := storages.LoadOrNew(storage.String(), func() (caddy.Destructor, error) { return new(knownKeys), nil })
	if err != nil {
		return err
	}
	k.known, k.name = known.(*knownKeys), storage.String()
	return nil
}

// Forget ends what Remember began.
func (k *Keyring) Forget() error {
	if k.known == nil {
		return nil
	}
	_, err := storages.Delete(k.name)
	return err
}

// New makes a keyring of the configuration's masters, or of the storage's if there are none.
func New(masters []string, storage certmagic.Storage, logger *zap.Logger, now func() time.Time) (*Keyring, error) {
	k := &Keyring{logger: logger, now: now}
	if len(masters) == 0 {
		k.storage = storage
		return k, nil
	}
	const howTo = "(make one with: openssl rand -base64 32)"
	var raw, texts [][]byte
	for i, master := range masters {
		key, text, err := seal.ParseMaster([]byte(master))
		if err != nil {
			return nil, fmt.Errorf("sealing_key: master key %d %w %s", i+1, err, howTo)
		}
		if raw = append(raw, key); text != nil {
			texts = append(texts, text)
		}
	}
	keys, err := seal.NewKeys(append(raw, texts...), now)
	if err != nil {
		return nil, fmt.Errorf("sealing_key: %w %s", err, howTo)
	}
	k.keys.Store(keys)
	return k, nil
}

// Current implements [seal.Keyring].
func (k *Keyring) Current(ctx context.Context) (*seal.Keys, error) {
	if keys := k.keys.Load(); keys != nil {
		k.refresh(ctx)
		return keys, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if keys := k.keys.Load(); keys != nil {
		return keys, nil
	}
	if k.now().Sub(k.looked) < time.Second {
		return nil, k.err
	}
	k.look(ctx)
	return k.keys.Load(), k.err
}

// refresh looks for keys that were made elsewhere, or became old enough to seal, if that is
// due. The request does not wait for it.
func (k *Keyring) refresh(ctx context.Context) {
	if k.storage == nil || k.now().UnixNano() < k.due.Load() || !k.mu.TryLock() {
		return
	}
	go func() {
		defer k.mu.Unlock()
		k.look(ctx)
	}()
}

// Newer implements [seal.Keyring]. It returns other keys than those that did not open a value, after another
// look into the storage if that is due; nil if there are none. Another node may
// have sealed the value with a key that was not known here.
func (k *Keyring) Newer(ctx context.Context, than *seal.Keys) *seal.Keys {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.keys.Load() == than && k.storage != nil && k.now().Sub(k.looked) >= keysInterval {
		k.look(ctx)
	}
	if keys := k.keys.Load(); keys != than {
		return keys
	}
	return nil
}

// look reads the keys from the storage. The request that asks may end before
// it is done; others wait for the same look.
func (k *Keyring) look(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keysTimeout)
	defer cancel()
	k.looked = k.now()
	k.due.Store(k.looked.Add(keysRefresh).UnixNano())
	found, err := k.load(ctx)
	if err != nil && k.known != nil {
		found = k.known.Load() // also from before a reload
	}
	if found != nil {
		k.keys.Store(found.keys)
		k.made.Store(found.made)
	}
	switch {
	case err == nil:
		if k.known != nil {
			k.known.Store(found)
		}
	case k.keys.Load() != nil:
		k.logger.Warn("the sealing keys can't be read from Caddy's storage; those that are known stay in use", zap.Error(err))
		err = nil
	default:
		k.logger.Error("the sealing keys can't be had from Caddy's storage; logins wait until they can", zap.Error(err))
	}
	k.err = err
}

// Made is when the key that seals was made, nil if it was not here or is not known yet.
func (k *Keyring) Made() *time.Time { return k.made.Load() }

// load reads all master keys, and makes the first one if there are none.
func (k *Keyring) load(ctx context.Context) (*foundKeys, error) {
	stored, err := readKeys(ctx, k.storage)
	if err != nil {
		return nil, err
	}
	if len(stored) == 0 {
		if k.keys.Load() != nil {
			// Anybody can bring about a look, and a storage that is away may seem empty: a
			// new key would end all logins and refresh tokens of those in use.
			return nil, fmt.Errorf("%s has no keys any more: restore them, or reload the configuration to make a new one", keysFolder)
		}
		name, err := createKey(ctx, k.storage, k.now())
		if err != nil {
			return nil, err
		}
		k.logger.Info("made a sealing key", zap.String("storage_key", name))
		if stored, err = readKeys(ctx, k.storage); err != nil {
			return nil, err
		}
		if len(stored) == 0 {
			return nil, fmt.Errorf("the storage does not list %s, which was just made", name)
		}
	}
	first := sealer(stored, k.now())
	masters := [][]byte{stored[first].master}
	for i := range stored {
		if i != first {
			masters = append(masters, stored[i].master)
		}
	}
	keys, err := seal.NewKeys(masters, k.now)
	if err != nil {
		return nil, err
	}
	return &foundKeys{keys: keys, made: &stored[first].made}, nil
}

// sealer is the index of the key that seals: the newest one that all processes have had
// the time to find, or else the first.
func sealer(stored []storedKey, now time.Time) int {
	for i := len(stored) - 1; i > 0; i-- {
		if now.Sub(stored[i].made) >= keysSettle {
			return i
		}
	}
	return 0
}

// storedKey is a master key in Caddy's storage.
type storedKey struct {
	name   string // in the storage
	made   time.Time
	master []byte
}

// readKeys reads all keys of a storage, in the order of their names, which begin with
// when they were made.
func readKeys(ctx context.Context, storage certmagic.Storage) ([]storedKey, error) {
	names, err := storage.List(ctx, keysFolder, false)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("listing %s: %w", keysFolder, err)
	}
	slices.Sort(names)
	var keys []storedKey
	for _, name := range names {
		// Caddy's file storage writes under another name until a file is complete. One
		// that was never completed stays, if the process was killed.
		made, ok := keyMade(path.Base(name))
		if !ok {
			continue
		}
		text, err := storage.Load(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		master, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
		if err != nil || len(master) < seal.MinMaster {
			return nil, fmt.Errorf("%s is not a key (base64 of at least %d bytes): restore or delete it; "+
				"logins that are under way with it begin again", name, seal.MinMaster)
		}
		keys = append(keys, storedKey{name, made, master})
	}
	return keys, nil
}

// keyMade is when a key was made, by its name. It is false for names that createKey does
// not make.
func keyMade(name string) (time.Time, bool) {
	stamp, _, ok := strings.Cut(name, "-")
	made, err := time.Parse(keyTime, stamp)
	return made, ok && err == nil
}

// createKey stores a new master key under a name that no other node uses, and returns that.
func createKey(ctx context.Context, storage certmagic.Storage, now time.Time) (string, error) {
	master := make([]byte, seal.MinMaster)
	_, _ = rand.Read(master) // never returns an error
	name := fmt.Sprintf("%s/%s-%s", keysFolder, now.UTC().Format(keyTime), rand.Text())
	if err := storage.Store(ctx, name, []byte(base64.StdEncoding.EncodeToString(master)+"\n")); err != nil {
		return "", fmt.Errorf("storing %s: %w", name, err)
	}
	return name, nil
}
