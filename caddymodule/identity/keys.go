package identity

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
	// that start together may each make one. None is ever overwritten: the one
	// with the smallest name seals, all of them open.
	keysFolder = "identity_gateway/keys"
	// keysTimeout bounds a look into the storage.
	keysTimeout = 10 * time.Second
	// keysInterval is the shortest time between two looks into the storage,
	// whatever sealed values come from outside.
	keysInterval = 2 * time.Second
	// keyTime begins the name of a key: when it was made, in UTC.
	keyTime = "20060102T150405"
)

// keyring holds a gateway's sealing keys: those of the configuration, or those
// in Caddy's storage, which are read when the first request needs them, so that
// validating a configuration neither makes nor reads any.
type keyring struct {
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

// remember shares what is read with the keyrings of other configurations. forget
// must be called in the end.
func (k *keyring) remember() error {
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

// forget ends what remember began.
func (k *keyring) forget() error {
	if k.known == nil {
		return nil
	}
	_, err := storages.Delete(k.name)
	return err
}

// newKeyring makes a keyring of the configuration's masters, or of the storage's if there are none.
func newKeyring(masters []string, storage certmagic.Storage, logger *zap.Logger, now func() time.Time) (*keyring, error) {
	k := &keyring{logger: logger, now: now}
	if len(masters) == 0 {
		k.storage = storage
		return k, nil
	}
	raw := make([][]byte, len(masters))
	for i, master := range masters {
		raw[i] = []byte(strings.TrimSpace(master))
	}
	keys, err := seal.NewKeys(raw, now)
	if err != nil {
		return nil, fmt.Errorf("sealing_key: %w (make one with: openssl rand -base64 32)", err)
	}
	k.keys.Store(keys)
	return k, nil
}

// Current implements [idp.Keyring].
func (k *keyring) Current(ctx context.Context) (*seal.Keys, error) {
	if keys := k.keys.Load(); keys != nil {
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

// Newer implements [idp.Keyring]. It returns other keys than those that did not open a value, after another
// look into the storage if that is due; nil if there are none. Another node may
// have sealed the value with a key that was not known here.
func (k *keyring) Newer(ctx context.Context, than *seal.Keys) *seal.Keys {
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
func (k *keyring) look(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keysTimeout)
	defer cancel()
	k.looked = k.now()
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

// load reads all master keys, and makes the first one if there are none.
func (k *keyring) load(ctx context.Context) (*foundKeys, error) {
	names, masters, err := k.read(ctx)
	if err != nil {
		return nil, err
	}
	if len(masters) == 0 {
		if k.keys.Load() != nil {
			// Anybody can bring about a look, and a storage that is away may seem empty: a
			// new key would end all logins and refresh tokens of those in use.
			return nil, fmt.Errorf("%s has no keys any more: restore them, or reload the configuration to make a new one", keysFolder)
		}
		if err := k.create(ctx); err != nil {
			return nil, err
		}
		if names, masters, err = k.read(ctx); err != nil {
			return nil, err
		}
	}
	keys, err := seal.NewKeys(masters, k.now)
	if err != nil {
		return nil, err
	}
	found := &foundKeys{keys: keys}
	stamp, _, _ := strings.Cut(path.Base(names[0]), "-")
	made, err := time.Parse(keyTime, stamp)
	found.made = &made
	return found, err
}

// read is the names of all keys, the one that seals first, and the keys.
func (k *keyring) read(ctx context.Context) ([]string, [][]byte, error) {
	names, err := k.storage.List(ctx, keysFolder, false)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("listing %s: %w", keysFolder, err)
	}
	// Caddy's file storage writes under another name until a file is complete. One
	// that was never completed stays, if the process was killed.
	names = slices.DeleteFunc(names, func(name string) bool { return !isKeyName(path.Base(name)) })
	slices.Sort(names)
	var masters [][]byte
	for _, name := range names {
		text, err := k.storage.Load(ctx, name)
		if err != nil {
			return nil, nil, fmt.Errorf("reading %s: %w", name, err)
		}
		master, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
		if err != nil || len(master) < seal.MinMaster {
			return nil, nil, fmt.Errorf("%s is not a key (base64 of at least %d bytes): restore or delete it; "+
				"logins that are under way with it begin again", name, seal.MinMaster)
		}
		masters = append(masters, master)
	}
	return names, masters, nil
}

// isKeyName reports a name as create makes them.
func isKeyName(name string) bool {
	stamp, _, ok := strings.Cut(name, "-")
	_, err := time.Parse(keyTime, stamp)
	return ok && err == nil
}

// create stores a new master key under a name that no other node uses.
func (k *keyring) create(ctx context.Context) error {
	master := make([]byte, seal.MinMaster)
	_, _ = rand.Read(master) // never returns an error
	name := fmt.Sprintf("%s/%s-%s", keysFolder, k.now().UTC().Format(keyTime), rand.Text())
	if err := k.storage.Store(ctx, name, []byte(base64.StdEncoding.EncodeToString(master)+"\n")); err != nil {
		return fmt.Errorf("storing %s: %w", name, err)
	}
	k.logger.Info("made a sealing key", zap.String("storage_key", name))
	return nil
}
