package rotation

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// Moment is a point in time by two clocks, which may say different times.
type Moment struct {
	// IdP is by the IdP's clock, in whole seconds, Here by the gateways', in milliseconds.
	IdP, Here time.Time
}

// isAfter reports whether a login that began at a moment is from after a logout: by one of the
// clocks at least. By the IdP's, a login that began shortly after a logout may look older than
// that, and by the gateways', which hear of a logout later, too. One that began before it is so by
// both.
func (m Moment) isAfter(logout Moment) bool {
	return logout == (Moment{}) || m.IdP.Unix() > logout.IdP.Unix() || m.Here.UnixMilli() > logout.Here.UnixMilli()
}

const momentLength = 16

// append appends the Unix seconds and milliseconds (8 each).
func (m Moment) append(b []byte) []byte {
	if m == (Moment{}) {
		return append(b, make([]byte, momentLength)...)
	}
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, uint64(m.IdP.Unix())), uint64(m.Here.UnixMilli()))
}

func readMoment(b []byte) Moment {
	seconds, milli := int64(binary.BigEndian.Uint64(b)), int64(binary.BigEndian.Uint64(b[8:]))
	if seconds == 0 && milli == 0 {
		return Moment{}
	}
	return Moment{time.Unix(seconds, 0), time.UnixMilli(milli)}
}

// Session is the login at the IdP that a login here belongs to, by its ID token. Logouts of it
// are recorded under the same keys, so that nobody has to know which logins there are. The zero
// value is that of a login without an ID token, which no logout ends.
type Session struct {
	// sid and sub stand for the session and the user; zero: the ID token had none.
	sid, sub replay.Key
	began    Moment
}

// NewSession is the session of an ID token with the claims sid and sub, which are "" if it has
// none, of a client at an IdP. A login counts from when it began, or, by the IdP's clock, the user
// has shown there who he is since: an ID token may be younger than a logout, and its login not.
func NewSession(idp, client, sid, sub string, began Moment) Session {
	return Session{sessionKey(idp, client, "sid", sid), sessionKey(idp, client, "sub", sub), began}
}

// sessionKey is what stands for a sid or sub, as kind says, of a client at the IdP. It is the
// same at all sites in front of one IdP that share a store.
func sessionKey(idp, client, kind, value string) replay.Key {
	if value == "" {
		return replay.Key{}
	}
	return sha256.Sum256([]byte(strings.Join([]string{"logout", kind, idp, client, value}, "\x00")))
}

// Write writes
//
//	sid (32) | sub (32) | when it began (16)
func (s *Session) Write(w *seal.Writer) {
	w.B = s.began.append(append(append(w.B, s.sid[:]...), s.sub[:]...))
}

// ReadSession reads what [Session.Write] wrote.
func ReadSession(r *seal.Reader) Session {
	sid, sub, began := r.Bytes(len(replay.Key{})), r.Bytes(len(replay.Key{})), r.Bytes(momentLength)
	if r.Failed {
		return Session{}
	}
	return Session{replay.Key(sid), replay.Key(sub), readMoment(began)}
}

// logout is the value under the key of a sid or sub: when the IdP has ended it last. one also
// counts logouts of one session of a user, which end those of his logins that do not say of which
// session they are.
type logout struct{ all, one Moment }

func (l logout) encode() []byte { return l.one.append(l.all.append(nil)) }

// decodeLogout reads what [logout.encode] wrote; nil: there was none. What can't be read is not
// taken for none.
func decodeLogout(value []byte) (l logout, err error) {
	switch len(value) {
	case 0:
	case 2 * momentLength:
		l.all, l.one = readMoment(value), readMoment(value[momentLength:])
	default:
		err = errors.New("the replay store has a value for a logout that is none")
	}
	return l, err
}

// latest is the later of two logouts, by the IdP's clock: the logins from before the other one are
// from before it, too.
func latest(a, b Moment) Moment {
	if cmp.Or(a.IdP.Compare(b.IdP), a.Here.Compare(b.Here)) < 0 {
		return b
	}
	return a
}

// EndSessions records that the IdP has ended a session of clients of its own, by the claims sid
// and sub of its logout token, of which one may be "", when that was made, and when it came. It is
// known for as long as a refresh token lives that nobody uses: one that is used earlier is held
// to it then. It can be done again, and goes for logins up to then, whenever it arrives.
func (f *Families) EndSessions(ctx context.Context, clients []string, sid, sub string, at Moment) error {
	every := at
	if sid != "" {
		every = Moment{}
	}
	for _, client := range clients {
		err := errors.Join(
			f.record(ctx, sessionKey(f.site.IdP, client, "sid", sid), logout{at, at}),
			f.record(ctx, sessionKey(f.site.IdP, client, "sub", sub), logout{every, at}),
		)
		if err != nil {
			return err
		}
	}
	return nil
}

// record records a logout under a key, unless that is zero.
func (f *Families) record(ctx context.Context, key replay.Key, l logout) error {
	for key != (replay.Key{}) {
		value, _, err := load(ctx, f.store, key)
		if err != nil {
			return err
		}
		known, err := decodeLogout(value)
		if err != nil {
			return err
		}
		// Also if it is known: nobody may have confirmed it yet.
		next := logout{latest(known.all, l.all), latest(known.one, l.one)}
		if swapped, err := swap(ctx, f.store, key, value, next.encode(), f.config.ttl()); swapped || err != nil {
			return err
		}
	}
	return nil
}

// CheckSession is [ErrLoggedOut] for a login that began before the IdP has ended its session, or
// [ErrStore].
func (f *Families) CheckSession(ctx context.Context, s Session) error {
	if !f.site.Logouts || s == (Session{}) {
		return nil
	}
	bySession, err := f.logoutOf(ctx, s.sid)
	if err != nil {
		return storeFailed(err)
	}
	byUser, err := f.logoutOf(ctx, s.sub)
	if err != nil {
		return storeFailed(err)
	}
	ended := byUser.all
	if s.sid == (replay.Key{}) {
		ended = byUser.one
	}
	if s.began.isAfter(ended) && s.began.isAfter(bySession.all) {
		return nil
	}
	return ErrLoggedOut
}

// CheckSessionRetrying is [Families.CheckSession] for what the IdP has granted a moment ago, and does not
// grant again. A store that fails is tried again for a while.
func (f *Families) CheckSessionRetrying(ctx context.Context, s Session) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWait)
	defer cancel()
	for wait := firstRetry; ; wait = min(2*wait, lastRetry) {
		if err := f.CheckSession(ctx, s); !errors.Is(err, ErrStore) || pause(ctx, wait) != nil {
			return err
		}
	}
}

func (f *Families) logoutOf(ctx context.Context, key replay.Key) (logout, error) {
	if key == (replay.Key{}) {
		return logout{}, nil
	}
	value, _, err := f.store.Load(ctx, key)
	if err != nil {
		return logout{}, err
	}
	return decodeLogout(value)
}
