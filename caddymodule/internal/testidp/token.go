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
func (p *Provider) authenticated(w http.ResponseWriter, r *http.Request) (url.Values, Client, *oauthError) {
	form, err := p.parameters(w, r)
	if err != nil {
		return nil, Client{}, err
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
		isMethod := client.Auth == "" || basic == (client.Auth == "client_secret_basic")
		ok = isMethod && subtle.ConstantTimeCompare([]byte(client.Secret), []byte(secret)) == 1
	}
	if !ok {
		return nil, Client{}, &oauthError{"invalid_client", "the client is unknown, or its secret is missing or wrong"}
	}
	return form, client, nil
}

// token is the token endpoint (RFC 6749 section 3.2), with its outage.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	outage := p.TokenOutage
	if outage.Hold != nil {
		p.server.held.Add(1)
		<-outage.Hold
		p.server.held.Add(-1)
	}
	fails := outage.Status != 0 || outage.Close
	var response map[string]any
	var err *oauthError
	if !fails || outage.AfterIssuing {
		response, err = p.tokens(w, r)
	}
	switch {
	case outage.Close && err == nil:
		panic(http.ErrAbortHandler)
	case fails && err == nil:
		writeJSON(w, outage.Status, &oauthError{Code: "temporarily_unavailable"})
	case p.GitHub:
		gitHubTokens(w, r, response, err)
	case err != nil:
		p.oauthProblem(w, err)
	default:
		writeJSON(w, http.StatusOK, response)
	}
}

// tokens is a successful response (RFC 6749 section 5.1), or why there is none.
func (p *Provider) tokens(w http.ResponseWriter, r *http.Request) (map[string]any, *oauthError) {
	form, client, err := p.authenticated(w, r)
	if err != nil {
		return nil, err
	}
	if err := p.refuses(form); err != nil {
		return nil, err
	}
	switch form.Get("grant_type") {
	case "authorization_code":
		return p.exchangeCode(r, client, form)
	case "refresh_token":
		return p.refresh(r, client, form)
	case exchangeGrant:
		if p.TokenExchange {
			return p.exchangeToken(r, client, form)
		}
	case onBehalfGrant:
		if p.OnBehalfOf {
			return p.exchangeOnBehalf(r, client, form)
		}
	case "":
		return nil, invalidRequest("grant_type is missing")
	}
	return nil, &oauthError{"unsupported_grant_type", "grant_type must be authorization_code or refresh_token"}
}

func (p *Provider) exchangeCode(r *http.Request, client Client, form url.Values) (map[string]any, *oauthError) {
	code, verifier := form.Get("code"), form.Get("code_verifier")
	if p.Strict && (code == "" || verifier == "") {
		return nil, invalidRequest("code and code_verifier are required")
	}
	l, err := p.store.redeemCode(&p.Behavior, code, client.ID, form.Get("redirect_uri"), verifier)
	if err != nil {
		return nil, err
	}
	return p.issue(r, l, l.scopes, code, form, p.RefreshTokens && p.isOffline(l.asked))
}

func (p *Provider) refresh(r *http.Request, client Client, form url.Values) (map[string]any, *oauthError) {
	token, scopes := form.Get("refresh_token"), strings.Fields(form.Get("scope"))
	if p.Strict && token == "" {
		return nil, invalidRequest("refresh_token is missing")
	}
	l, err := p.store.redeemRefreshToken(&p.Behavior, token, client.ID, scopes)
	if err != nil {
		return nil, err
	}
	if len(scopes) == 0 {
		scopes = l.scopes
	}
	return p.issue(r, l, scopes, "", form, p.RotatesRefreshTokens)
}

// The grants of token exchange, and the type of what is exchanged (RFC 8693 sections 2.1 and 3).
const (
	onBehalfGrant   = "urn:ietf:params:oauth:grant-type:jwt-bearer"
	exchangeGrant   = "urn:ietf:params:oauth:grant-type:token-exchange"
	accessTokenType = "urn:ietf:params:oauth:token-type:access_token"
)

