package testidp

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

const maxFormBytes = 64 << 10

// authenticated is the form of a request, and the client that sent it (RFC 6749 section
// 2.3).
func (p *Provider) authenticated(w http.ResponseWriter, r *http.Request) (url.Values, *registration, error) {
	form, err := p.parameters(w, r)
	if err != nil {
		return nil, nil, err
	}
	id, secret, basic := r.BasicAuth()
	if basic {
		id, _ = url.QueryUnescape(id)
		secret, _ = url.QueryUnescape(secret)
	} else {
		id, secret = form.Get("client_id"), form.Get("client_secret")
	}
	client, ok := p.clients[id]
	if ok && client.Secret != "" {
		isMethod := client.Auth == Public || p.AnySecretMethod || basic == (client.Auth == ClientSecretBasic)
		ok = isMethod && subtle.ConstantTimeCompare([]byte(client.Secret), []byte(secret)) == 1
	}
	if !ok {
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
	Scope        string `json:"scope,omitempty"`
}

// token is the token endpoint (RFC 6749 section 3.2).
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	var response *tokenResponse
	form, client, err := p.authenticated(w, r)
	if err == nil {
		err = p.refuses(form)
	}
	if p.RefusesOrigin && err == nil && r.Header.Get("Origin") != "" {
		err = invalidRequest("AADSTS9002326: Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type.")
	}
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
	case p.Strict && code == "":
		return nil, invalidRequest("code is missing")
	case p.Strict && verifier == "":
		return nil, invalidRequest("code_verifier is missing")
	case p.TrimsCodes:
		code = strings.Trim(code, " .=")
	}
	g, err := p.store.redeemCode(&p.Behavior, code, client.ID, form.Get("redirect_uri"), verifier)
	if err != nil {
		return nil, err
	}
	response, err := p.issue(r, g, g.scopes, code, form)
	if err == nil && p.RefreshTokens && g.offline {
		response.RefreshToken = p.store.newRefreshToken(g)
	}
	return response, err
}

func (p *Provider) refresh(r *http.Request, client *registration, form url.Values) (*tokenResponse, error) {
	token, scopes := form.Get("refresh_token"), strings.Fields(form.Get("scope"))
	if p.Strict && token == "" {
		return nil, invalidRequest("refresh_token is missing")
	}
	g, err := p.store.redeemRefreshToken(&p.Behavior, token, client.ID, scopes)
	if err != nil {
		return nil, err
	}
	if len(scopes) == 0 {
		scopes = g.scopes
	}
	response, err := p.issue(r, g, scopes, "", form)
	if err == nil && p.RotatesRefreshTokens {
		response.RefreshToken = p.store.newRefreshToken(g)
	}
	return response, err
}

// issue makes the access token and the ID token of a grant. The code is "" after a refresh.
func (p *Provider) issue(r *http.Request, g *grant, scopes []string, code string, form url.Values) (*tokenResponse, error) {
	token := Token{
		AccessToken: "access-" + rand.Text(), User: g.subject, ClientID: g.clientID, Code: code, Scope: strings.Join(scopes, " "),
		Audience: cmp.Or(form.Get("audience"), g.audience), Resource: p.resource(form), ACR: g.acr,
	}
	if p.Resources == BindsResource && token.Resource != "" && token.Resource != g.audience {
		return nil, &oauthError{"invalid_target", "resource is not the one of the login"}
	}
	now := p.config.Now()
	claims := map[string]any{
		"iss": p.issuer(r), "sub": g.subject, "azp": g.clientID, "iat": now.Unix(), "exp": now.Add(accessTokenLifetime).Unix(),
	}
	var err error
	if p.JWTs {
		unasked := p.address(r, PathUserInfo)
		if p.Audience != nil {
			unasked = p.Audience(g.clientID)
		}
		access := maps.Clone(claims)
		maps.Copy(access, map[string]any{
			"aud": []string{cmp.Or(token.Resource, token.Audience, unasked)}, "client_id": g.clientID, "jti": rand.Text(), "nbf": now.Unix(), "scope": token.Scope,
		})
		if token.AccessToken, err = p.sign("at+jwt", access); err != nil {
			return nil, err
		}
	}
	response := &tokenResponse{AccessToken: token.AccessToken, TokenType: "Bearer", ExpiresIn: int(accessTokenLifetime.Seconds()), Scope: p.scopeOf(scopes)}
	if slices.Contains(scopes, scopeOpenID) && !p.NoIDTokens {
		if response.IDToken, err = p.idToken(g, token, claims); err != nil {
			return nil, err
		}
	}
	p.store.accessTokens.put(token.AccessToken, issuedToken{token, g})
	p.issued(token)
	return response, nil
}

