package idp

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// session is the login at the IdP that a login here belongs to, by its ID token. Logouts of it
// are recorded under the same keys, so that nobody has to know which logins there are. The zero
// value is that of a login without an ID token, which no logout ends.
type session struct {
	// sid and sub stand for the session and the user; zero: the ID token had none.
	sid, sub replay.Key
	// issued is when the ID token was made, by the IdP's clock.
	issued time.Time
}

// sessionLength is the length of an encoded session, in bytes.
const sessionLength = 2*len(replay.Key{}) + 8

// append appends
//
//	sid (32) | sub (32) | issued in Unix seconds (8)
func (s *session) append(dst []byte) []byte {
	return binary.BigEndian.AppendUint64(append(append(dst, s.sid[:]...), s.sub[:]...), uint64(s.issued.Unix()))
}

func readSession(r *sealedReader) (s session) {
	sid, sub, issued := r.bytes(len(s.sid)), r.bytes(len(s.sub)), r.bytes(8)
	if r.failed {
		return session{}
	}
	return session{replay.Key(sid), replay.Key(sub), time.Unix(int64(binary.BigEndian.Uint64(issued)), 0)}
}

// sessionKey is what stands for a sid or sub, as kind says, of a client at the IdP. It is the
// same at all sites in front of one IdP that share a store.
func (p *Policy) sessionKey(kind, idpClient, value string) replay.Key {
	if value == "" {
		return replay.Key{}
	}
	return sha256.Sum256([]byte(strings.Join([]string{"logout", kind, p.authURL.String(), idpClient, value}, "\x00")))
}

// session is that of a token response to a login, which [Policy.checkIDToken] has checked.
func (p *Policy) session(clientID string, answer *tokenAnswer, now time.Time) session {
	if !p.backchannelLogout {
		return session{}
	}
	var c struct {
		Issuer   string  `json:"iss"`
		Subject  string  `json:"sub"`
		Session  string  `json:"sid"`
		IssuedAt float64 `json:"iat"`
	}
	if answer.invalid != nil || json.Unmarshal(answer.idToken.payload, &c) != nil || !p.isIssuer(c.Issuer) {
		return session{}
	}
	if c.IssuedAt > 0 {
		now = time.Unix(int64(c.IssuedAt), 0)
	}
	idpClient := p.idpID(clientID)
	return session{p.sessionKey("sid", idpClient, c.Session), p.sessionKey("sub", idpClient, c.Subject), now}
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

// recordLogout records a logout for as long as a refresh token lives that nobody uses: one that
// is used earlier is held to it then. It can be done again, and goes for logins up to then,
// whenever it arrives.
func (p *Policy) recordLogout(ctx context.Context, store replay.StateStore, t *logoutToken) error {
	at, every := t.issued.Unix(), t.issued.Unix()
	if t.session != "" {
		every = 0
	}
	for _, client := range t.clients {
		err := errors.Join(
			p.endSessions(ctx, store, p.sessionKey("sid", client, t.session), logout{at, at}),
			p.endSessions(ctx, store, p.sessionKey("sub", client, t.subject), logout{every, at}),
		)
		if err != nil {
			return err
		}
	}
	return nil
}

// endSessions records a logout under a key, unless that is zero.
func (p *Policy) endSessions(ctx context.Context, store replay.StateStore, key replay.Key, l logout) error {
	for key != (replay.Key{}) {
		value, _, err := load(ctx, store, key)
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
		if swapped, err := swap(ctx, store, key, value, next.encode(), p.familyTTL()); swapped || err != nil {
			return err
		}
	}
	return nil
}

// lateCode is how much younger than a logout of its session an ID token can be: that long, a
// code that the IdP gave before is good.
const lateCode = codeTimeout

// errLoggedOut is in the chain of the error for a login whose session the IdP has ended.
var errLoggedOut = errors.New("the identity provider has ended the login")

// checkSession rejects a login whose session the IdP has ended.
func (p *Policy) checkSession(ctx context.Context, store replay.StateStore, s *session) error {
	if !p.backchannelLogout || s == nil || *s == (session{}) {
		return nil
	}
	at := s.issued.Unix()
	bySession, err := loadLogout(ctx, store, s.sid)
	if err != nil {
		return storeFailed(err)
	}
	byUser, err := loadLogout(ctx, store, s.sub)
	if err != nil {
		return storeFailed(err)
	}
	ended := byUser.all
	if s.sid == (replay.Key{}) {
		ended = byUser.one
	}
	if at > ended && (bySession.all == 0 || at > bySession.all+int64(lateCode.Seconds())) {
		return nil
	}
	e := reject(InvalidGrant, "OpenID Connect Back-Channel Logout 1.0 section 2.7", "the user has logged out; log in again")
	e.cause = errLoggedOut
	return e
}

func loadLogout(ctx context.Context, store replay.StateStore, key replay.Key) (logout, error) {
	if key == (replay.Key{}) {
		return logout{}, nil
	}
	value, _, err := store.Load(ctx, key)
	if err != nil {
		return logout{}, err
	}
	return decodeLogout(value)
}
