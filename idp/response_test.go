package idp

import (
	"context"
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
)

// answerOf is a token response of the IdP with a body.
func answerOf(body string) *tokenAnswer {
	a := &tokenAnswer{Response: Response{Status: http.StatusOK, Header: make(http.Header), Body: []byte(body)}}
	a.token, _ = readToken(a.Body)
	a.idToken, a.invalid = readIDToken(&a.token)
	return a
}

// outcomeOf is what a checked token response says of the code.
func outcomeOf(a tokenAnswer, err error) (tokenOutcome, error) { return a.outcome, err }

// sealBody is the client's response for a body of the IdP's.
func (p *Policy) sealBody(ctx context.Context, families *rotation.Families, s sealer, r *tokenRequest, renewal *refreshGrant, body []byte) ([]byte, error) {
	given, err := p.sealTokens(ctx, families, s, r, renewal, answerOf(string(body)))
	return given.body, err
}
