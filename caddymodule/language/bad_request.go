package language

import (
	"errors"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/contract"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/operation"
	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

// badRequest is the problem of a request that is wrong as err says.
func badRequest(err error) *operation.Problem {
	rule := "the request is not valid"
	var (
		invalid *contract.Invalid
		bounds  *persona.RequestError
	)
	switch {
	case errors.As(err, &invalid):
		rule = invalid.Rule
	case errors.As(err, &bounds) && bounds.Index < 0:
		rule = "a list has more names than are accepted"
	case bounds != nil:
		rule = "a name is longer than is accepted"
	}
	return operation.BadRequest(rule, err)
}
