package seal

import (
	"context"
	"errors"
)

// Keyring holds the sealing keys, which several gateways may share.
type Keyring interface {
	// Current returns the keys.
	Current(ctx context.Context) (*Keys, error)
	// Newer returns others than those that did not open a value, nil if there are
	// none: another gateway may have sealed it.
	Newer(ctx context.Context, than *Keys) *Keys
}

// Static are keys that stay as they are.
func Static(keys *Keys) Keyring { return static{keys} }

type static struct{ keys *Keys }

// Current implements [Keyring].
func (s static) Current(context.Context) (*Keys, error) { return s.keys, nil }

// Newer implements [Keyring].
func (s static) Newer(context.Context, *Keys) *Keys { return nil }

// ErrNoKeys is in the chain of the errors of [With] for a keyring without keys.
var ErrNoKeys = errors.New("no sealing keys")

// With calls a function that opens something, and once more with newer keys if another gateway
// may have sealed it with one of those. The keyring is asked also for a client that has left.
func With[T any](ctx context.Context, keyring Keyring, open func(*Keys) (T, error)) (T, error) {
	keys, err := keyring.Current(context.WithoutCancel(ctx))
	if err != nil {
		var none T
		return none, errors.Join(ErrNoKeys, err)
	}
	opened, err := open(keys)
	if errors.Is(err, ErrUnknownKey) {
		if keys = keyring.Newer(ctx, keys); keys != nil {
			return open(keys)
		}
	}
	return opened, err
}
