package bearer

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// NonceHeader is the field with the nonce that the next proof needs (RFC 9449 section 8).
const NonceHeader = "DPoP-Nonce"

// Proofs checks the DPoP proofs of requests. It is safe for concurrent use.
type Proofs struct {
	keys seal.Keyring
	once *replay.Once
	now  func() time.Time
}

// NewProofs makes one; several may share once. keys seal the nonces that proofs then need:
// with nil their own time counts.
func NewProofs(keys seal.Keyring, once *replay.Once, now func() time.Time) *Proofs {
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
		return nil, oauth.Reject(oauth.UseDPoPNonce, "RFC 9449 section 8", "the DPoP proof needs the nonce of this response's DPoP-Nonce; make another proof with it")
	case errors.As(err, &wrong):
		return nil, BadProof(string(wrong))
	}
	return proof, err
}

func (p *Proofs) checkNonce(ctx context.Context, nonce string) error {
	_, err := seal.With(ctx, p.keys, func(keys *seal.Keys) (struct{}, error) {
		return struct{}{}, dpop.CheckNonce(keys, nonce, p.now())
	})
	if errors.Is(err, seal.ErrNoKeys) {
		return oauth.NoKeys()
	}
	return err
}

// Use notes that a proof was used, by the holder of a token that belongs to its key.
func (p *Proofs) Use(ctx context.Context, proof *dpop.Proof, holder string) error {
	switch err := p.once.Claim(ctx, proof.ID, dpop.Remember, sha256.Sum256([]byte(holder))); {
	case err == nil:
		return nil
	case errors.Is(err, replay.ErrClaimed):
		return BadProof("the DPoP proof was used before; make another one for each request, also for one that is tried again")
	case errors.Is(err, replay.ErrFull):
		return oauth.Unavailable("too many DPoP proofs at the moment; try again later", "60")
	default:
		e := oauth.Unavailable("the gateway can't tell at the moment whether this DPoP proof was used before; try again", "5")
		e.Cause = err
		return e
	}
}

// Unsupported rejects a request for tokens that are bound to a key where they are not: a bearer
// token instead would be less than the client asked for.
func Unsupported(instead string) *oauth.Error {
	return oauth.Reject(oauth.InvalidRequest, "RFC 9449 section 5", "DPoP is not supported by this gateway; "+instead+" and use bearer tokens")
}

// BadProof rejects a proof (RFC 9449 sections 5 and 7.1).
func BadProof(description string) *oauth.Error {
	return oauth.Reject(oauth.InvalidDPoPProof, "RFC 9449 section 4.3", description)
}
