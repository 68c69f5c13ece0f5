package provider

import (
	"context"
	"errors"

	"github.com/go-jose/go-jose/v4"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// [op.Storage] asks for more than this provider offers: implicit callbacks,
// introspection and JWT assertions have no endpoint here.

var errNotOffered = errors.New("the development identity provider does not offer this")

func (s *store) CreateAuthRequest(context.Context, *oidc.AuthRequest, string) (op.AuthRequest, error) {
	return nil, errNotOffered
}

func (s *store) AuthRequestByID(context.Context, string) (op.AuthRequest, error) {
	return nil, errNotOffered
}

func (s *store) SaveAuthCode(context.Context, string, string) error { return errNotOffered }

func (s *store) DeleteAuthRequest(context.Context, string) error { return errNotOffered }

// SetUserinfoFromScopes does nothing, as the library wants it: SetUserinfoFromRequest is its successor.
func (s *store) SetUserinfoFromScopes(context.Context, *oidc.UserInfo, string, string, []string) error {
	return nil
}

func (s *store) SetUserinfoFromToken(context.Context, *oidc.UserInfo, string, string, string) error {
	return errNotOffered
}

func (s *store) SetIntrospectionFromToken(context.Context, *oidc.IntrospectionResponse, string, string, string) error {
	return errNotOffered
}

func (s *store) GetPrivateClaimsFromScopes(context.Context, string, string, []string) (map[string]any, error) {
	return nil, errNotOffered
}

func (s *store) GetKeyByIDAndClientID(context.Context, string, string) (*jose.JSONWebKey, error) {
	return nil, errNotOffered
}

func (s *store) ValidateJWTProfileScopes(context.Context, string, []string) ([]string, error) {
	return nil, errNotOffered
}
