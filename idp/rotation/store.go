package rotation

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// storeWait is how long a store that fails is tried again before anything was sent to
// the IdP. It was seen to take up to half a second to restart.
const storeWait = 3 * time.Second

// The pauses between two attempts at a store that fails.
const (
	firstRetry = 25 * time.Millisecond
	lastRetry  = 400 * time.Millisecond
)

// swap replaces a value as [replay.StateStore.CompareAndSwap] does, and tries again
// until ctx is over if that fails. Nobody else puts replacement into the store.
func swap(ctx context.Context, store replay.StateStore, key replay.Key, old, replacement []byte, ttl time.Duration) (bool, error) {
	failed := false
	expected := old
	for wait := firstRetry; ; wait = min(2*wait, lastRetry) {
		swapped, err := store.CompareAndSwap(ctx, key, expected, replacement, ttl)
		switch {
		case err == nil && (swapped || !failed):
			return swapped, nil
		case errors.Is(err, replay.ErrFull) && expected == nil:
			return false, err
		case err != nil:
			if failed = true; pause(ctx, wait) != nil {
				return false, err
			}
		}
		// One that failed may have been carried out all the same: what is there tells.
		value, _, loadErr := load(ctx, store, key)
		switch {
		case loadErr != nil:
			return false, cmp.Or(err, loadErr)
		case bytes.Equal(value, replacement):
			// Once more, for a store that could not keep it as safely as it should.
			expected = replacement
		case bytes.Equal(value, old):
			expected = old // also after replacement was there: with a master that was replaced since
		case err == nil:
			return false, nil
		}
	}
}

// load is [replay.StateStore.Load], again until ctx is over if that fails.
func load(ctx context.Context, store replay.StateStore, key replay.Key) ([]byte, time.Time, error) {
	for wait := firstRetry; ; wait = min(2*wait, lastRetry) {
		value, now, err := store.Load(ctx, key)
		if err == nil {
			return value, now, nil
		}
		if pause(ctx, wait) != nil {
			return nil, time.Time{}, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