// exchangeToken is another access token of the same user, for an audience.
func (p *Provider) exchangeToken(r *http.Request, client Client, form url.Values) (map[string]any, *oauthError) {
	subject, ok := p.store.active(form.Get("subject_token"))
	switch {
	case client.Secret == "":
		return nil, &oauthError{"unauthorized_client", "a public client exchanges no tokens"}
	case form.Get("subject_token_type") != accessTokenType || form.Get("audience") == "":
		return nil, invalidRequest("subject_token_type must be that of access tokens, and audience must be there")
	case !ok || subject.login.clientID != client.ID:
		return nil, invalidRequest("subject_token is no access token of this client")
	}
	response, err := p.issue(r, subject.login, strings.Fields(form.Get("scope")), "", form, false)
	if err == nil {
		response["issued_token_type"] = accessTokenType
	}
	return response, err
}

// exchangeOnBehalf is another access token of the same user, for the API all of whose scopes are asked for.
func (p *Provider) exchangeOnBehalf(r *http.Request, client Client, form url.Values) (map[string]any, *oauthError) {
	subject, ok := p.store.active(form.Get("assertion"))
	audience, all := strings.CutSuffix(form.Get("scope"), "/.default")
	switch {
	case form.Get("requested_token_use") != "on_behalf_of" || !all:
		return nil, invalidRequest("requested_token_use must be on_behalf_of, and scope an API's .default")
	case !ok:
		return nil, &oauthError{"invalid_grant", "AADSTS50013: the assertion is not valid"}
	case !strings.Contains(" "+subject.Scope, " api://"+client.ID+"/"):
		return nil, &oauthError{"invalid_grant", "AADSTS500131: Assertion audience does not match the Client app presenting the assertion"}
	}
	of := maps.Clone(form)
	of.Set("audience", audience)
	return p.issue(r, subject.login, strings.Fields(form.Get("scope")), "", of, false)
}

// issue makes the tokens of a login. The code is "" after a refresh.
func (p *Provider) issue(r *http.Request, l *login, scopes []string, code string, form url.Values, refreshable bool) (map[string]any, *oauthError) {
	token := Token{
		AccessToken: "access-" + rand.Text(), User: l.user.subject(), Code: code, Scope: strings.Join(scopes, " "),
		Audience: cmp.Or(form.Get("audience"), p.audience(l)), Resource: p.resource(form), ACR: l.asked.Get("acr_values"),
	}
	if p.BindsResource && token.Resource != "" && token.Resource != p.audience(l) {
		return nil, &oauthError{"invalid_target", "resource is not the one of the login"}
	}
	now := time.Now()
	claims := map[string]any{
		"iss": p.issuer(r), "sub": token.User, "azp": l.clientID, "iat": now.Unix(), "exp": now.Add(accessTokenLifetime).Unix(),
	}
	if p.JWTs {
		unasked := p.address(r, PathUserInfo)
		if p.Audience != nil {
			unasked = p.Audience(l.clientID)
		}
		access := maps.Clone(claims)
		maps.Copy(access, map[string]any{
			"aud": []string{cmp.Or(token.Resource, token.Audience, unasked)}, "client_id": l.clientID, "jti": rand.Text(), "nbf": now.Unix(), "scope": token.Scope,
		})
		token.AccessToken = p.sign("at+jwt", access)
	}
	response := map[string]any{"access_token": token.AccessToken, "token_type": "Bearer", "expires_in": int(accessTokenLifetime.Seconds())}
	granted := token.Scope
	if p.Grants != nil {
		granted = p.Grants(granted)
	}
	if granted != "" {
		response["scope"] = granted
	}
	if slices.Contains(scopes, "openid") && !p.GitHub {
		response["id_token"] = p.idToken(l, token, claims)
	}
	if p.GitHub && !refreshable { // a token of an OAuth app does not expire
		delete(response, "expires_in")
	}
	if refreshable {
		response["refresh_token"] = p.store.newRefreshToken(l)
	}
	p.store.put(token.AccessToken, issuedToken{token, l}, accessTokenLifetime)
	if p.server != nil {
		p.server.record(token)
	}
	return response, nil
}

