package testidp

import (
	"crypto/rand"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/oauth2"
)

// What is kept is bounded in number and time. A development provider never comes near.
const (
	capacity = 50_000 // entries

	loginTimeout         = 15 * time.Minute
	pushLifetime         = 90 * time.Second
	codeLifetime         = time.Minute // at a strict provider
	sessionLifetime      = 24 * time.Hour
	accessTokenLifetime  = time.Hour      // and that of ID tokens
	refreshTokenLifetime = 24 * time.Hour // from each rotation
)

// Token is a token that was issued.
type Token struct {
	AccessToken             string
	User                    string // whose it is
	Code                    string // that it was exchanged for, "" after a refresh
	Scope                   string
	Audience, Resource, ACR string // that the login asked for
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

// store is the provider's memory: what random keys stand for, each for a limited time. The
// type of a value says what it is: a login waits for a user, a *login for the exchange of its
// code, url.Values are a pushed request.
type store struct {
	now      func() time.Time
	capacity int

	mu      sync.Mutex
	entries map[string]entry

	changing sync.Mutex // guards what has become of logins and refresh tokens
}

type entry struct {
	value   any
	expires time.Time
}

func newStore(now func() time.Time, capacity int) *store {
	return &store{now: now, capacity: capacity, entries: make(map[string]entry)}
}

// put adds an entry under a new key. At the limit those go that have expired, or else any.
func (s *store) put(key string, value any, lifetime time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if len(s.entries) >= s.capacity {
		maps.DeleteFunc(s.entries, func(_ string, e entry) bool { return !now.Before(e.expires) })
	}
	for other := range s.entries {
		if len(s.entries) < s.capacity {
			break
		}
		delete(s.entries, other)
	}
	s.entries[key] = entry{value, now.Add(lifetime)}
}

// get is the value of a key; false if there is none of that type.
func get[V any](s *store, key string) (value V, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[key]
	value, ok = e.value.(V)
	return value, ok && s.now().Before(e.expires)
}

// remove reports whether there was one.
func (s *store) remove(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.entries[key]
	delete(s.entries, key)
	return ok
}

// issueCode gives out the code of a login.
func (s *store) issueCode(l *login) string {
	s.changing.Lock()
	defer s.changing.Unlock()
	code := rand.Text()
	l.codeTime = s.now()
	s.put(code, l, sessionLifetime)
	return code
}

// redeemCode exchanges a code. A code that was rejected is still good.
func (s *store) redeemCode(b *Behavior, code, clientID, redirectURI, verifier string) (*login, *oauthError) {
	s.changing.Lock()
	defer s.changing.Unlock()
	l, ok := get[*login](s, code)
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
	case b.VerifiesPKCE && l.asked.Get("code_challenge") != "" && l.asked.Get("code_challenge") != l.challengeOf(verifier):
		return nil, invalidGrant("code_verifier does not match the code_challenge")
	}
	l.redeemed = true
	return l, nil
}

// challengeOf is the challenge of a verifier, by the method of the login (RFC 7636 section 4.2).
func (l *login) challengeOf(verifier string) string {
	if l.asked.Get("code_challenge_method") != "S256" {
		return verifier
	}
	return oauth2.S256ChallengeFromVerifier(verifier)
}

// redeemRefreshToken uses a refresh token. With rotation its successor follows, and a
// second use is a sign of theft.
func (s *store) redeemRefreshToken(b *Behavior, token, clientID string, scopes []string) (*login, *oauthError) {
	s.changing.Lock()
	defer s.changing.Unlock()
	entry, ok := get[*refreshEntry](s, token)
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
	s.put(token, &refreshEntry{login: l}, refreshTokenLifetime)
	return token
}

// active is an access token that is neither expired nor revoked.
func (s *store) active(accessToken string) (issuedToken, bool) {
	s.changing.Lock()
	defer s.changing.Unlock()
	token, ok := get[issuedToken](s, accessToken)
	return token, ok && !token.login.revoked
}

// revoke ends the login of an access token or a refresh token (RFC 7009). An unknown
// one is no error.
func (s *store) revoke(b *Behavior, token, clientID string) *oauthError {
	s.changing.Lock()
	defer s.changing.Unlock()
	access, _ := get[issuedToken](s, token)
	of := access.login
	if entry, ok := get[*refreshEntry](s, token); ok {
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
