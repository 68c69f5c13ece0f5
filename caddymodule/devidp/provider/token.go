package provider

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

const maxFormBytes = 64 << 10

// authenticated is the form of a request, and the client that sent it: a confidential
// one has shown its secret (RFC 6749 section 2.3.1).
func (p *Provider) authenticated(w http.ResponseWriter, r *http.Request) (url.Values, *registration, error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
	if err := r.ParseForm(); err != nil {
		return nil, nil, invalidRequest("the form cannot be read")
	}
	form := r.PostForm // nothing from the query
	for name, given := range form {
		if len(given) > 1 {
			return nil, nil, invalidRequest("the parameter " + name + " is given more than once")
		}
	}
	id, secret, basic := r.BasicAuth()
	if basic {
		id, _ = url.QueryUnescape(id)
		secret, _ = url.QueryUnescape(secret)
	} else {
		id, secret = form.Get("client_id"), form.Get("client_secret")
	}
	client, ok := p.clients[id]
	if !ok || client.secret != "" && subtle.ConstantTimeCompare([]byte(client.secret), []byte(secret)) != 1 {
		return nil, nil, &oauthError{"invalid_client", "the client is unknown, or its secret is missing or wrong"}
	}
	return form, client, nil
}

// tokenResponse is a successful response (RFC 6749 section 5.1).
type tokenResponse struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int    `json:"expires_in"`
	RefreshToken string `json:"refresh_token,omitempty"`
	IDToken      string `json:"id_token,omitempty"`
	Scope        string `json:"scope"`
}

// token is the token endpoint (RFC 6749 section 3.2).
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	var response *tokenResponse
	form, client, err := p.authenticated(w, r)
	if err == nil {
		switch form.Get("grant_type") {
		case "authorization_code":
			response, err = p.exchangeCode(r, client, form)
		case "refresh_token":
			response, err = p.refresh(r, client, form)
		case "":
			err = invalidRequest("grant_type is missing")
		default:
			err = &oauthError{"unsupported_grant_type", "grant_type must be authorization_code or refresh_token"}
		}
	}
	if err != nil {
		p.oauthProblem(w, err)
		return
	}
	writeJSON(w, http.StatusOK, response)
}

func (p *Provider) exchangeCode(r *http.Request, client *registration, form url.Values) (*tokenResponse, error) {
	code, verifier := form.Get("code"), form.Get("code_verifier")
	switch {
	case code == "":
		return nil, invalidRequest("code is missing")
	case verifier == "":
		return nil, invalidRequest("code_verifier is missing")
	}
	request, err := p.store.redeemCode(code, client.id, form.Get("redirect_uri"), verifier)
	if err != nil {
		return nil, err
	}
	return p.issue(r, request.redeemed, request.scopes, map[string]any{"nonce": request.nonce, "c_hash": leftHash(code)})
}

func (p *Provider) refresh(r *http.Request, client *registration, form url.Values) (*tokenResponse, error) {
	token, scopes := form.Get("refresh_token"), strings.Fields(form.Get("scope"))
	if token == "" {
		return nil, invalidRequest("refresh_token is missing")
	}
	g, err := p.store.redeemRefreshToken(token, client.id, scopes)
	if err != nil {
		return nil, err
	}
	if len(scopes) == 0 {
		scopes = g.scopes
	}
	return p.issue(r, g, scopes, nil)
}

// issue makes the tokens of a grant. ofLogin are claims that the ID token has after
// the login only (OpenID Connect Core 12.2).
func (p *Provider) issue(r *http.Request, g *grant, scopes []string, ofLogin map[string]any) (*tokenResponse, error) {
	now := p.config.Now()
	response := &tokenResponse{TokenType: "Bearer", ExpiresIn: int(accessTokenLifetime.Seconds()), Scope: strings.Join(scopes, " ")}
	var id string
	id, response.RefreshToken = p.store.newTokens(g)
	claims := map[string]any{
		"iss": p.issuer(r), "sub": g.subject, "azp": g.clientID, "iat": now.Unix(), "exp": now.Add(accessTokenLifetime).Unix(),
	}
	audience := g.audience
	if len(audience) == 0 {
		audience = []string{g.clientID}
	}
	access := maps.Clone(claims)
	maps.Copy(access, map[string]any{
		"aud": audience, "client_id": g.clientID, "jti": id, "nbf": now.Unix(), "scope": response.Scope,
	})
	var err error
	if response.AccessToken, err = p.sign(access); err != nil || !slices.Contains(scopes, scopeOpenID) {
		return response, err
	}
	maps.Copy(claims, ofLogin)
	maps.DeleteFunc(claims, func(_ string, value any) bool { return value == "" })
	// Name and email are in the ID token as with Auth0, and clients have come to rely on it.
	if user, ok := p.userBySubject(g.subject); ok {
		maps.Copy(claims, user.claims(scopes))
	}
	maps.Copy(claims, map[string]any{
		"aud": []string{g.clientID}, "auth_time": g.authTime.Unix(), "at_hash": leftHash(response.AccessToken),
	})
	response.IDToken, err = p.sign(claims)
	return response, err
}

