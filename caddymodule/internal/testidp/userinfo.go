package testidp

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// userInfo is the userinfo endpoint (OpenID Connect Core 1.0 section 5.3).
func (x *exchange) userInfo() {
	if x.NeedsUserAgent && x.r.UserAgent() == "" {
		x.page(http.StatusForbidden, "Request forbidden by administrative rules. Please make sure your request has a User-Agent header")
		return
	}
	accessToken, _ := strings.CutPrefix(x.r.Header.Get("Authorization"), "Bearer ")
	token, ok := x.Lookup(accessToken)
	if !ok {
		x.w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		x.fail(&oauthError{Code: "invalid_token", status: http.StatusUnauthorized})
		return
	}
	if x.NumbersUsers {
		x.json(http.StatusOK, map[string]any{"login": token.User, "id": 583231, "type": "User"})
		return
	}
	x.json(http.StatusOK, map[string]string{"sub": token.User, "email": token.User + "@example.com"})
}

// logout signs the browser out and sends it on, if it may go there.
func (x *exchange) logout() {
	target := x.query.Get("post_logout_redirect_uri")
	switch x.Behavior.Logout {
	case AnyLogout:
		if returnTo := x.query.Get("returnTo"); returnTo != "" {
			target = returnTo
		}
	case HintedLogout:
		if !x.ownIDToken(x.query.Get("id_token_hint")) {
			x.page(http.StatusBadRequest, "id_token_hint is missing or not an ID token of this server")
			return
		}
	case LogoutURI:
		target = x.query.Get("logout_uri")
		if target == "" || x.query.Get("client_id") == "" {
			x.page(http.StatusBadRequest, "Required String parameter is not present")
			return
		}
	}
	http.SetCookie(x.w, &http.Cookie{Name: userCookie, Path: "/", MaxAge: -1})
	if target == "" {
		x.page(http.StatusOK, "signed out")
		return
	}
	client := x.client(x.query.Get("client_id"))
	if !x.AnyRedirectURI && (client == nil || !slices.Contains(client.ReturnTo, target)) {
		x.page(http.StatusBadRequest, "the page to return to is not registered")
		return
	}
	if state := x.query.Get("state"); state != "" {
		if u, err := url.Parse(target); err == nil {
			q := u.Query()
			q.Set("state", state)
			u.RawQuery = q.Encode()
			target = u.String()
		}
	}
	x.w.Header().Set("Location", target)
	x.w.WriteHeader(http.StatusFound)
}

// ownIDToken reports an ID token that this server has signed.
func (x *exchange) ownIDToken(raw string) bool {
	token, err := jwt.ParseSigned(raw, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		return false
	}
	var claims jwt.Claims
	return token.Claims(&x.key.PublicKey, &claims) == nil && claims.Issuer == x.issuer()
}

const keyID = "testidp"

// signer signs tokens of a type.
func (s *Server) signer(kind jose.ContentType) (jose.Signer, error) {
	return jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: s.key, KeyID: keyID}},
		(&jose.SignerOptions{}).WithType(kind))
}

func (x *exchange) keys() {
	x.json(http.StatusOK, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{
		{Key: &x.key.PublicKey, KeyID: keyID, Algorithm: string(jose.ES256), Use: "sig"},
	}})
}

// discovery is the metadata (OpenID Connect Discovery 1.0 section 3).
func (x *exchange) discovery() {
	e, main := x.endpoints(), x.URL()
	methods := []string{"none", string(ClientSecretBasic), string(ClientSecretPost), string(PrivateKeyJWT)}
	metadata := map[string]any{
		"issuer":                                         x.issuer(),
		"authorization_endpoint":                         main + e.Authorize,
		"token_endpoint":                                 x.HostURL(TokenHost) + e.Token,
		"userinfo_endpoint":                              x.HostURL(UserInfoHost) + e.UserInfo,
		"jwks_uri":                                       x.HostURL(KeysHost) + e.JWKS,
		"response_types_supported":                       []string{"code"},
		"subject_types_supported":                        []string{"public"},
		"id_token_signing_alg_values_supported":          []string{string(jose.ES256)},
		"grant_types_supported":                          []string{"authorization_code", "refresh_token"},
		"token_endpoint_auth_methods_supported":          methods,
		"authorization_response_iss_parameter_supported": x.SendsIssuer,
	}
	if x.Behavior.Logout != NoLogout {
		metadata["end_session_endpoint"] = main + e.Logout
	}
	if x.PAR != NoPAR {
		metadata["pushed_authorization_request_endpoint"] = main + e.PAR
		metadata["require_pushed_authorization_requests"] = x.PAR == RequiresPAR
	}
	if !x.HidesResponseModes {
		metadata["response_modes_supported"] = x.responseModes()
	}
	if len(x.Scopes) > 0 {
		metadata["scopes_supported"] = x.Scopes
	}
	if x.PKCE != IgnoresPKCE && !x.HidesPKCE {
		metadata["code_challenge_methods_supported"] = []string{"S256"}
	}
	maps.Copy(metadata, x.Metadata)
	x.json(http.StatusOK, metadata)
}
