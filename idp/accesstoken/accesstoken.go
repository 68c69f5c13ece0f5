// Package accesstoken is a resource server's check of access tokens (RFC 6750): those
// that are JWTs against the issuer's keys (RFC 9068, RFC 8725), opaque ones by asking
// the issuer (token introspection, RFC 7662), those of an identity gateway by its keys.
//
// A [Verifier] holds the rules. It takes the keys from [jwks.Keys], which fetches them
// when the first token needs them, keeps them while the issuer is down, and lets no
// flood of tokens with unknown keys become one of requests. What is known of a
// token is remembered by its hash, for a short time and in bounded memory.
//
// Errors are [*oauth.Error]: 401 invalid_token and 403 insufficient_scope say what is
// wrong with the token and what to do, 503 that the issuer can't be asked now. None
// contains anything of a token.
//
// # Files
//
//	accesstoken.go: a rule's options; a request or token is verified; JWTs
//	issuers.go: several issuers: which one a token is of, whose user; tokens of a gateway
//	token.go: what a token must say: audience, times, type, binding, how the user has logged in; its claims
//	opaque.go: tokens that the issuer is asked about (introspection), and when it can't be; what is remembered
//	watch.go: for how long a response may go on
package accesstoken

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"golang.org/x/sync/singleflight"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

// ClockSkew is how far the issuer's clock may be off.
const ClockSkew = time.Minute

// The defaults and bounds of a [Config].
const (
	DefaultCacheTTL = time.Minute
	maxCacheTTL     = time.Hour
	// MaxToken is the longest token that is looked at, in bytes.
	MaxToken = 16 << 10
)

// Config is what a resource server accepts.
type Config struct {
	// Issuer is the issuer identifier, to which iss must be equal, with or without a
	// slash at the end. Required.
	Issuer string
	// Audiences are the identifiers of the resource server, one of which must be
	// in aud. Required, unless there are Clients.
	Audiences []string
	// Clients are the only clients whose tokens are accepted (client_id, azp, cid or
	// appid). Empty: all.
	Clients []string
	// Scopes are those that every token must have.
	Scopes []string
	// Authentication is how the user has to have logged in.
	Authentication Authentication
	// Claims are conditions that all must hold.
	Claims []users.Claim
	// Prefix goes before each sub, as far as the resource server gets to know of it: the same sub
	// of two issuers is two users (RFC 8725 section 3.8).
	Prefix string
	// IdentityTokens accepts JWTs that say who somebody is, and not what he may do: without a
	// scope or a client, as workloads have them. Whoever the issuer knows gets one for any audience
	// that he asks for, so that it needs Audiences and Claims.
	IdentityTokens bool
	// Types are the media types of JWTs, without application/, one of which must be
	// in the header as typ. Empty: at+jwt, JWT, or none.
	Types []string
	// Algorithms are those of signatures, such as ES256. Empty: all of [jwks.Algorithms].
	Algorithms []string
	// CacheTTL is how long the check of a token is remembered, if it does not expire
	// earlier: for opaque tokens, how long one that was revoked is still accepted.
	// Zero: [DefaultCacheTTL].
	CacheTTL time.Duration
	// Gateway are the sealing keys of the identity gateway whose public URL the Issuer
	// is. With them nothing but its own access tokens is accepted, for one of the
	// Audiences, and Keys and Opaque are nil.
	Gateway seal.Keyring
	// Ended reports a token of the gateway's whose login has ended. Nil: none has.
	Ended func(*gatewaytoken.Token) bool
	// NeedsUpstream accepts no token of a gateway that has not the IdP's inside.
	NeedsUpstream bool
	// Keys are the issuer's. Nil: no JWT is accepted.
	Keys *jwks.Keys
	// Opaque asks about tokens that are no JWTs. Nil: none is accepted.
	Opaque *Introspection
	// Source is where tokens come from besides Authorization.
	Source bearer.Source
	// DPoP says whether tokens may, or must, be bound to a key of which each request has a
	// proof (RFC 9449): see [Verifier.VerifyRequest]. With it, Proofs is required.
	DPoP   oauth.Mode
	Proofs *bearer.Proofs
	// Now is the clock. Nil: [time.Now].
	Now func() time.Time
}

