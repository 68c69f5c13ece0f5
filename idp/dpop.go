package idp

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// DPoPMode says whether tokens are bound to a key that their holder has to prove to have
// (RFC 9449).
type DPoPMode string

const (
	// NoDPoP rejects proofs. It is the default.
	NoDPoP DPoPMode = ""
	// OptionalDPoP binds the tokens of those who send a proof.
	OptionalDPoP DPoPMode = "optional"
	// RequiredDPoP takes nobody without one.
	RequiredDPoP DPoPMode = "required"
)

// NonceHeader is the field with the nonce that the next proof needs (RFC 9449 section 8).
const NonceHeader = "DPoP-Nonce"

// Proofs checks the DPoP proofs of requests. It is safe for concurrent use.
type Proofs struct {
	keys Keyring
	once *dpop.Once
	now  func() time.Time
}

// NewProofs makes one; several may share once. keys seal the nonces that proofs then need:
// with nil their own time counts.
func NewProofs(keys Keyring, once *dpop.Once, now func() time.Time) *Proofs {
	return &Proofs{keys, once, now}
}

// SetNonce gives the client of a response the nonce for its next proof.
func (p *Proofs) SetNonce(ctx context.Context, header http.Header) {
	if p.keys == nil {
		return
	}
	if keys, err := p.keys.Current(context.WithoutCancel(ctx)); err == nil {
		header.Set(NonceHeader, dpop.Nonce(keys, p.now()))
	}
}

// Check checks the proof of a request: [dpop.Request.Check]. That it was used is to be noted
// by [Proofs.Use], once it is known that it belongs to a token that is good.
func (p *Proofs) Check(ctx context.Context, header http.Header, method, url, accessToken string) (*dpop.Proof, error) {
	r := dpop.Request{Method: method, URL: url, AccessToken: accessToken, Now: p.now()}
	if p.keys != nil {
		r.CheckNonce = func(nonce string) error { return p.checkNonce(ctx, nonce) }
	}
	proof, err := r.Check(header["Dpop"])
	var wrong dpop.Error
	switch {
	case errors.Is(err, dpop.ErrNonce):
		return nil, reject(UseDPoPNonce, "RFC 9449 section 8", "the DPoP proof needs the nonce of this response's DPoP-Nonce; make another proof with it")
	case errors.As(err, &wrong):
		return nil, badProof(string(wrong))
	}
	return proof, err
}

func (p *Proofs) checkNonce(ctx context.Context, nonce string) error {
	keys, err := p.keys.Current(context.WithoutCancel(ctx))
	if err != nil {
		return noKeys()
	}
	err = dpop.CheckNonce(keys, nonce, p.now())
	if errors.Is(err, seal.ErrUnknownKey) {
		if keys = p.keys.Newer(ctx, keys); keys != nil {
			err = dpop.CheckNonce(keys, nonce, p.now())
		}
	}
	return err
}

// Use notes that a proof was used, by the holder of a token that belongs to its key.
func (p *Proofs) Use(ctx context.Context, proof *dpop.Proof, holder string) error {
	switch err := p.once.Use(ctx, proof, sha256.Sum256([]byte(holder))); {
	case err == nil:
		return nil
	case errors.Is(err, replay.ErrClaimed):
		return badProof("the DPoP proof was used before; make another one for each request, also for one that is tried again")
	case errors.Is(err, replay.ErrFull):
		return Unavailable("too many DPoP proofs at the moment; try again later", "60")
	default:
		e := Unavailable("the gateway can't tell at the moment whether this DPoP proof was used before; try again", "5")
		e.cause = err
		return e
	}
}

// proofsOfAGrant is how many proofs are used with one code or refresh token, while they are
// remembered: more than tabs that refresh together, and try again, could need.
const proofsOfAGrant = 256

