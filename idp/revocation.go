package idp

import (
	"context"
	"net/http"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// RevocationRequest is a checked revocation request (RFC 7009 section 2.1).
type RevocationRequest struct {
	ClientID string
	// Token is the client's, Hint the token_type_hint that came with it, if it is a
	// registered one.
	Token, Hint string

	client TokenRequest
}

// hintRefreshToken and hintAccessToken are the token_type_hint values of RFC 7009
// section 2.1.
const (
	hintRefreshToken = "refresh_token"
	hintAccessToken  = "access_token"
)

// ParseRevocation checks a request to the revocation endpoint: its raw query, header
// and whole body. The client authenticates as at the token endpoint.
func (p *Policy) ParseRevocation(rawQuery string, header http.Header, body string) (RevocationRequest, error) {
	var r RevocationRequest
	f, err := parseForm("revocation", "RFC 7009 section 2.1", rawQuery, header, body)
	if err != nil {
		return r, err
	}
	c, err := p.authenticate(&f, header, &r.client)
	r.ClientID = r.client.ClientID
	if err != nil {
		return r, err
	}
	if c != nil {
		r.client.credentials = c.credentials
	}
	r.Token = f.get("token")
	switch {
	case r.Token == "":
		return r, missing("token", "RFC 7009 section 2.1")
	case !vsChar.holds(r.Token):
		return r, reject(InvalidRequest, "RFC 6749 appendix A", "token must be printable ASCII, as the gateway gave it")
	}
	if hint := f.get("token_type_hint"); hint == hintRefreshToken || hint == hintAccessToken {
		r.Hint = hint
	}
	return r, nil
}

// Revocation is what is to be revoked at the IdP.
type Revocation struct {
	// token is the IdP's; "" if there is nothing to revoke.
	token, hint string
	// held is what the store has of a rotating token's family.
	family *family
	held   []byte
}

// OpenRevocation finds what the token of a request is: one that was sealed here, for
// this client, or else one of the IdP. [seal.ErrUnknownKey] is in the chain of an
// error that newer keys may resolve; without newer ones, take [UnknownToken].
func (p *Policy) OpenRevocation(ctx context.Context, store replay.StateStore, s Sealing, r *RevocationRequest) (*Revocation, error) {
	if p.callback == nil {
		return UnknownToken(r), nil
	}
	opened, _, err := p.openRefreshToken(s.Keys, r.Token)
	switch {
	case err != nil:
		return nil, err
	case opened.clientID != r.ClientID:
		return nil, reject(InvalidGrant, "RFC 7009 section 2.1", "the token was issued to another client")
	case opened.idpClient != p.idpID(r.ClientID):
		return &Revocation{}, nil // no token of the registration that the gateway has now
	case p.rotation == nil:
		return &Revocation{token: opened.token, hint: hintRefreshToken}, nil
	}
	f := opened.rotation.family
	value, _, err := store.Load(ctx, p.familyKey(f))
	switch {
	case err != nil:
		return nil, storeFailed(err)
	case value == nil:
		return &Revocation{}, nil
	}
	state, err := p.openFamily(s.Keys, f, value)
	if err != nil {
		return nil, err
	}
	return &Revocation{token: state.token, hint: hintRefreshToken, family: &f, held: value}, nil
}

// UnknownToken is a token that was not sealed here: an access token, for example.
// The IdP knows.
func UnknownToken(r *RevocationRequest) *Revocation {
	return &Revocation{token: r.Token, hint: r.Hint}
}

// IsOver reports that there is nothing left to revoke, which is a success (RFC 7009
// section 2.2).
func (r *Revocation) IsOver() bool { return r.token == "" }

// CanRevoke checks that a revocation can come to something: at the IdP, or here, where
// a family ends.
func (p *Policy) CanRevoke(r *Revocation) error {
	if p.endpoints[Revoke].text != "" || r.family != nil {
		return nil
	}
	if !p.KnowsMetadata() {
		return NotDiscovered()
	}
	return reject(UnsupportedTokenType, "RFC 7009 section 2.2.1",
		"the gateway knows no revocation endpoint of the identity provider; if it has one, its address belongs into the gateway's configuration: endpoint revoke")
}

// RevokesAtIdP reports that the IdP is to be asked.
func (p *Policy) RevokesAtIdP() bool { return p.endpoints[Revoke].text != "" }

// RevocationCall builds the request to the IdP, with the authentication of the
// gateway or of the client, as [Policy.TokenCall] does.
func (p *Policy) RevocationCall(r *RevocationRequest, revocation *Revocation, authorization string, now time.Time) (TokenCall, error) {
	a, err := p.authenticateCall(Revoke, &r.client, authorization, now)
	if err != nil {
		return TokenCall{}, err
	}
	form := make([]byte, 0, 512)
	for _, field := range [...]param{
		{"token", revocation.token},
		{"token_type_hint", revocation.hint},
		{"client_id", a.clientID},
		{"client_secret", a.secret},
		{"client_assertion", a.assertion},
		{"client_assertion_type", a.assertionType},
	} {
		if field.value != "" {
			form = appendParam(form, field.name, field.value)
		}
	}
	return TokenCall{Form: form, Authorization: a.authorization}, nil
}

// CheckRevocationResponse checks a response of the IdP's revocation endpoint (RFC 7009
// section 2.2): an empty success, or an OAuth error. Any other is an error, after
// which the token must be taken to be good still. revoked reports that the IdP has
// decided.
func CheckRevocationResponse(r *Response) (revoked bool, err error) {
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

// EndRevoked ends the family of a revoked token. It reports false if it has changed
// meanwhile, and has to be opened again.
func (p *Policy) EndRevoked(ctx context.Context, store replay.StateStore, r *Revocation) (bool, error) {
	if r.family == nil {
		return true, nil
	}
	ended, err := store.CompareAndSwap(ctx, p.familyKey(*r.family), r.held, nil, 0)
	if err != nil {
		return false, storeFailed(err)
	}
	return ended, nil
}