// Verifier checks access tokens. It is safe for concurrent use.
type Verifier struct {
	config   Config
	claims   *users.Rules
	reserved []string // how no sub may begin: the prefixes of other issuers
	signed   cache    // of JWTs that were verified
	// accepted and rejected are of tokens that the issuer was asked about: those that it rejected do
	// not push out those that it knows.
	accepted, rejected cache
	asking             singleflight.Group
	places             chan struct{} // of questions
	// issuers are all by issuer, nil if there is one.
	issuers map[string]*Verifier
}

// New compiles the configurations of one issuer or several. With several each token is a JWT,
// and held to the rules and keys of the issuer that it names. Errors name the field and what to write.
func New(configs ...Config) (*Verifier, error) {
	all := make([]*Verifier, len(configs))
	for i, c := range configs {
		var err error
		if all[i], err = newOf(c); err != nil {
			return nil, err
		}
	}
	return all[0], all[0].join(all)
}

func newOf(c Config) (*Verifier, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	rules, err := users.CompileClaims(c.Claims, c.Issuer)
	if err != nil {
		return nil, err
	}
	if c.CacheTTL == 0 {
		c.CacheTTL = DefaultCacheTTL
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Gateway != nil {
		if c.Audiences, err = resourceKeys(c.Audiences); err != nil {
			return nil, err
		}
	}
	return &Verifier{config: c, claims: rules, places: make(chan struct{}, maxAsking)}, nil
}

// check names the first mistake.
func (c *Config) check() error {
	switch {
	case c.DPoP != oauth.Off && c.Proofs == nil:
		return fmt.Errorf("dpop needs what checks proofs")
	case c.DPoP != oauth.Off && c.Source != bearer.Source{}:
		return fmt.Errorf("token_from is for bearer tokens, and of no use with dpop")
	case strings.Trim(c.Issuer, "/") == "":
		return fmt.Errorf("the issuer is missing")
	case len(c.Audiences) == 0 && len(c.Clients) == 0:
		return fmt.Errorf("audience is missing: give the name of this resource server in tokens (aud), " +
			"so that a token for another one is no good here; or name the clients")
	case strings.ContainsFunc(c.Prefix, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return fmt.Errorf("prefix must be printable ASCII without spaces, such as `staff:`")
	case c.IdentityTokens && (len(c.Audiences) == 0 || len(c.Claims) == 0):
		return fmt.Errorf("identity_tokens needs audience and claim: anybody whom the issuer knows gets such a token for any audience, " +
			"so that claims have to say whose are good, such as: claim repository_id 1234")
	case c.CacheTTL < 0 || c.CacheTTL > maxCacheTTL:
		return fmt.Errorf("cache must be between 0 and %s", maxCacheTTL)
	case c.Gateway == nil && c.Keys == nil && c.Opaque == nil:
		return fmt.Errorf("there are neither keys nor a way to ask the issuer")
	case c.Gateway != nil && len(c.Audiences) == 0:
		return fmt.Errorf("audience is missing: name the resource of the gateway that this is, so that a token for another one is no good here")
	case c.Gateway != nil && (c.Keys != nil || c.Opaque != nil):
		return fmt.Errorf("tokens of a gateway are opened by its keys alone; there are other keys, or a way to ask the issuer, besides")
	case c.Gateway != nil && c.Prefix != "":
		return fmt.Errorf("prefix is of no use with tokens of a gateway, all of whose users are of one issuer; leave it out")
	}
	if err := c.Source.Check(); err != nil {
		return err
	}
	if err := c.Authentication.validate(); err != nil {
		return err
	}
	for _, algorithm := range c.Algorithms {
		if !slices.Contains(jwks.Algorithms(), jose.SignatureAlgorithm(algorithm)) {
			return fmt.Errorf("alg %s is not a signature that is accepted; use some of %v", algorithm, jwks.Algorithms())
		}
	}
	for _, scope := range c.Scopes {
		if scope == "" || strings.ContainsAny(scope, " \"\\") {
			return fmt.Errorf("scope %q is not a scope; give several as several arguments", scope)
		}
	}
	return nil
}

// VerifyRequest checks the access token of a request: a bearer token, or with
// [Config].DPoP one that is bound to a key, and its proof. One that is bound to a TLS
// certificate (RFC 8705 section 3) has to come over a connection with that. url is that of the request as its
// client knows it. passed is what an earlier check of the same request has returned, nil if
// there was none: a proof is used by one request, not by one check.
func (v *Verifier) VerifyRequest(ctx context.Context, r *http.Request, url string, passed *Token) (*Token, error) {
	if v.config.DPoP == oauth.Off {
		raw, inCookie, err := v.config.Source.Token(r.Header)
		if err == nil && inCookie {
			err = bearer.FromOwnPage(r, url)
		}
		if err != nil {
			return nil, err
		}
		return v.unproven(ctx, raw, clientcert.Of(r.TLS))
	}
	raw, bound, err := bearer.Presented(r.Header)
	if err == nil {
		v, err = v.of(raw)
	}
	if err != nil {
		return nil, err
	}
	if !bound && v.config.DPoP == oauth.Required {
		return nil, errNotProven()
	}
	token, err := v.checked(ctx, raw, clientcert.Of(r.TLS))
	switch {
	case err != nil:
		return nil, err
	case !bound && token.key != (dpop.Thumbprint{}):
		return nil, errNotProven()
	case !bound:
		return token, nil
	case token.key == (dpop.Thumbprint{}):
		return nil, bearer.BadToken("RFC 9449 section 7.1", "the access token is not bound to a key; send it after the word Bearer, or get one with a DPoP proof")
	}
	return v.prove(ctx, r, url, raw, token, passed)
}

// prove holds a request to the key that its token is bound to.
func (v *Verifier) prove(ctx context.Context, r *http.Request, url, raw string, token, passed *Token) (*Token, error) {
	proof, err := v.config.Proofs.Check(ctx, r.Header, r.Method, url, raw)
	if err != nil {
		return nil, err
	}
	if proof.Key != token.key {
		return nil, bearer.BadToken("RFC 9449 section 7.1", "the DPoP proof is made with another key than the one that the access token is bound to")
	}
	if passed == nil || passed.proof != proof.ID {
		if err := v.config.Proofs.Use(ctx, proof, v.holder(token)); err != nil {
			return nil, err
		}
	}
	proven := *token // which other requests have, too
	proven.proof = proof.ID
	return &proven, nil
}

// holder is who uses proofs with a token: a user, who can get tokens for any number of keys.
// Tokens that name no user count for their client, or else for their issuer.
func (v *Verifier) holder(t *Token) string {
	kind, name := "user", t.Subject
	if name == "" {
		kind, name = "client", t.ClientID
	}
	return strings.Join([]string{strings.TrimSuffix(v.config.Issuer, "/"), kind, name}, "\x00")
}

// errNotProven rejects a bound token that was sent as a bearer token, as a thief would, and
// with [oauth.Required] any bearer token.
func errNotProven() error {
	return bearer.BadToken("RFC 9449 section 7.2", "the access token has to be bound to a key, and sent after the word DPoP with a proof of that key")
}

// Verify checks a bearer token that is bound to nothing.
func (v *Verifier) Verify(ctx context.Context, raw string) (*Token, error) {
	return v.unproven(ctx, raw, nil)
}

// unproven checks a token without a proof. shown is the client's certificate, nil for none.
func (v *Verifier) unproven(ctx context.Context, raw string, shown *clientcert.Certificate) (*Token, error) {
	v, err := v.of(raw)
	if err != nil {
		return nil, err
	}
	token, err := v.checked(ctx, raw, shown)
	if err == nil && token.key != (dpop.Thumbprint{}) {
		return nil, errBound()
	}
	return token, err
}

// checked is a token that is good with a proof of its key, if it is bound to one.
func (v *Verifier) checked(ctx context.Context, raw string, shown *clientcert.Certificate) (*Token, error) {
	if len(raw) > MaxToken {
		return nil, bearer.BadToken("RFC 6750 section 3.1", "the access token is longer than 16384 bytes")
	}
	token, err := v.verify(ctx, raw, v.config.Now())
	if err != nil {
		return nil, err
	}
	if token.certificate != (clientcert.Thumbprint{}) && (shown == nil || shown.Thumbprint() != token.certificate) {
		return nil, bearer.BadToken("RFC 8705 section 3", "the access token is bound to a TLS certificate, and this connection has another one, or none")
	}
	if !token.HasScopes(v.config.Scopes) {
		return nil, bearer.InsufficientScopes()
	}
	if err := v.config.Authentication.check(token.claims, v.config.Now()); err != nil {
		return nil, err // before claims, amr among them, which another login may change
	}
	if err := v.claims.Check(token.claims); err != nil {
		return nil, notClaimed(err)
	}
	return token, nil
}

// notClaimed is the error for one of [users.Rules.Check].
func notClaimed(err error) error {
	why := err.Error()
	if refusal := new(users.Refusal); errors.As(err, &refusal) {
		why = "a claim has another value than those that are accepted here"
		if len(refusal.Missing) > 0 {
			why = "its issuer does not say, or has not verified: " + strings.Join(refusal.Missing, ", ")
		}
	}
	return bearer.AccessDenied("the access token is good, but not enough for this resource server (claim): " + why)
}

func (v *Verifier) verify(ctx context.Context, raw string, now time.Time) (*Token, error) {
	if v.config.Gateway != nil {
		return v.verifyGateway(ctx, raw, now)
	}
	hash := sha256.Sum256([]byte(raw))
	if isJWT(raw) && v.config.Keys != nil {
		if known, ok := v.signed.get(hash, now); ok && known.keys == v.config.Keys.Current() {
			return known.token, nil
		}
		token, keys, err := v.verifyJWT(ctx, raw, now)
		if err != nil {
			return nil, err
		}
		v.signed.put(hash, remembered{token: token, keys: keys, until: v.until(token, now)}, now)
		return token, nil
	}
	if v.config.Opaque == nil {
		return nil, errNoJWT()
	}
	return v.verifyOpaque(ctx, raw, hash, now)
}

// until is how long the check of a token is remembered.
func (v *Verifier) until(token *Token, now time.Time) time.Time {
	until := now.Add(v.config.CacheTTL)
	if end := token.Expires.Add(ClockSkew); !token.Expires.IsZero() && end.Before(until) {
		return end
	}
	return until
}

// verifyJWT checks a signed token. What can be seen to be wrong without a key is
// rejected before one is looked for.
func (v *Verifier) verifyJWT(ctx context.Context, raw string, now time.Time) (*Token, *jwks.Set, error) {
	signed, err := jwks.Parse(raw)
	if err != nil {
		return nil, nil, bearer.BadToken("RFC 8725 section 3.1", "the access token is not a JWT with a signature that is accepted here")
	}
	if header := signed.Signatures[0].Protected; len(v.config.Algorithms) > 0 && !slices.Contains(v.config.Algorithms, header.Algorithm) {
		return nil, nil, bearer.BadToken("RFC 8725 section 3.1", "the access token is signed with another algorithm than those that are accepted of its issuer (alg)")
	}
	from, err := v.checkType(signed.Signatures[0].Protected)
	if err != nil {
		return nil, nil, err
	}
	token, err := v.read(signed.UnsafePayloadWithoutVerification(), from, now)
	if err != nil {
		return nil, nil, err
	}
	keys, err := v.config.Keys.VerifiedBy(ctx, signed)
	if err != nil {
		return nil, nil, notVerified(err)
	}
	return token, keys, nil
}

// notVerified is the error for one of [jwks].
func notVerified(err error) error {
	switch {
	case errors.Is(err, jwks.ErrSignature):
		return bearer.BadToken("RFC 7515 section 5.2", "the signature of the access token is wrong")
	case errors.Is(err, jwks.ErrUnknownKey):
		return bearer.BadToken("RFC 7515 section 6", "the access token is signed with a key that its issuer does not publish")
	case errors.Is(err, jwks.ErrUnavailable):
		return oauth.Unavailable("the keys of the issuer can't be fetched at the moment; try again later", "10")
	}
	return err
}

// checkType holds typ to the configuration (RFC 9068 section 4, RFC 8725 section 3.11).
func (v *Verifier) checkType(header jose.Header) (source, error) {
	const atJWT = "at+jwt"
	typ, accepted := jwt.Type(header), v.config.Types
	if len(accepted) == 0 {
		accepted = []string{atJWT, "jwt", ""}
	}
	switch {
	case !isOneOf(typ, accepted...):
		return 0, bearer.BadToken("RFC 9068 section 4", "the typ of this JWT is not that of an access token")
	case typ == atJWT:
		return claimsOfAccessJWT, nil
	}
	return claimsOfJWT, nil
}

func errNoJWT() error {
	return bearer.BadToken("RFC 9068 section 2", "the access token is not a signed JWT, and this resource server takes no other; "+
		"ask for a token with its audience")
}

// isJWT reports whether a token has the form of a signed JWT: three parts, the first of
// which begins a JSON object. Anything else is opaque.
func isJWT(raw string) bool {
	return strings.HasPrefix(raw, "eyJ") && strings.Count(raw, ".") == 2
}
