package testidp

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

// store is the provider's memory.
type store struct {
	now func() time.Time

	mu            sync.Mutex
	pending       *boundedMap[*authRequest] // by request ID, waiting for a login
	pushes        *boundedMap[url.Values]   // by request_uri
	codes         *boundedMap[*authRequest] // by code
	sessions      *boundedMap[session]      // by cookie value
	accessTokens  *boundedMap[issuedToken]
	refreshTokens *boundedMap[*refreshEntry]
}

func newStore(now func() time.Time) *store {
	return &store{
		now:           now,
		pending:       newBoundedMap[*authRequest](maxPending, loginTimeout),
		pushes:        newBoundedMap[url.Values](maxPending, pushLifetime),
		codes:         newBoundedMap[*authRequest](maxPending, sessionLifetime),
		sessions:      newBoundedMap[session](maxSessions, sessionLifetime),
		accessTokens:  newBoundedMap[issuedToken](maxTokens, accessTokenLifetime),
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

// issueCode ends a request's wait and gives out its code, or with again the one that the
// user has already and that was not exchanged.
func (s *store) issueCode(request *authRequest, again bool) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending.remove(request.id)
	if again {
		for code, element := range s.codes.entries {
			other := element.Value.(boundedEntry[*authRequest]).value
			if other.subject == request.subject && other.clientID == request.clientID && other.redeemed == nil {
				return code
			}
		}
	}
	code := rand.Text()
	request.codeTime = s.now()
	s.codes.put(code, request, s.now())
	return code
}

// redeemCode exchanges a code. A code that was rejected is still good.
func (s *store) redeemCode(b *Behavior, code, clientID, redirectURI, verifier string) (*grant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	request, ok := s.codes.get(code, s.now())
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
	entry, ok := s.refreshTokens.get(token, s.now())
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
	s.mu.Lock()
	defer s.mu.Unlock()
	token := "v1." + rand.Text() + rand.Text()
	s.refreshTokens.put(token, &refreshEntry{grant: g}, s.now())
	return token
}

func (s *store) putAccessToken(token issuedToken) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accessTokens.put(token.AccessToken, token, s.now())
}

// forget forgets all codes, refresh tokens and pushed requests.
func (s *store) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	fresh := newStore(s.now)
	s.codes, s.refreshTokens, s.pushes = fresh.codes, fresh.refreshTokens, fresh.pushes
}

// active is an access token that is neither expired nor revoked.
func (s *store) active(accessToken string) (Token, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	token, ok := s.accessTokens.get(accessToken, s.now())
	return token.Token, ok && !token.grant.revoked
}

// revoke ends the grant of an access token or a refresh token (RFC 7009). An unknown
// one is no error.
func (s *store) revoke(b *Behavior, token, clientID string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	access, ok := s.accessTokens.get(token, s.now())
	g := access.grant
	if entry, isRefresh := s.refreshTokens.get(token, s.now()); isRefresh {
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
