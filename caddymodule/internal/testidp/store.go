package testidp

import (
	"crypto/rand"
	"maps"
	"net/url"
	"slices"
	"sync"
	"time"

	"golang.org/x/oauth2"
)

// What is kept is bounded in number and time. A development provider never comes near; a
// runaway script only pushes out its own oldest entries.
const (
	capacity = 50_000 // entries of each kind

	loginTimeout         = 15 * time.Minute
	pushLifetime         = 90 * time.Second
	codeLifetime         = time.Minute // at a strict provider
	sessionLifetime      = 24 * time.Hour
	accessTokenLifetime  = time.Hour      // and that of ID tokens
	refreshTokenLifetime = 24 * time.Hour // from each rotation
)

// Token is a token that was issued.
type Token struct {
	AccessToken string
	// User is whose it is.
	User string
	// ClientID is the client of the login.
	ClientID string
	// Code is the one that it was exchanged for, "" after a refresh.
	Code     string
	Scope    string
	Audience string
	Resource string
	// ACR is what the login's acr_values asked for.
	ACR string
}

// issuedToken is an access token.
type issuedToken struct {
	Token
	login *login
}

// refreshEntry is a refresh token that was given out.
type refreshEntry struct {
	login *login
	used  bool
}

// expiring keeps entries for a limited time.
type expiring[V any] struct {
	now      func() time.Time
	capacity int
	lifetime time.Duration

	mu      sync.Mutex
	entries map[string]entry[V]
}

type entry[V any] struct {
	value   V
	expires time.Time
}

func newExpiring[V any](now func() time.Time, capacity int, lifetime time.Duration) *expiring[V] {
	return &expiring[V]{now: now, capacity: capacity, lifetime: lifetime, entries: make(map[string]entry[V])}
}

// put adds an entry under a new key. At the limit those go that have expired, or else any.
func (m *expiring[V]) put(key string, value V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now := m.now(); len(m.entries) >= m.capacity {
		maps.DeleteFunc(m.entries, func(_ string, e entry[V]) bool { return !now.Before(e.expires) })
	}
	for other := range m.entries {
		if len(m.entries) < m.capacity {
			break
		}
		delete(m.entries, other)
	}
	m.entries[key] = entry[V]{value, m.now().Add(m.lifetime)}
}

func (m *expiring[V]) get(key string) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.entries[key]
	return e.value, ok && m.now().Before(e.expires)
}

// find is the key of a value.
func (m *expiring[V]) find(is func(V) bool) (key string, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, e := range m.entries {
		if is(e.value) {
			return key, true
		}
	}
	return "", false
}

// remove reports whether there was one.
func (m *expiring[V]) remove(key string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.entries[key]
	delete(m.entries, key)
	return ok
}

func (m *expiring[V]) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.entries)
}

// store is the provider's memory.
type store struct {
	now           func() time.Time
	pending       *expiring[login]      // by request ID, waiting for a user
	pushes        *expiring[url.Values] // by request_uri
	codes         *expiring[*login]     // by code
	accessTokens  *expiring[issuedToken]
	refreshTokens *expiring[*refreshEntry]

	mu sync.Mutex // guards what has become of logins and refresh tokens
}

func newStore(now func() time.Time) *store {
	return &store{
		now:           now,
		pending:       newExpiring[login](now, capacity, loginTimeout),
		pushes:        newExpiring[url.Values](now, capacity, pushLifetime),
		codes:         newExpiring[*login](now, capacity, sessionLifetime),
		accessTokens:  newExpiring[issuedToken](now, capacity, accessTokenLifetime),
		refreshTokens: newExpiring[*refreshEntry](now, capacity, refreshTokenLifetime),
	}
}

// issueCode gives out the code of a login, or with again the one that the user has already
// and that was not exchanged.
func (s *store) issueCode(l *login, again bool) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if again {
		code, ok := s.codes.find(func(other *login) bool {
			return other.user.Username == l.user.Username && other.clientID == l.clientID && !other.redeemed
		})
		if ok {
			return code
		}
	}
	code := rand.Text()
	l.codeTime = s.now()
	s.codes.put(code, l)
	return code
}

// redeemCode exchanges a code. A code that was rejected is still good.
func (s *store) redeemCode(b *Behavior, code, clientID, redirectURI, verifier string) (*login, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, ok := s.codes.get(code)
	switch {
	case !ok:
		return nil, invalidGrant("unknown code") // the attacks know it by this text
	case b.Strict && s.now().Sub(l.codeTime) >= codeLifetime:
		return nil, invalidGrant("the code has expired")
	case b.SingleUse && l.redeemed:
		l.revoked = true
		return nil, invalidGrant("the code has been used before; its tokens are revoked")
	case b.ChecksClient && l.clientID != clientID:
		return nil, invalidGrant("the code was issued to another client")
	case b.ChecksRedirectURI && l.redirectURI != redirectURI:
		return nil, invalidGrant("redirect_uri is not that of the login")
	case b.VerifiesPKCE && l.challenge != "" && l.challenge != l.challengeOf(verifier):
		return nil, invalidGrant("code_verifier does not match the code_challenge")
	}
	l.redeemed = true
	return l, nil
}

// challengeOf is the challenge of a verifier, by the method of the login (RFC 7636 section 4.2).
func (l *login) challengeOf(verifier string) string {
	if l.method != "S256" {
		return verifier
	}
	return oauth2.S256ChallengeFromVerifier(verifier)
}

// redeemRefreshToken uses a refresh token. With rotation its successor follows, and a
// second use is a sign of theft.
func (s *store) redeemRefreshToken(b *Behavior, token, clientID string, scopes []string) (*login, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entry, ok := s.refreshTokens.get(token)
	switch {
	case !ok || entry.login.revoked:
		return nil, invalidGrant("the refresh token is unknown, expired or revoked")
	case b.ChecksClient && entry.login.clientID != clientID:
		return nil, invalidGrant("the refresh token was issued to another client")
	case entry.used:
		entry.login.revoked = true
		return nil, invalidGrant("the refresh token has been used before; its whole family is revoked")
	case b.Strict && slices.ContainsFunc(scopes, func(scope string) bool { return !slices.Contains(entry.login.scopes, scope) }):
		return nil, &oauthError{"invalid_scope", "the login was not for all of these scopes"}
	}
	entry.used = b.RotatesRefreshTokens
	return entry.login, nil
}

func (s *store) newRefreshToken(l *login) string {
	token := "v1." + rand.Text() + rand.Text()
	s.refreshTokens.put(token, &refreshEntry{login: l})
	return token
}

// forget forgets all codes, refresh tokens and pushed requests.
func (s *store) forget() {
	s.codes.clear()
	s.refreshTokens.clear()
	s.pushes.clear()
}

// active is an access token that is neither expired nor revoked.
func (s *store) active(accessToken string) (issuedToken, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	token, ok := s.accessTokens.get(accessToken)
	return token, ok && !token.login.revoked
}

// revoke ends the login of an access token or a refresh token (RFC 7009). An unknown
// one is no error.
func (s *store) revoke(b *Behavior, token, clientID string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	access, _ := s.accessTokens.get(token)
	of := access.login
	if entry, ok := s.refreshTokens.get(token); ok {
		of = entry.login
	}
	switch {
	case of == nil:
	case b.ChecksClient && of.clientID != clientID:
		return &oauthError{"invalid_client", "the token was issued to another client"}
	default:
		of.revoked = true
	}
	return nil
}
