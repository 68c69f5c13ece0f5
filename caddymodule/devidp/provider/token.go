package provider

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

const maxFormBytes = 64 << 10

// token is the token endpoint (RFC 6749 section 3.2).
//
// It is put together from the library's parts instead of being op.Exchange,
// because that one gives the ID token the audience of the access token.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
	if err := r.ParseForm(); err != nil {
		p.oauthProblem(w, oidc.ErrInvalidRequest().WithDescription("the form cannot be read"))
		return
	}
	r.Form = r.PostForm // nothing from the query (RFC 6749 section 2.3.1)
	for name, given := range r.PostForm {
		if len(given) > 1 {
			p.oauthProblem(w, oidc.ErrInvalidRequest().WithDescription("the parameter %s is given more than once", name))
			return
		}
	}

	var response *oidc.AccessTokenResponse
	var err error
	switch grantType := r.PostForm.Get("grant_type"); grantType {
	case "":
		err = oidc.ErrInvalidRequest().WithDescription("grant_type is missing")
	case string(oidc.GrantTypeCode):
		response, err = p.exchangeCode(r)
	case string(oidc.GrantTypeRefreshToken):
		response, err = p.refresh(r)
	default:
		err = oidc.ErrUnsupportedGrantType().WithDescription("grant_type must be authorization_code or refresh_token")
	}
	if err != nil {
		p.oauthProblem(w, err)
		return
	}
	writeJSON(w, http.StatusOK, response)
}

func (p *Provider) exchangeCode(r *http.Request) (*oidc.AccessTokenResponse, error) {
	request, err := op.ParseAccessTokenRequest(r, p.op.Decoder())
	if err != nil {
		return nil, err
	}
	if request.Code == "" {
		return nil, oidc.ErrInvalidRequest().WithDescription("code is missing")
	}
	checked, client, err := op.ValidateAccessTokenRequest(r.Context(), request, p.op)
	if err != nil {
		return nil, err
	}
	return p.issue(r, checked, client, request.Code, "")
}

func (p *Provider) refresh(r *http.Request) (*oidc.AccessTokenResponse, error) {
	request, err := op.ParseRefreshTokenRequest(r, p.op.Decoder())
	if err != nil {
		return nil, err
	}
	checked, client, err := op.ValidateRefreshTokenRequest(r.Context(), request, p.op)
	if err != nil {
		return nil, err
	}
	return p.issue(r, checked, client, "", request.RefreshToken)
}

// issue makes the tokens of a request that was found good.
func (p *Provider) issue(r *http.Request, request op.IDTokenRequest, client op.Client, code, refreshToken string) (*oidc.AccessTokenResponse, error) {
	ctx := r.Context()
	response := &oidc.AccessTokenResponse{
		TokenType: oidc.BearerToken,
		ExpiresIn: uint64(p.config.AccessTokenLifetime.Seconds()),
		Scope:     request.GetScopes(),
	}
	var err error
	response.AccessToken, response.RefreshToken, _, err = op.CreateAccessToken(ctx, request, client.AccessTokenType(), p.op, client, refreshToken)
	if err != nil {
		return nil, err
	}
	if slices.Contains(request.GetScopes(), oidc.ScopeOpenID) {
		response.IDToken, err = op.CreateIDToken(ctx, issuerOf(ctx), forClientOnly(request), p.config.AccessTokenLifetime,
			response.AccessToken, code, p.store, client)
		if err != nil {
			return nil, err
		}
	}
	return response, nil
}

// revoke is the revocation endpoint (RFC 7009).
func (p *Provider) revoke(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
	op.Revoke(w, r, p.op)
}

// userInfo is the user info endpoint (OpenID Connect Core 5.3), its errors
// those of RFC 6750 section 3.
func (p *Provider) userInfo(w http.ResponseWriter, r *http.Request) {
	scheme, accessToken, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || accessToken == "" {
		w.Header().Set("WWW-Authenticate", "Bearer")
		writeJSON(w, http.StatusUnauthorized, oidc.ErrInvalidRequest().WithDescription("send the access token as Authorization: Bearer"))
		return
	}
	claims, err := op.VerifyAccessToken[*oidc.AccessTokenClaims](r.Context(), accessToken, p.op.AccessTokenVerifier(r.Context()))
	var granted *grant
	var user User
	ok := err == nil
	if ok {
		granted, ok = p.store.activeGrant(claims.JWTID)
	}
	if ok {
		user, ok = p.userBySubject(granted.subject)
	}
	if !ok {
		w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token", error_description="the access token is invalid, expired or revoked"`)
		writeJSON(w, http.StatusUnauthorized, &oidc.Error{ErrorType: "invalid_token", Description: "the access token is invalid, expired or revoked"})
		return
	}
	info := user.claims(strings.Fields(scopeClaim(claims)))
	info["sub"] = user.subject()
	writeJSON(w, http.StatusOK, info)
}

func scopeClaim(claims *oidc.AccessTokenClaims) string {
	scope, _ := claims.Claims["scope"].(string)
	return scope
}

// oauthProblem responds as RFC 6749 section 5.2 says.
func (p *Provider) oauthProblem(w http.ResponseWriter, err error) {
	problem := oauthError(err)
	p.logger.Warn("token request rejected", "error", string(problem.ErrorType), "description", problem.Description)
	status := http.StatusBadRequest
	switch problem.ErrorType {
	case oidc.InvalidClient:
		status = http.StatusUnauthorized
	case oidc.ServerError:
		status = http.StatusInternalServerError
	}
	if problem.Description == "" && problem.ErrorType == oidc.InvalidGrant && problem.Parent != nil {
		problem = oidc.ErrInvalidGrant().WithDescription("%s", problem.Parent.Error())
	}
	writeJSON(w, status, problem)
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // fails only if the client went away
}
