// Package sealing has the keys with which gateways seal what browsers and clients carry, and
// those with which they sign ID tokens: what the configuration gives, or those in Caddy's
// storage, which all nodes share and `caddy identity-gateway rotate-key` rolls.
//
// # Files
//
//	keyring.go: sealing keys: where they are stored, which one seals, when a new one begins to
//	signing.go: signing keys: from files, or made in the storage
//	shared.go: what both do: how often the storage is looked at, nodes that start together
//	keyrings.go: the keys that require_token finds
//	rotate.go: the command rotate-key
package sealing

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"github.com/caddyserver/certmagic"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

const (
	// keysFolder holds the master keys in Caddy's storage. One seals ([sealer]), all of them open.
	keysFolder = "identity_gateway/keys"
	// keysSettle is the age at which a key begins to seal: all processes know it.
	keysSettle = 2 * keysRefresh
	// keysInterval is the shortest time between two looks into the storage,
	// whatever sealed values come from outside.
	keysInterval = 2 * time.Second
)

// Keyring holds a gateway's sealing keys: those of the configuration, or those
// in Caddy's storage.
type Keyring struct{ shared[foundKeys] }

// foundKeys are keys, and when the one that seals was made, nil if that is not known.
type foundKeys struct {
	keys *seal.Keys
	made *time.Time
}

// New makes a keyring of the configuration's masters, or of the storage's if there are none.
func New(masters []string, storage certmagic.Storage, logger *zap.Logger, now func() time.Time) (*Keyring, error) {
	k := &Keyring{shared[foundKeys]{logger: logger, now: now, kind: "sealing keys"}}
	if k.load = k.read; len(masters) == 0 {
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
	k.keys.Store(&foundKeys{keys: keys})
	return k, nil
}

// Current implements [seal.Keyring].
func (k *Keyring) Current(ctx context.Context) (*seal.Keys, error) {
	found, err := k.current(ctx)
	if found == nil {
		return nil, err
	}
	return found.keys, err
}

// Newer implements [seal.Keyring]. It returns other keys than those that did not open a value, after another
// look into the storage if that is due; nil if there are none. Another node may
// have sealed the value with a key that was not known here.
func (k *Keyring) Newer(ctx context.Context, than *seal.Keys) *seal.Keys {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.inUse() == than && k.storage != nil && k.now().Sub(k.looked) >= keysInterval {
		k.look(ctx)
	}
	if keys := k.inUse(); keys != than {
		return keys
	}
	return nil
}

// inUse are the keys that are known, nil if none are.
func (k *Keyring) inUse() *seal.Keys {
	if found := k.keys.Load(); found != nil {
		return found.keys
	}
	return nil
}

// Made is when the key that seals was made, nil if it was not here or is not known yet.
func (k *Keyring) Made() *time.Time {
	if found := k.keys.Load(); found != nil {
		return found.made
	}
	return nil
}

// read reads all master keys, and makes the first one if there are none.
func (k *Keyring) read(ctx context.Context) (*foundKeys, error) {
	files, err := k.files(ctx, keysFolder, anyName, func(ctx context.Context) (string, error) { return createKey(ctx, k.storage, k.now()) })
	if err != nil {
		return nil, err
	}
	stored, err := parseKeys(files)
	if err != nil {
		return nil, err
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
	file
	master []byte
}

func anyName(string) bool { return true }

// readKeys reads all master keys of a storage, in the order in which they were made.
func readKeys(ctx context.Context, storage certmagic.Storage) ([]storedKey, error) {
	files, err := readFiles(ctx, storage, keysFolder, anyName)
	if err != nil {
		return nil, err
	}
	return parseKeys(files)
}

func parseKeys(files []file) ([]storedKey, error) {
	var keys []storedKey
	for _, file := range files {
		master, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(file.content)))
		if err != nil || len(master) < seal.MinMaster {
			return nil, fmt.Errorf("%s is not a key (base64 of at least %d bytes): restore or delete it; "+
				"logins that are under way with it begin again", file.name, seal.MinMaster)
		}
		keys = append(keys, storedKey{file, master})
	}
	return keys, nil
}

// createKey stores a new master key, and returns its name.
func createKey(ctx context.Context, storage certmagic.Storage, now time.Time) (string, error) {
	master := make([]byte, seal.MinMaster)
	_, _ = rand.Read(master) // never returns an error
	return createFile(ctx, storage, keysFolder, "", now, []byte(base64.StdEncoding.EncodeToString(master)+"\n"))
}
