package rotation

import (
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// Kind says by which of its names a login is ended here.
type Kind string

// The kinds.
const (
	OfLogin Kind = "login" // one login, by its id in logs
	OfUser  Kind = "user"  // all of a user so far, by sub
	OfAgent Kind = "agent" // all of a client so far, by its name in logs
)

// Whose is a login by its names.
type Whose struct{ Login, User, Agent string }

func (w Whose) each() iter.Seq2[Kind, string] {
	return func(yield func(Kind, string) bool) {
		for _, one := range [...]struct {
			kind Kind
			name string
		}{{OfLogin, w.Login}, {OfUser, w.User}, {OfAgent, w.Agent}} {
			if one.name != "" && !yield(one.kind, one.name) {
				return
			}
		}
	}
}

// endKey is what stands for a name. No client at the IdP has the id "".
func (f *Families) endKey(kind Kind, name string) replay.Key {
	return sessionKey(f.site.IdP, "", string(kind), name)
}

// End ends logins of before a time by the gateways' clock: their refresh tokens, which are
// held to it as to a logout of the IdP, and their access tokens. It can be done again.
// [ErrManyEndings] is the error of one whose refresh tokens alone have ended.
func (f *Families) End(ctx context.Context, kind Kind, name string, now time.Time) error {
	key := f.endKey(kind, name)
	_, stored, err := load(ctx, f.store, key)
	if err != nil {
		return storeFailed(err)
	}
	if stored.After(now) { // the later of two clocks
		now = stored
	}
	at := Moment{now, now}
	if err := f.record(ctx, key, logout{at, at}); err != nil {
		return storeFailed(err)
	}
	return f.Endings.add(ctx, key, now)
}

// CheckEnded is [ErrLoggedOut] for a login that was ended here, and whose newest token was given
// out at a time, or [ErrStore].
func (f *Families) CheckEnded(ctx context.Context, w Whose, given time.Time) error {
	for kind, name := range w.each() {
		ended, err := f.logoutOf(ctx, f.endKey(kind, name))
		switch {
		case err != nil:
			return storeFailed(err)
		case ended.all == Moment{}:
		case kind == OfLogin || given.UnixMilli() <= ended.all.Here.UnixMilli():
			return ErrLoggedOut
		}
	}
	return nil
}

// CheckEnded is [Families.CheckEnded] for the login of the lease, whose family it ends, too.
func (l *Lease) CheckEnded(ctx context.Context, w Whose) error {
	err := l.families.CheckEnded(ctx, w, l.given)
	if errors.Is(err, ErrLoggedOut) && !l.over {
		l.over, l.before = true, l.held
	}
	return l.endLoggedOut(ctx, err)
}

// The list of endings is one value of the store, which all nodes read again after fresh, and do
// without for a while if the store fails.
const (
	maxEndings = 1000
	// endingsFor is how long an access token lives, and some time for clocks.
	endingsFor = time.Hour + 5*time.Minute
	fresh      = time.Second
	patience   = time.Second
)

// ErrManyEndings: the list is full.
var ErrManyEndings = errors.New("1,000 logins, users or agents were ended within the hour, and no more access tokens can be refused; " +
	"those that were issued end by themselves, or all at once with: rotate-key, and ten minutes later rotate-key --forget 0s")

// Endings are the logins, users and agents whose access tokens are good no longer, of all nodes
// that share a store. They are safe for concurrent use.
type Endings struct {
	families *Families
	known    atomic.Pointer[endings]
	reading  sync.Mutex
}

// endings are what the store had at a time: when each ended, in Unix milliseconds.
type endings struct {
	at   map[replay.Key]int64
	read time.Time
}

// encodeEndings is, of each ending
//
//	key (32) | when, in Unix milliseconds (8)
func encodeEndings(at map[replay.Key]int64) []byte {
	b := make([]byte, 0, len(at)*endingLength)
	for key, milli := range at {
		b = binary.BigEndian.AppendUint64(append(b, key[:]...), uint64(milli))
	}
	return b
}

const endingLength = len(replay.Key{}) + 8

// decodeEndings reads what [encodeEndings] wrote, without those that are over.
func decodeEndings(b []byte, since time.Time) (map[replay.Key]int64, error) {
	at := make(map[replay.Key]int64, len(b)/endingLength)
	if len(b)%endingLength != 0 {
		return nil, errors.New("the replay store has a list of endings that is none")
	}
	for ; len(b) > 0; b = b[endingLength:] {
		if milli := int64(binary.BigEndian.Uint64(b[len(replay.Key{}):])); milli > since.UnixMilli() {
			at[replay.Key(b)] = milli
		}
	}
	return at, nil
}

func (e *Endings) key() replay.Key { return sessionKey(e.families.site.IdP, "", "endings", "all") }

func (e *Endings) add(ctx context.Context, key replay.Key, now time.Time) error {
	for {
		value, _, err := load(ctx, e.families.store, e.key())
		if err != nil {
			return storeFailed(err)
		}
		at, err := decodeEndings(value, now.Add(-endingsFor))
		if err != nil {
			return storeFailed(err)
		}
		at[key] = max(at[key], now.UnixMilli())
		if len(at) > maxEndings {
			return ErrManyEndings
		}
		swapped, err := swap(ctx, e.families.store, e.key(), value, encodeEndings(at), endingsFor)
		if err != nil {
			return storeFailed(err)
		}
		if swapped {
			e.known.Store(&endings{maps.Clone(at), time.Now()})
			return nil
		}
	}
}

// Has reports whether an access token that was issued at a time, in whole seconds, is of a login
// that has ended since. Where the store fails, what it has said last counts.
func (e *Endings) Has(w Whose, issued time.Time) bool {
	known := e.current()
	if len(known.at) == 0 {
		return false
	}
	for kind, name := range w.each() {
		if at, ended := known.at[e.families.endKey(kind, name)]; ended && (kind == OfLogin || issued.Unix() <= at/1000) {
			return true
		}
	}
	return false
}

// current is the list, read again if it is not fresh. While one request does that, others go by
// the one before for a moment.
func (e *Endings) current() *endings {
	known := e.known.Load()
	if known != nil && time.Since(known.read) < fresh {
		return known
	}
	if known == nil || time.Since(known.read) > 2*fresh {
		e.reading.Lock()
	} else if !e.reading.TryLock() {
		return known
	}
	defer e.reading.Unlock()
	if known = e.known.Load(); known != nil && time.Since(known.read) < fresh {
		return known
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	next := &endings{read: time.Now()}
	value, now, err := e.families.store.Load(ctx, e.key())
	if err == nil {
		next.at, err = decodeEndings(value, now.Add(-endingsFor))
	}
	if err != nil && known != nil {
		next.at = known.at
	}
	next.read = time.Now()
	e.known.Store(next)
	return next
}