// leftHash is the hash of a token or code in an ID token (OpenID Connect Core 3.1.3.6).
func leftHash(of string) string {
	sum := sha256.Sum256([]byte(of))
	return base64.RawURLEncoding.EncodeToString(sum[:len(sum)/2])
}

func generateKey() (jose.JSONWebKey, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return jose.JSONWebKey{}, fmt.Errorf("generating the signing key: %w", err)
	}
	return jose.JSONWebKey{Key: key, KeyID: rand.Text(), Algorithm: string(jose.RS256), Use: "sig"}, nil
}

func (p *Provider) sign(claims map[string]any) (string, error) {
	key, err := p.key()
	if err != nil {
		return "", err
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: key}, (&jose.SignerOptions{}).WithType("JWT"))
	if err != nil {
		return "", err
	}
	return jwt.Signed(signer).Claims(claims).Serialize()
}

// tokenClaims are the claims of a token that the provider reads itself.
type tokenClaims struct {
	Issuer string `json:"iss"`
	Client string `json:"azp"`
	ID     string `json:"jti"`
	Scope  string `json:"scope"`
}

// verify reads a token of the provider, which may have expired.
func (p *Provider) verify(raw, issuer string) (claims tokenClaims, err error) {
	token, err := jwt.ParseSigned(raw, []jose.SignatureAlgorithm{jose.RS256})
	if err != nil {
		return claims, err
	}
	key, err := p.key()
	if err != nil {
		return claims, err
	}
	if err := token.Claims(key.Public(), &claims); err != nil {
		return claims, err
	}
	if claims.Issuer != issuer {
		return claims, errors.New("the token is another issuer's")
	}
	return claims, nil
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	key, err := p.key()
	if err != nil {
		p.oauthProblem(w, err)
		return
	}
	writeJSON(w, http.StatusOK, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{key.Public()}})
}

// revoke is the revocation endpoint (RFC 7009).
func (p *Provider) revoke(w http.ResponseWriter, r *http.Request) {
	form, client, err := p.authenticated(w, r)
	if err == nil {
		token := form.Get("token")
		if claims, notAccess := p.verify(token, p.issuer(r)); notAccess == nil {
			token = claims.ID
		}
		err = p.store.revoke(token, client.id)
	}
	if err != nil {
		p.oauthProblem(w, err)
		return
	}
	w.WriteHeader(http.StatusOK)
}

// userInfo is the user info endpoint (OpenID Connect Core 5.3), its errors
// those of RFC 6750 section 3.
func (p *Provider) userInfo(w http.ResponseWriter, r *http.Request) {
	scheme, accessToken, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || accessToken == "" {
		w.Header().Set("WWW-Authenticate", "Bearer")
		writeJSON(w, http.StatusUnauthorized, invalidRequest("send the access token as Authorization: Bearer"))
		return
	}
	claims, err := p.verify(accessToken, p.issuer(r))
	var granted *grant
	var user User
	ok := err == nil
	if ok {
		granted, ok = p.store.activeGrant(claims.ID)
	}
	if ok {
		user, ok = p.userBySubject(granted.subject)
	}
	if !ok {
		const problem = "the access token is invalid, expired or revoked"
		w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token", error_description="`+problem+`"`)
		writeJSON(w, http.StatusUnauthorized, &oauthError{"invalid_token", problem})
		return
	}
	info := user.claims(strings.Fields(claims.Scope))
	info["sub"] = user.subject()
	writeJSON(w, http.StatusOK, info)
}

// oauthProblem responds as RFC 6749 section 5.2 says.
func (p *Provider) oauthProblem(w http.ResponseWriter, err error) {
	problem := asOAuthError(err)
	p.logger.Warn("token request rejected", "error", problem.Code, "description", problem.Description)
	status := http.StatusBadRequest
	switch problem.Code {
	case "invalid_client":
		status = http.StatusUnauthorized
	case "server_error":
		status = http.StatusInternalServerError
	}
	writeJSON(w, status, problem)
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // fails only if the client went away
}