// addDPoP checks what a client has of DPoP.
func (p *Policy) addDPoP(mode DPoPMode) error {
	switch mode {
	case NoDPoP:
		return nil
	case OptionalDPoP, RequiredDPoP:
	default:
		return fmt.Errorf("dpop %s is unknown; use %s or %s", mode, OptionalDPoP, RequiredDPoP)
	}
	if p.public.url == "" {
		return errors.New("dpop needs public_url: proofs are made for the gateway's address as clients know it, which must not follow from the request")
	}
	p.dpop = true
	return nil
}

func (c *client) takesProofs() bool { return c != nil && c.dpop != NoDPoP }

// noDPoP rejects a request for tokens that are bound to a key where they are not: a bearer
// token instead would be less than the client asked for.
func noDPoP(instead string) *Error {
	return reject(InvalidRequest, "RFC 9449 section 5", "DPoP is not supported by this gateway; "+instead+" and use bearer tokens")
}

// parseKey reads dpop_jkt (RFC 9449 section 10).
func (r *authorizeRequest) parseKey(q *params, c *client) error {
	if !q.flag("dpop_jkt") {
		return nil
	}
	if !c.takesProofs() {
		return noDPoP("leave out dpop_jkt")
	}
	var ok bool
	if r.key, ok = dpop.ParseThumbprint(q.get("dpop_jkt")); !ok {
		return reject(InvalidRequest, "RFC 9449 section 10", "dpop_jkt must be the SHA-256 thumbprint of a key (RFC 7638), 43 characters of base64url")
	}
	return nil
}

// checkProof checks the proof of a token request, if it has one (RFC 9449 section 5).
func (f *flow) checkProof(r *tokenRequest) (err error) {
	c := f.policy.find(r.ClientID)
	if !c.takesProofs() {
		return nil
	}
	f.gateway.proofs.SetNonce(f.r.Context(), f.header)
	switch {
	case len(f.r.Header["Dpop"]) > 0:
		r.proof, err = f.gateway.proofs.Check(f.r.Context(), f.r.Header, http.MethodPost, f.policy.public.url+Token.Path(), "")
	case c.dpop == RequiredDPoP:
		err = badProof("this client's tokens are bound to a key: send a DPoP proof")
	}
	return err
}

// useProof notes that the proof of a token request was used, whose grant was found to be
// good for its key. With an error nothing may be sent to the IdP.
func (f *flow) useProof(r *tokenRequest, grant string) error {
	if r.proof == nil {
		return nil
	}
	err := f.gateway.proofs.Use(f.r.Context(), r.proof, grant)
	if cause := errors.Unwrap(err); cause != nil {
		f.note(ClaimFailed, cause)
	}
	return err
}

// key is that which the client has proved to have, zero if none.
func (r *tokenRequest) key() dpop.Thumbprint {
	if r.proof == nil {
		return dpop.Thumbprint{}
	}
	return r.proof.Key
}

// refreshKey is what the refresh token is bound to. That of a client which authenticates is
// bound to the client, which may change its key (RFC 9449 section 5).
func (r *tokenRequest) refreshKey() dpop.Thumbprint {
	if r.authenticates() {
		return dpop.Thumbprint{}
	}
	return r.key()
}

// holdsKey checks that the client has proved to have the key that its code or refresh token
// is bound to, if it is bound to one.
func (r *tokenRequest) holdsKey(key dpop.Thumbprint) error {
	switch {
	case key == dpop.Thumbprint{}, r.proof != nil && r.proof.Key == key:
		return nil
	case r.proof == nil:
		return badProof("the grant is bound to a key: send a DPoP proof made with it")
	}
	return reject(InvalidGrant, "RFC 9449 section 5", "the DPoP proof is made with another key than the one that the grant is bound to")
}

// badProof rejects a proof (RFC 9449 sections 5 and 7.1).
func badProof(description string) *Error {
	return reject(InvalidDPoPProof, "RFC 9449 section 4.3", description)
}

// isProof reports whether an error is the proof's, not that of what it came with.
func (c Code) isProof() bool { return c == InvalidDPoPProof || c == UseDPoPNonce }
