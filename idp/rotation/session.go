package rotation

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// Session is the login at the IdP that a login here belongs to, by its ID token. Logouts of it
// are recorded under the same keys, so that nobody has to know which logins there are. The zero
// value is that of a login without an ID token, which no logout ends.
type Session struct {
	// sid and sub stand for the session and the user; zero: the ID token had none.
	sid, sub replay.Key
	// issued is when the ID token was made, by the IdP's clock.
	issued time.Time
}

// NewSession is the session of an ID token with the claims sid and sub, which are "" if it has
// none, that an IdP has made for one of its clients at a time, by its own clock.
func NewSession(idp, client, sid, sub string, issued time.Time) Session {
	return Session{sessionKey(idp, client, "sid", sid), sessionKey(idp, client, "sub", sub), issued}
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
//	sid (32) | sub (32) | issued in Unix seconds (8)
func (s *Session) Write(w *seal.Writer) {
	w.B = binary.BigEndian.AppendUint64(append(append(w.B, s.sid[:]...), s.sub[:]...), uint64(s.issued.Unix()))
}

// ReadSession reads what [Session.Write] wrote.
func ReadSession(r *seal.Reader) Session {
	sid, sub, issued := r.Bytes(len(replay.Key{})), r.Bytes(len(replay.Key{})), r.Bytes(8)
	if r.Failed {
		return Session{}
	}
	return Session{replay.Key(sid), replay.Key(sub), time.Unix(int64(binary.BigEndian.Uint64(issued)), 0)}
}

// logout is the value under the key of a sid or sub: when the IdP has ended it last, in Unix
// seconds by its clock. one also counts logouts of one session of a user, which end those of his
// logins that do not say of which session they are.
type logout struct{ all, one int64 }

func (l logout) encode() []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(l.all)), uint64(l.one))
}

// decodeLogout reads what [logout.encode] wrote; nil: there was none. What can't be read is not
// taken for none.
func decodeLogout(value []byte) (l logout, err error) {
	switch len(value) {
	case 0:
	case 16:
		l.all, l.one = int64(binary.BigEndian.Uint64(value)), int64(binary.BigEndian.Uint64(value[8:]))
	default:
		err = errors.New("the replay store has a value for a logout that is none")
	}
	return l, err
}

// EndSessions records that the IdP has ended a session of clients of its own, by the claims sid
// and sub of its logout token, of which one may be "", and the time at which it was made. It is
// known for as long as a refresh token lives that nobody uses: one that is used earlier is held
// to it then. It can be done again, and goes for logins up to then, whenever it arrives.
func (f *Families) EndSessions(ctx context.Context, clients []string, sid, sub string, issued time.Time) error {
	at, every := issued.Unix(), issued.Unix()
	if sid != "" {
		every = 0
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
		next := logout{max(known.all, l.all), max(known.one, l.one)}
		if next == known {
			return nil
		}
		if swapped, err := swap(ctx, f.store, key, value, next.encode(), f.config.ttl()); swapped || err != nil {
			return err
		}
	}
	return nil
}

// CheckSession is [ErrLoggedOut] for a login whose session the IdP has ended, or [ErrStore]. An
// ID token of the session can be younger than its logout by as long as a code is good that the
// IdP gave before.
func (f *Families) CheckSession(ctx context.Context, s Session) error {
	if !f.site.Logouts || s == (Session{}) {
		return nil
	}
	at := s.issued.Unix()
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
	if at > ended && (bySession.all == 0 || at > bySession.all+int64(f.site.CodeLifetime.Seconds())) {
		return nil
	}
	return ErrLoggedOut
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
