package rotation

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// state is where a family stands, as the store has it, sealed.
type state struct {
	generation uint32
	// changed is when the generation was given out, used when a token of it was used
	// first, busy until when a request of the family may be at the IdP; by the store's
	// clock. Zero: never, and none is.
	changed, used, busy time.Time
	// token is the IdP's refresh token.
	token string
	// session is the login at the IdP, zero if logouts of it are not looked at, or not known.
	session Session
}

// encode is
//
//	flags (2) | generation (4) | changed, used, busy: in Unix milliseconds (8 each) | session (80), if there is one | token
func (s *state) encode() []byte {
	w := seal.NewWriter()
	w.B = binary.BigEndian.AppendUint32(w.B, s.generation)
	for _, t := range [...]time.Time{s.changed, s.used, s.busy} {
		milli := int64(0)
		if !t.IsZero() {
			milli = t.UnixMilli()
		}
		w.B = binary.BigEndian.AppendUint64(w.B, uint64(milli))
	}
	if w.Flag(s.session != Session{}) {
		s.session.Write(w)
	}
	return append(w.B, s.token...)
}

func decode(value []byte) (s state, ok bool) {
	r := seal.NewReader(value)
	generation := r.Bytes(4)
	for _, t := range [...]*time.Time{&s.changed, &s.used, &s.busy} {
		b := r.Bytes(8)
		if r.Failed {
			return state{}, false
		}
		if milli := binary.BigEndian.Uint64(b); milli != 0 {
			*t = time.UnixMilli(int64(milli))
		}
	}
	s.generation = binary.BigEndian.Uint32(generation)
	if r.Flag() {
		s.session = ReadSession(r)
	}
	s.token = string(r.Rest)
	return s, !r.Failed
}

const sealedFamily seal.Purpose = "refresh token family"

func (f *Families) key(of Family) replay.Key {
	return sha256.Sum256([]byte("refresh\x00" + f.site.IdP + "\x00" + string(of[:])))
}

// seal seals a state for its family: who writes to the store can make none, nor give one
// family the state of another.
func (f *Families) seal(keys *seal.Keys, of Family, s *state) []byte {
	return []byte(keys.SealLasting(sealedFamily, f.site.Context+"\x00"+string(of[:]), s.encode()))
}

func (f *Families) open(keys *seal.Keys, of Family, value []byte) (state, error) {
	b, _, err := keys.OpenLasting(sealedFamily, f.site.Context+"\x00"+string(of[:]), string(value))
	s, ok := decode(b)
	if err == nil && !ok {
		err = seal.ErrInvalid
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrForeign, err)
	}
	return s, err
}

// Begin begins the family of a login, in which the IdP has given a refresh token. No other login has
// it.
func (f *Families) Begin(ctx context.Context, keys *seal.Keys, family Family, token string, of Session) (Place, error) {
	ctx, cancel := context.WithTimeout(ctx, storeWait)
	defer cancel()
	at := Place{family, 1}
	_, now, err := load(ctx, f.store, f.key(at.Family))
	if err != nil {
		return at, err
	}
	begun := state{generation: 1, changed: now, token: token, session: of}
	swapped, err := swap(ctx, f.store, f.key(at.Family), nil, f.seal(keys, at.Family, &begun), f.config.ttl())
	if err == nil && !swapped {
		err = errors.New("a new family is known already")
	}
	return at, err
}

// Known is what the store has of a family.
type Known struct {
	// Token is the IdP's refresh token.
	Token string
	// Session is the login at the IdP.
	Session Session

	families *Families
	family   Family
	value    []byte
}

// Find finds a family, or else is [ErrOver], [ErrForeign] or [ErrStore].
func (f *Families) Find(ctx context.Context, keys *seal.Keys, of Family) (*Known, error) {
	value, _, err := f.store.Load(ctx, f.key(of))
	switch {
	case err != nil:
		return nil, storeFailed(err)
	case value == nil:
		return nil, f.missing(ctx, of)
	}
	s, err := f.open(keys, of, value)
	if err != nil {
		return nil, err
	}
	return &Known{s.token, s.session, f, of, value}, nil
}

// End ends the family. It reports false if that has changed since, and has to be found again.
func (k *Known) End(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, storeWait)
	defer cancel()
	ended, err := swap(ctx, k.families.store, k.families.key(k.family), k.value, nil, 0)
	if err != nil {
		return false, storeFailed(err)
	}
	return ended, nil
}