// idToken is an ID token (OpenID Connect Core 1.0 section 2) that goes with an access
// token. Its audience is the client of the login, whoever redeems the code.
func (p *Provider) idToken(g *grant, access Token, claims map[string]any) (string, error) {
	if access.Code != "" { // after the login only (section 12.2)
		claims["c_hash"] = leftHash(access.Code)
		if nonce := p.nonceOf(g.authRequest); nonce != "" {
			claims["nonce"] = nonce
		}
	}
	// Name and email are in the ID token as with Auth0, and clients have come to rely on it.
	if user, ok := p.userBySubject(g.subject); ok {
		maps.Copy(claims, user.claimsFor(strings.Fields(access.Scope)))
	}
	maps.Copy(claims, map[string]any{
		"aud": []string{g.clientID}, "auth_time": g.authTime.Unix(), "at_hash": leftHash(access.AccessToken),
	})
	if access.ACR != "" {
		claims["acr"] = access.ACR
	}
	return p.sign("JWT", claims)
}

// leftHash is the hash of a token or code in an ID token (OpenID Connect Core 3.1.3.6).
func leftHash(of string) string {
	sum := sha256.Sum256([]byte(of))
	return base64.RawURLEncoding.EncodeToString(sum[:len(sum)/2])
}

// rsaKey is the kind of key that every client takes, and Auth0 has.
func rsaKey() (jose.JSONWebKey, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	return signingKey(key, jose.RS256), err
}

// ecKey is for a server that signs many tokens.
func ecKey() (jose.JSONWebKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	return signingKey(key, jose.ES256), err
}

func signingKey(key any, algorithm jose.SignatureAlgorithm) jose.JSONWebKey {
	return jose.JSONWebKey{Key: key, KeyID: rand.Text(), Algorithm: string(algorithm), Use: "sig"}
}

// sign makes a JWT of a type.
func (p *Provider) sign(kind jose.ContentType, claims map[string]any) (string, error) {
	key, err := p.key()
	if err != nil {
		return "", err
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.SignatureAlgorithm(key.Algorithm), Key: key}, (&jose.SignerOptions{}).WithType(kind))
	if err != nil {
		return "", err
	}
	return jwt.Signed(signer).Claims(claims).Serialize()
}

// tokenClaims are the claims of a token that the provider reads itself.
type tokenClaims struct {
	Issuer string `json:"iss"`
	Client string `json:"azp"`
}

// verify reads a token of the provider, which may have expired.
func (p *Provider) verify(raw, issuer string) (claims tokenClaims, err error) {
	key, err := p.key()
	if err != nil {
		return claims, err
	}
	token, err := jwt.ParseSigned(raw, []jose.SignatureAlgorithm{jose.SignatureAlgorithm(key.Algorithm)})
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

// pushLifetime is how long a pushed request waits for its browser.
const pushLifetime = 90 * time.Second

// push is the pushed authorization request endpoint (RFC 9126 section 2). Public
// clients may use it, too. What is wrong with the request is said at [PathAuthorize].
func (p *Provider) push(w http.ResponseWriter, r *http.Request) {
	form, client, err := p.authenticated(w, r)
	if err == nil && (form.Get("client_id") != client.ID || form.Has("request_uri")) {
		err = invalidRequest("client_id has to be the client's own, and request_uri left out")
	}
	if err != nil {
		p.oauthProblem(w, err)
		return
	}
	form.Del("client_secret")
	uri := "urn:ietf:params:oauth:request_uri:" + rand.Text()
	p.store.pushes.put(uri, form)
	writeJSON(w, http.StatusCreated, map[string]any{"request_uri": uri, "expires_in": int(pushLifetime.Seconds())})
}

// revoke is the revocation endpoint (RFC 7009).
func (p *Provider) revoke(w http.ResponseWriter, r *http.Request) {
	form, client, err := p.authenticated(w, r)
	if err == nil {
		err = p.store.revoke(&p.Behavior, form.Get("token"), client.ID)
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
	token, ok := p.store.active(accessToken)
	var user user
	if ok {
		user, ok = p.userBySubject(token.User)
	}
	if !ok {
		const problem = "the access token is invalid, expired or revoked"
		w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token", error_description="`+problem+`"`)
		writeJSON(w, http.StatusUnauthorized, &oauthError{"invalid_token", problem})
		return
	}
	info := user.claimsFor(strings.Fields(token.Scope))
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
