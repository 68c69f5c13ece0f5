package testidp

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-jose/go-jose/v4"
)

// userInfo is the userinfo endpoint (OpenID Connect Core 1.0 section 5.3).
func (x *exchange) userInfo() {
	accessToken, _ := strings.CutPrefix(x.r.Header.Get("Authorization"), "Bearer ")
	token, ok := x.Lookup(accessToken)
	if !ok {
		x.w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		x.fail(&oauthError{Code: "invalid_token", status: http.StatusUnauthorized})
		return
	}
	x.json(http.StatusOK, map[string]string{"sub": token.User, "email": token.User + "@example.com"})
}

// logout signs the browser out and sends it on, if it may go there.
func (x *exchange) logout() {
	http.SetCookie(x.w, &http.Cookie{Name: userCookie, Path: "/", MaxAge: -1})
	target := x.query.Get("returnTo")
	if target == "" {
		target = x.query.Get("post_logout_redirect_uri")
	}
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

const keyID = "testidp"

func (x *exchange) signer() (jose.Signer, error) {
	return jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: x.key, KeyID: keyID}},
		(&jose.SignerOptions{}).WithType("JWT"))
}

func (x *exchange) keys() {
	x.json(http.StatusOK, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{
		{Key: &x.key.PublicKey, KeyID: keyID, Algorithm: string(jose.ES256), Use: "sig"},
	}})
}

// discovery is the metadata (OpenID Connect Discovery 1.0 section 3).
func (x *exchange) discovery() {
	e, base := x.endpoints(), x.URL()
	metadata := map[string]any{
		"issuer":                                         x.issuer(),
		"authorization_endpoint":                         base + e.Authorize,
		"token_endpoint":                                 base + e.Token,
		"userinfo_endpoint":                              base + e.UserInfo,
		"end_session_endpoint":                           base + e.Logout,
		"jwks_uri":                                       base + e.JWKS,
		"response_types_supported":                       []string{"code"},
		"response_modes_supported":                       x.responseModes(),
		"subject_types_supported":                        []string{"public"},
		"id_token_signing_alg_values_supported":          []string{string(jose.ES256)},
		"grant_types_supported":                          []string{"authorization_code", "refresh_token"},
		"token_endpoint_auth_methods_supported":          []string{"none", string(ClientSecretBasic), string(ClientSecretPost), string(PrivateKeyJWT)},
		"authorization_response_iss_parameter_supported": x.SendsIssuer,
	}
	if x.PKCE != IgnoresPKCE {
		metadata["code_challenge_methods_supported"] = []string{"S256"}
	}
	x.json(http.StatusOK, metadata)
}
