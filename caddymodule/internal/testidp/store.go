package testidp

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"net/url"
	"slices"
	"sync"
	"time"
)

// Bounds of the state in memory. A development provider never comes near; a
// runaway script only pushes out its own oldest entries.
const (
	maxPending  = 10_000
	maxSessions = 10_000
	maxTokens   = 50_000

	loginTimeout         = 15 * time.Minute
	sessionLifetime      = 24 * time.Hour
	accessTokenLifetime  = time.Hour      // and that of ID tokens
	refreshTokenLifetime = 24 * time.Hour // from each rotation
)

// session is a browser in which somebody has logged in.
type session struct {
	subject  string
	authTime time.Time
}

// grant is what a user gave a client at one login. Every token that came from
// that login points to it, so that they can be revoked together.
type grant struct {
	*authRequest
	revoked bool
}

// issuedToken is an access token.
type issuedToken struct {
	Token
	grant *grant
}

// refreshEntry is a refresh token that was given out.
type refreshEntry struct {
	grant *grant
	used  bool
}

// expiring keeps a limited number of entries, each for a limited time.
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
	pending       *expiring[*authRequest] // by request ID, waiting for a login
	pushes        *expiring[url.Values]   // by request_uri
	codes         *expiring[*authRequest] // by code
	sessions      *expiring[session]      // by cookie value
	accessTokens  *expiring[issuedToken]
	refreshTokens *expiring[*refreshEntry]

	mu sync.Mutex // guards what has become of requests, grants and refresh tokens
}

func newStore(now func() time.Time) *store {
	return &store{
		now:           now,
		pending:       newExpiring[*authRequest](now, maxPending, loginTimeout),
		pushes:        newExpiring[url.Values](now, maxPending, pushLifetime),
		codes:         newExpiring[*authRequest](now, maxPending, sessionLifetime),
		sessions:      newExpiring[session](now, maxSessions, sessionLifetime),
		accessTokens:  newExpiring[issuedToken](now, maxTokens, accessTokenLifetime),
		refreshTokens: newExpiring[*refreshEntry](now, maxTokens, refreshTokenLifetime),
	}
}

// issueCode ends a request's wait and gives out its code, or with again the one that the
// user has already and that was not exchanged.
func (s *store) issueCode(request *authRequest, again bool) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending.remove(request.id)
	if again {
		code, ok := s.codes.find(func(other *authRequest) bool {
			return other.subject == request.subject && other.clientID == request.clientID && other.redeemed == nil
		})
		if ok {
			return code
		}
	}
	code := rand.Text()
	request.codeTime = s.now()
	s.codes.put(code, request)
	return code
}

// redeemCode exchanges a code. A code that was rejected is still good.
func (s *store) redeemCode(b *Behavior, code, clientID, redirectURI, verifier string) (*grant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	request, ok := s.codes.get(code)
	switch {
	case !ok:
		return nil, invalidGrant("unknown code") // the attacks know it by this text
	case b.CodeLifetime > 0 && s.now().Sub(request.codeTime) >= b.CodeLifetime:
		return nil, invalidGrant("the code has expired")
	case b.SingleUse && request.redeemed != nil:
		request.redeemed.revoked = true
		return nil, invalidGrant("the code has been used before; its tokens are revoked")
	case b.ChecksClient && request.clientID != clientID:
		return nil, invalidGrant("the code was issued to another client")
	case b.ChecksRedirectURI && request.redirectURI != redirectURI:
		return nil, invalidGrant("redirect_uri is not that of the login")
	case b.PKCE != IgnoresPKCE && request.challenge != "" && request.challenge != request.challengeOf(verifier):
		return nil, invalidGrant("code_verifier does not match the code_challenge")
	}
	request.redeemed = &grant{authRequest: request}
	return request.redeemed, nil
}

// challengeOf is the challenge of a verifier, by the method of the request (RFC 7636 section 4.2).
func (a *authRequest) challengeOf(verifier string) string {
	if a.method != "S256" {
		return verifier
	}
	digest := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(digest[:])
}

// redeemRefreshToken uses a refresh token. With rotation its successor follows, and a
// second use is a sign of theft.
func (s *store) redeemRefreshToken(b *Behavior, token, clientID string, scopes []string) (*grant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entry, ok := s.refreshTokens.get(token)
	switch {
	case !ok || entry.grant.revoked:
		return nil, invalidGrant("the refresh token is unknown, expired or revoked")
	case b.ChecksClient && entry.grant.clientID != clientID:
		return nil, invalidGrant("the refresh token was issued to another client")
	case entry.used:
		entry.grant.revoked = true
		return nil, invalidGrant("the refresh token has been used before; its whole family is revoked")
	case b.Strict && slices.ContainsFunc(scopes, func(scope string) bool { return !slices.Contains(entry.grant.scopes, scope) }):
		return nil, &oauthError{"invalid_scope", "the login was not for all of these scopes"}
	}
	entry.used = b.RotatesRefreshTokens
	return entry.grant, nil
}

func (s *store) newRefreshToken(g *grant) string {
	token := "v1." + rand.Text() + rand.Text()
	s.refreshTokens.put(token, &refreshEntry{grant: g})
	return token
}

// forget forgets all codes, refresh tokens and pushed requests.
func (s *store) forget() {
	s.codes.clear()
	s.refreshTokens.clear()
	s.pushes.clear()
}

// active is an access token that is neither expired nor revoked.
func (s *store) active(accessToken string) (Token, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	token, ok := s.accessTokens.get(accessToken)
	return token.Token, ok && !token.grant.revoked
}

// revoke ends the grant of an access token or a refresh token (RFC 7009). An unknown
// one is no error.
func (s *store) revoke(b *Behavior, token, clientID string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	access, ok := s.accessTokens.get(token)
	g := access.grant
	if entry, isRefresh := s.refreshTokens.get(token); isRefresh {
		g, ok = entry.grant, true
	}
	if ok && b.ChecksClient && g.clientID != clientID {
		return &oauthError{"invalid_client", "the token was issued to another client"}
	}
	if ok {
		g.revoked = true
	}
	return nil
}