// idToken is an ID token (OpenID Connect Core 1.0 section 2) that goes with an access
// token. Its audience is the client of the login, whoever redeems the code.
func (p *Provider) idToken(l *login, access Token, claims map[string]any) string {
	if access.Code != "" { // after the login only (section 12.2)
		claims["c_hash"] = leftHash(access.Code)
		nonce := l.asked.Get("nonce")
		if p.Nonce != nil {
			nonce = p.Nonce(nonce)
		}
		if nonce != "" {
			claims["nonce"] = nonce
		}
	}
	// Name and email are in the ID token as with Auth0, and clients have come to rely on it.
	maps.Copy(claims, p.claimsOf(l.user, strings.Fields(access.Scope)))
	maps.Copy(claims, map[string]any{
		"aud": []string{l.clientID}, "auth_time": l.authTime.Unix(), "at_hash": leftHash(access.AccessToken),
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
func rsaKey() jose.JSONWebKey {
	return signingKey(must(rsa.GenerateKey(rand.Reader, 2048)), jose.RS256)
}

// ecKey is for a server that signs many tokens.
func ecKey() jose.JSONWebKey {
	return signingKey(must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)), jose.ES256)
}

func signingKey(key any, algorithm jose.SignatureAlgorithm) jose.JSONWebKey {
	return jose.JSONWebKey{Key: key, KeyID: rand.Text(), Algorithm: string(algorithm), Use: "sig"}
}

// must is a value whose making can't fail: what it is made of is our own.
func must[V any](value V, err error) V {
	if err != nil {
		panic(err)
	}
	return value
}

// sign makes a JWT of a type.
func (p *Provider) sign(kind jose.ContentType, claims map[string]any) string {
	key := p.key()
	signer := must(jose.NewSigner(jose.SigningKey{Algorithm: jose.SignatureAlgorithm(key.Algorithm), Key: key}, (&jose.SignerOptions{}).WithType(kind)))
	return must(jwt.Signed(signer).Claims(claims).Serialize())
}

// clientOf is the client of an ID token of this issuer, which may have expired.
func (p *Provider) clientOf(idToken, issuer string) (string, bool) {
	var claims struct {
		Issuer string `json:"iss"`
		Client string `json:"azp"`
	}
	key := p.key()
	token, err := jwt.ParseSigned(idToken, []jose.SignatureAlgorithm{jose.SignatureAlgorithm(key.Algorithm)})
	if err != nil {
		return "", false
	}
	err = token.Claims(key.Public(), &claims)
	return claims.Client, err == nil && claims.Issuer == issuer
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	key := p.key()
	writeJSON(w, http.StatusOK, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{key.Public()}})
}

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
	p.store.put(uri, form, pushLifetime)
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
	if p.GitHub {
		p.gitHubUser(w, r)
		return
	}
	scheme, accessToken, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || accessToken == "" {
		w.Header().Set("WWW-Authenticate", "Bearer")
		writeJSON(w, http.StatusUnauthorized, invalidRequest("send the access token as Authorization: Bearer"))
		return
	}
	token, ok := p.store.active(accessToken)
	if !ok {
		const problem = "the access token is invalid, expired or revoked"
		w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token", error_description="`+problem+`"`)
		writeJSON(w, http.StatusUnauthorized, &oauthError{"invalid_token", problem})
		return
	}
	info := p.claimsOf(token.login.user, strings.Fields(token.Scope))
	info["sub"] = token.User
	writeJSON(w, http.StatusOK, info)
}

// oauthProblem responds as RFC 6749 section 5.2 says.
func (p *Provider) oauthProblem(w http.ResponseWriter, problem *oauthError) {
	p.logger.Warn("token request rejected", "error", problem.Code, "description", problem.Description)
	status := http.StatusBadRequest
	if problem.Code == "invalid_client" {
		status = http.StatusUnauthorized
	}
	writeJSON(w, status, problem)
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // fails only if the client went away
}
