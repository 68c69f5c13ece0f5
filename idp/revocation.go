package idp

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
)

// revocationRequest is a checked revocation request (RFC 7009 section 2.1).
type revocationRequest struct {
	clientAuth

	// Token is the client's, Hint the token_type_hint that came with it, if it is a
	// registered one.
	Token, Hint string

	loginID loginID
}

// hintRefreshToken and hintAccessToken are the token_type_hint values of RFC 7009
// section 2.1.
const (
	hintRefreshToken = "refresh_token"
	hintAccessToken  = "access_token"
)

// parseRevocation checks a request to the revocation endpoint: its raw query, header
// and whole body. The client authenticates as at the token endpoint.
func (p *Policy) parseRevocation(rawQuery string, header http.Header, body string) (revocationRequest, error) {
	var r revocationRequest
	f, err := parseForm("revocation", "RFC 7009 section 2.1", rawQuery, header, body)
	if err != nil {
		return r, err
	}
	if r.clientAuth, _, err = p.authenticate(&f, header); err != nil {
		return r, err
	}
	r.Token = f.get("token")
	switch {
	case r.Token == "":
		return r, missing("token", "RFC 7009 section 2.1")
	case !syntax.VSChar.Holds(r.Token):
		return r, oauth.Reject(oauth.InvalidRequest, "RFC 6749 appendix A", "token must be printable ASCII, as the gateway gave it")
	}
	if hint := f.get("token_type_hint"); hint == hintRefreshToken || hint == hintAccessToken {
		r.Hint = hint
	}
	return r, nil
}

// revokedToken is what is to be revoked at the IdP.
type revokedToken struct {
	// token is the IdP's; "" if there is nothing to revoke.
	token, hint string
	// family is what the store has of a rotating token's, nil for any other one.
	family *rotation.Known
}

// openRevocation finds what the token of a request is: one that was sealed here, for
// this client, or else one of the IdP. [seal.ErrUnknownKey] is in the chain of an
// error that newer keys may resolve; without newer ones, take [unknownToken].
func (p *Policy) openRevocation(ctx context.Context, families *rotation.Families, s sealer, r *revocationRequest) (*revokedToken, error) {
	if p.callback == nil {
		return unknownToken(r), nil
	}
	opened, _, err := p.openRefreshToken(s.Keys, r.Token)
	r.loginID = opened.loginID
	switch {
	case err != nil:
		return nil, err
	case opened.clientID != p.reference(r.ClientID):
		return nil, oauth.Reject(oauth.InvalidGrant, "RFC 7009 section 2.1", "the token was issued to another client")
	case opened.idpClient != p.idpID(r.ClientID):
		return &revokedToken{}, nil // no token of the registration that the gateway has now
	case p.rotation == nil:
		return &revokedToken{token: opened.token, hint: hintRefreshToken}, nil
	}
	return revokedFamily(ctx, families, s, opened.place.Family)
}

// revokedFamily finds what is to be revoked of a family.
func revokedFamily(ctx context.Context, families *rotation.Families, s sealer, of rotation.Family) (*revokedToken, error) {
	family, err := families.Find(ctx, s.Keys, of)
	switch {
	case errors.Is(err, rotation.ErrOver):
		return &revokedToken{}, nil
	case err != nil:
		return nil, refreshError(err)
	}
	return &revokedToken{token: family.Token, hint: hintRefreshToken, family: family}, nil
}

// unknownToken is a token that was not sealed here: an access token, for example.
// The IdP knows.
func unknownToken(r *revocationRequest) *revokedToken {
	return &revokedToken{token: r.Token, hint: r.Hint}
}

// isOver reports whether there is nothing left to revoke, which is a success (RFC 7009
// section 2.2).
func (r *revokedToken) isOver() bool { return r.token == "" }

// canRevoke checks that a revocation can come to something: at the IdP, or here, where
// a family ends.
func (p *Policy) canRevoke(r *revokedToken) error {
	if p.endpoints[Revoke].text != "" || r.family != nil {
		return nil
	}
	if !p.knowsMetadata() {
		return notDiscovered()
	}
	return oauth.Reject(oauth.UnsupportedTokenType, "RFC 7009 section 2.2.1",
		"the gateway knows of no revocation endpoint at the identity provider; if there is one, set its address at the gateway: endpoint revoke")
}

// revokesAtIdP reports whether the IdP is to be asked.
func (p *Policy) revokesAtIdP() bool { return p.endpoints[Revoke].text != "" }

// revocationCall builds the request to the IdP, with the authentication of the
// gateway or of the client, as [Policy.tokenCall] does.
func (p *Policy) revocationCall(r *revocationRequest, revocation *revokedToken, authorization string, now time.Time) (formCall, error) {
	a, err := p.authenticateCall(Revoke, &r.clientAuth, authorization, now)
	if err != nil {
		return formCall{}, err
	}
	return a.call(nil, param{"token", revocation.token}, param{"token_type_hint", revocation.hint}, param{"client_id", a.clientID}), nil
}

// checkRevocationResponse checks a response of the IdP's revocation endpoint (RFC 7009
// section 2.2): an empty success, or an OAuth error. Any other is an error, after
// which the token must be taken to be good still. revoked reports that the IdP has
// decided.
func checkRevocationResponse(r *Response) (revoked bool, err error) {
	if r.Status >= 200 && r.Status < 300 {
		r.Status, r.Body = http.StatusOK, nil
		return true, nil
	}
	if err := checkResponse(*r); err != nil {
		return false, err
	}
	if isBusy(r.Status) {
		return false, nil
	}
	return true, checkErrorBody(*r)
}

// end ends the family of a revoked token. It reports false if that has changed meanwhile, and
// has to be opened again.
func (r *revokedToken) end(ctx context.Context) (bool, error) {
	if r.family == nil {
		return true, nil
	}
	ended, err := r.family.End(ctx)
	return ended, refreshError(err)
}
