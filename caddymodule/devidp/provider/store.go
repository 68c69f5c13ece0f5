package provider

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// Bounds of the state in memory. A development provider never comes near; a
// runaway script only pushes out its own oldest entries.
const (
	maxPending  = 10_000
	maxSessions = 10_000
	maxTokens   = 50_000

	loginTimeout    = 15 * time.Minute
	sessionLifetime = 24 * time.Hour
)

// session is a browser in which somebody has logged in.
type session struct {
	subject  string
	authTime time.Time
}

// refreshEntry is a refresh token that was given out.
type refreshEntry struct {
	grant *grant
	used  bool
}

// store is the provider's memory, and the op library's [op.Storage].
type store struct {
	now     func() time.Time
	clients map[string]*registration
	users   []User
	keyOnce func() (*signingKey, error)

	accessTokenLifetime time.Duration

	mu            sync.Mutex
	pending       *boundedMap[*authRequest]  // by request ID, waiting for a login
	pushes        *boundedMap[pushedRequest] // by request_uri
	codes         *boundedMap[*authRequest]  // by code
	sessions      *boundedMap[session]       // by cookie value
	accessTokens  *boundedMap[*grant]        // by token ID (`jti`)
	refreshTokens *boundedMap[*refreshEntry]
}

func newStore(config Config, clients map[string]*registration) *store {
	return &store{
		now:                 config.Now,
		clients:             clients,
		users:               config.Users,
		keyOnce:             sync.OnceValues(generateKey),
		accessTokenLifetime: config.AccessTokenLifetime,
		pending:             newBoundedMap[*authRequest](maxPending, loginTimeout),
		pushes:              newBoundedMap[pushedRequest](maxPending, pushLifetime),
		codes:               newBoundedMap[*authRequest](maxPending, config.CodeLifetime),
		sessions:            newBoundedMap[session](maxSessions, sessionLifetime),
		accessTokens:        newBoundedMap[*grant](maxTokens, config.AccessTokenLifetime),
		refreshTokens:       newBoundedMap[*refreshEntry](maxTokens, config.RefreshTokenLifetime),
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

// AuthRequestByCode implements [op.Storage]. The second use of a code revokes
// what the first one gave (RFC 6749 section 4.1.2).
func (s *store) AuthRequestByCode(_ context.Context, code string) (op.AuthRequest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	request, ok := s.codes.get(code, s.now())
	if !ok {
		return nil, errors.New("the code is unknown or has expired")
	}
	if request.redeemed != nil {
		request.redeemed.revoked = true
		return nil, errors.New("the code has been used before; its tokens are revoked")
	}
	return request, nil
}

// grantOf turns a checked request into its grant. Of several exchanges of one
// code or refresh token that were all found good, only the first gets here.
func (s *store) grantOf(request op.TokenRequest, refreshToken string) (*grant, error) {
	switch request := request.(type) {
	case *authRequest:
		if request.redeemed != nil {
			request.redeemed.revoked = true
			return nil, oidc.ErrInvalidGrant().WithDescription("the code has been used before; its tokens are revoked")
		}
		request.redeemed = &grant{
			clientID: request.clientID, subject: request.subject, nonce: request.nonce,
			scopes: request.scopes, audience: request.audience, authTime: request.authTime,
		}
		return request.redeemed, nil
	case *refreshRequest:
		entry, ok := s.refreshTokens.get(refreshToken, s.now())
		if !ok || entry.used || entry.grant.revoked {
			request.grant.revoked = true
			return nil, oidc.ErrInvalidGrant().WithDescription("the refresh token has been used before; its whole family is revoked")
		}
		entry.used = true
		return request.grant, nil
	}
	return nil, fmt.Errorf("unexpected kind of token request: %T", request)
}

// CreateAccessToken implements [op.Storage].
func (s *store) CreateAccessToken(_ context.Context, request op.TokenRequest) (id string, expires time.Time, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, err := s.grantOf(request, "")
	if err != nil {
		return "", time.Time{}, err
	}
	id, expires = s.newAccessToken(g)
	return id, expires, nil
}

// CreateAccessAndRefreshTokens implements [op.Storage]: a refresh token is good
// once, the response holds its successor (RFC 9700 section 4.14.2).
func (s *store) CreateAccessAndRefreshTokens(_ context.Context, request op.TokenRequest, current string) (id, refreshToken string, expires time.Time, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, err := s.grantOf(request, current)
	if err != nil {
		return "", "", time.Time{}, err
	}
	refreshToken = "v1." + rand.Text() + rand.Text()
	s.refreshTokens.put(refreshToken, &refreshEntry{grant: g}, s.now())
	id, expires = s.newAccessToken(g)
	return id, refreshToken, expires, nil
}

func (s *store) newAccessToken(g *grant) (id string, expires time.Time) {
	id = rand.Text()
	s.accessTokens.put(id, g, s.now())
	return id, s.now().Add(s.accessTokenLifetime)
}

// TokenRequestByRefreshToken implements [op.Storage]. A token that was used
// before is a sign of theft: the whole family ends.
func (s *store) TokenRequestByRefreshToken(_ context.Context, refreshToken string) (op.RefreshTokenRequest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entry, ok := s.refreshTokens.get(refreshToken, s.now())
	if !ok || entry.grant.revoked {
		return nil, errors.New("the refresh token is unknown, expired or revoked")
	}
	if entry.used {
		entry.grant.revoked = true
		return nil, errors.New("the refresh token has been used before; its whole family is revoked")
	}
	return &refreshRequest{grant: entry.grant, scopes: entry.grant.scopes}, nil
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

// GetRefreshTokenInfo implements [op.Storage].
func (s *store) GetRefreshTokenInfo(_ context.Context, _ string, token string) (subject, tokenID string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entry, ok := s.refreshTokens.get(token, s.now())
	if !ok {
		return "", "", op.ErrInvalidRefreshToken
	}
	return entry.grant.subject, token, nil
}

// RevokeToken implements [op.Storage] (RFC 7009). Either token ends the grant.
func (s *store) RevokeToken(_ context.Context, token, _ string, clientID string) *oidc.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, ok := s.accessTokens.get(token, s.now())
	if !ok {
		entry, isRefresh := s.refreshTokens.get(token, s.now())
		if !isRefresh {
			return nil
		}
		g = entry.grant
	}
	if g.clientID != clientID {
		return oidc.ErrInvalidClient().WithDescription("the token was issued to another client")
	}
	g.revoked = true
	return nil
}

// TerminateSession implements [op.Storage]; the provider ends sessions by their cookie.
func (s *store) TerminateSession(context.Context, string, string) error { return nil }

// GetClientByClientID implements [op.Storage].
func (s *store) GetClientByClientID(_ context.Context, id string) (op.Client, error) {
	client, ok := s.clients[id]
	if !ok {
		return nil, oidc.ErrInvalidClient().WithDescription("the client_id is not registered")
	}
	return client, nil
}

// AuthorizeClientIDSecret implements [op.Storage] for confidential clients.
func (s *store) AuthorizeClientIDSecret(_ context.Context, id, secret string) error {
	client, ok := s.clients[id]
	if !ok || client.secret == "" || subtle.ConstantTimeCompare([]byte(client.secret), []byte(secret)) != 1 {
		return oidc.ErrInvalidClient().WithDescription("the client secret is missing or wrong")
	}
	return nil
}

// SetUserinfoFromRequest implements [op.CanSetUserinfoFromRequest]: the claims
// of an ID token.
func (s *store) SetUserinfoFromRequest(_ context.Context, info *oidc.UserInfo, request op.IDTokenRequest, scopes []string) error {
	info.Subject = request.GetSubject()
	for _, user := range s.users {
		if user.subject() == request.GetSubject() {
			for name, value := range user.claims(scopes) {
				info.AppendClaims(name, value)
			}
		}
	}
	return nil
}

// GetPrivateClaimsFromRequest implements [op.CanGetPrivateClaimsFromRequest]:
// the claims of an access token beside the registered ones.
func (s *store) GetPrivateClaimsFromRequest(_ context.Context, request op.TokenRequest, _ []string) (map[string]any, error) {
	claims := map[string]any{"scope": strings.Join(request.GetScopes(), " ")}
	if client, ok := request.(interface{ GetClientID() string }); ok {
		claims["azp"] = client.GetClientID()
	}
	return claims, nil
}

// signingKey is the one RSA key of a provider.
type signingKey struct {
	id  string
	rsa *rsa.PrivateKey
}

func generateKey() (*signingKey, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, fmt.Errorf("generating the signing key: %w", err)
	}
	return &signingKey{id: rand.Text(), rsa: key}, nil
}

func (k *signingKey) SignatureAlgorithm() jose.SignatureAlgorithm { return jose.RS256 }
func (k *signingKey) Key() any                                    { return k.rsa }
func (k *signingKey) ID() string                                  { return k.id }

type publicKey struct{ *signingKey }

func (k publicKey) Algorithm() jose.SignatureAlgorithm { return jose.RS256 }
func (k publicKey) Use() string                        { return "sig" }
func (k publicKey) Key() any                           { return &k.rsa.PublicKey }

// SigningKey implements [op.Storage].
func (s *store) SigningKey(context.Context) (op.SigningKey, error) { return s.keyOnce() }

// KeySet implements [op.Storage].
func (s *store) KeySet(context.Context) ([]op.Key, error) {
	key, err := s.keyOnce()
	if err != nil {
		return nil, err
	}
	return []op.Key{publicKey{key}}, nil
}

// SignatureAlgorithms implements [op.Storage].
func (s *store) SignatureAlgorithms(context.Context) ([]jose.SignatureAlgorithm, error) {
	return []jose.SignatureAlgorithm{jose.RS256}, nil
}

// Health implements [op.Storage].
func (s *store) Health(context.Context) error { return nil }

var (
	_ op.Storage                        = (*store)(nil)
	_ op.CanSetUserinfoFromRequest      = (*store)(nil)
	_ op.CanGetPrivateClaimsFromRequest = (*store)(nil)
)
