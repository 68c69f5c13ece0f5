package provider

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
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
	codeLifetime         = time.Minute
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
	clientID string
	subject  string
	scopes   []string
	audience []string // of access tokens
	authTime time.Time
	revoked  bool
}

// refreshEntry is a refresh token that was given out.
type refreshEntry struct {
	grant *grant
	used  bool
}

// store is the provider's memory.
type store struct {
	now func() time.Time

	mu            sync.Mutex
	pending       *boundedMap[*authRequest] // by request ID, waiting for a login
	pushes        *boundedMap[url.Values]   // by request_uri
	codes         *boundedMap[*authRequest] // by code
	sessions      *boundedMap[session]      // by cookie value
	accessTokens  *boundedMap[*grant]       // by token ID (`jti`)
	refreshTokens *boundedMap[*refreshEntry]
}

func newStore(config Config) *store {
	return &store{
		now:           config.Now,
		pending:       newBoundedMap[*authRequest](maxPending, loginTimeout),
		pushes:        newBoundedMap[url.Values](maxPending, pushLifetime),
		codes:         newBoundedMap[*authRequest](maxPending, codeLifetime),
		sessions:      newBoundedMap[session](maxSessions, sessionLifetime),
		accessTokens:  newBoundedMap[*grant](maxTokens, accessTokenLifetime),
		refreshTokens: newBoundedMap[*refreshEntry](maxTokens, refreshTokenLifetime),
	}
}

func (s *store) startSession(subject string) (cookie string, started session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cookie, started = rand.Text(), session{subject: subject, authTime: s.now()}
	s.sessions.put(cookie, started, s.now())
	return cookie, started
}

func (s *store) session(cookie string) (session, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions.get(cookie, s.now())
}

func (s *store) endSession(cookie string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions.remove(cookie)
}

// wait keeps a request until somebody has logged in.
func (s *store) wait(request *authRequest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending.put(request.id, request, s.now())
}

func (s *store) waiting(id string) (*authRequest, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pending.get(id, s.now())
}

// issueCode ends a request's wait and gives out its code.
func (s *store) issueCode(request *authRequest) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	code := rand.Text()
	s.pending.remove(request.id)
	s.codes.put(code, request, s.now())
	return code
}

// redeemCode exchanges a code. The second use of a code revokes what the first
// one gave (RFC 6749 section 4.1.2); a code that was rejected is still good.
func (s *store) redeemCode(code, clientID, redirectURI, verifier string) (*authRequest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	request, ok := s.codes.get(code, s.now())
	digest := sha256.Sum256([]byte(verifier))
	switch {
	case !ok:
		return nil, invalidGrant("the code is unknown or has expired")
	case request.redeemed != nil:
		request.redeemed.revoked = true
		return nil, invalidGrant("the code has been used before; its tokens are revoked")
	case request.clientID != clientID:
		return nil, invalidGrant("the code was issued to another client")
	case request.redirectURI != redirectURI:
		return nil, invalidGrant("redirect_uri is not that of the login")
	case request.challenge != base64.RawURLEncoding.EncodeToString(digest[:]):
		return nil, invalidGrant("code_verifier does not match the code_challenge")
	}
	request.redeemed = &grant{
		clientID: request.clientID, subject: request.subject,
		scopes: request.scopes, audience: request.audience, authTime: request.authTime,
	}
	return request, nil
}

// redeemRefreshToken ends a refresh token for its successor. One that was used
// before is a sign of theft: the whole family ends (RFC 9700 section 4.14.2).
func (s *store) redeemRefreshToken(token, clientID string, scopes []string) (*grant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entry, ok := s.refreshTokens.get(token, s.now())
	switch {
	case !ok || entry.grant.revoked:
		return nil, invalidGrant("the refresh token is unknown, expired or revoked")
	case entry.grant.clientID != clientID:
		return nil, invalidGrant("the refresh token was issued to another client")
	case entry.used:
		entry.grant.revoked = true
		return nil, invalidGrant("the refresh token has been used before; its whole family is revoked")
	case slices.ContainsFunc(scopes, func(scope string) bool { return !slices.Contains(entry.grant.scopes, scope) }):
		return nil, &oauthError{"invalid_scope", "the login was not for all of these scopes"}
	}
	entry.used = true
	return entry.grant, nil
}

// newTokens are the id of an access token and, with the scope offline_access, a refresh token.
func (s *store) newTokens(g *grant) (accessTokenID, refreshToken string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(g.scopes, scopeOfflineAccess) {
		refreshToken = "v1." + rand.Text() + rand.Text()
		s.refreshTokens.put(refreshToken, &refreshEntry{grant: g}, s.now())
	}
	accessTokenID = rand.Text()
	s.accessTokens.put(accessTokenID, g, s.now())
	return accessTokenID, refreshToken
}

// activeGrant is the grant of an access token that is neither expired nor revoked.
func (s *store) activeGrant(tokenID string) (*grant, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, ok := s.accessTokens.get(tokenID, s.now())
	if !ok || g.revoked {
		return nil, false
	}
	return g, true
}

// revoke ends the grant of an access token, by its id, or of a refresh token (RFC
// 7009). An unknown one is no error.
func (s *store) revoke(token, clientID string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, ok := s.accessTokens.get(token, s.now())
	if entry, isRefresh := s.refreshTokens.get(token, s.now()); isRefresh {
		g, ok = entry.grant, true
	}
	if ok && g.clientID != clientID {
		return &oauthError{"invalid_client", "the token was issued to another client"}
	}
	if ok {
		g.revoked = true
	}
	return nil
}
