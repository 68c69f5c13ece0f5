package testidp

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

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
func (x *exchange) token() {
	time.Sleep(x.TokenOutage.Delay)
	x.hold()
	if x.TokenOutage.fails() && !x.TokenOutage.AfterIssuing {
		x.applyOutage()
		return
	}
	response, e := x.redeem()
	if e != nil {
		x.failExchange(e)
		return
	}
	if x.TokenOutage.fails() {
		x.applyOutage()
		return
	}
	x.answer(http.StatusOK, response)
}

// hold waits until the outage lets go.
func (x *exchange) hold() {
	if x.TokenOutage.Hold == nil {
		return
	}
	defer x.wait()()
	<-x.TokenOutage.Hold
}

// wait counts a request among those that wait, until the function that it returns is called.
func (x *exchange) wait() (done func()) {
	count := func(n int) {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.held += n
	}
	count(1)
	return func() { count(-1) }
}

// applyOutage fails in the way that the outage says.
func (x *exchange) applyOutage() {
	switch {
	case x.TokenOutage.Hang:
		x.hang()
	case x.TokenOutage.Close:
		panic(http.ErrAbortHandler)
	default:
		x.json(x.TokenOutage.Status, oauthError{Code: "temporarily_unavailable"})
	}
}

func (x *exchange) redeem() (*tokenResponse, *oauthError) {
	client, e := x.authenticate()
	if e != nil {
		return nil, e
	}
	if hasOrigin := x.r.Header.Get("Origin") != ""; x.OriginRule && hasOrigin != client.SPA {
		code := "AADSTS9002327: Tokens issued for the 'Single-Page Application' client-type may only be redeemed via cross-origin requests."
		if hasOrigin {
			code = "AADSTS9002326: Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type."
		}
		return nil, &oauthError{Code: "invalid_request", Description: code, status: http.StatusBadRequest}
	}
	if code := x.refuses(x.form); code != "" {
		return nil, &oauthError{Code: code, Description: "a parameter is not allowed", status: http.StatusBadRequest}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	switch x.form.Get("grant_type") {
	case "authorization_code":
		return x.redeemCode(client)
	case "refresh_token":
		return x.redeemRefreshToken(client)
	}
	return nil, &oauthError{Code: "unsupported_grant_type", status: http.StatusBadRequest}
}

func invalidGrant(description string) *oauthError {
	return &oauthError{Code: "invalid_grant", Description: description, status: http.StatusBadRequest}
}

func (x *exchange) redeemCode(client *Client) (*tokenResponse, *oauthError) {
	code := x.form.Get("code")
	if x.TrimsCodes {
		code = strings.Trim(code, " .=")
	}
	g := x.codes[code]
	switch {
	case g == nil:
		return nil, invalidGrant("unknown code")
	case g.exchanged && x.SingleUse:
		return nil, invalidGrant("the code was used")
	case x.CodeLifetime > 0 && time.Since(g.issued) > x.CodeLifetime:
		return nil, invalidGrant("the code is expired")
	case x.ChecksClient && g.clientID != client.ID:
		return nil, invalidGrant("the code belongs to another client")
	case x.ChecksRedirectURI && g.redirectURI != x.form.Get("redirect_uri"):
		return nil, invalidGrant("redirect_uri differs")
	case x.PKCE != IgnoresPKCE && g.challenge != "" && g.challenge != challengeOf(g.method, x.form.Get("code_verifier")):
		return nil, invalidGrant("code_verifier does not match")
	}
	g.exchanged = true
	response, e := x.issue(g, code)
	if e == nil && x.RefreshTokens && g.offline {
		response.RefreshToken = "refresh-" + rand.Text()
		x.refresh[response.RefreshToken] = g
	}
	return response, e
}

func challengeOf(method, verifier string) string {
	if method != "S256" {
		return verifier
	}
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func (x *exchange) redeemRefreshToken(client *Client) (*tokenResponse, *oauthError) {
	token := x.form.Get("refresh_token")
	g := x.refresh[token]
	switch {
	case g == nil:
		return nil, invalidGrant("unknown refresh token")
	case x.ChecksClient && g.clientID != client.ID:
		return nil, invalidGrant("the refresh token belongs to another client")
	}
	if scope := x.form.Get("scope"); scope != "" {
		narrowed := *g
		narrowed.scope = scope
		g = &narrowed
	}
	response, e := x.issue(g, "")
	if e == nil && x.RotatesRefreshTokens {
		delete(x.refresh, token)
		response.RefreshToken = "refresh-" + rand.Text()
		x.refresh[response.RefreshToken] = g
	}
	return response, e
}

// issue makes and records a token. The caller holds mu.
func (x *exchange) issue(g *grant, code string) (*tokenResponse, *oauthError) {
	resource := x.resource(x.form)
	if x.Behavior.Resources == BindsResource && resource != "" && resource != g.audience {
		return nil, &oauthError{Code: "invalid_target", Description: "resource is not the one of the login", status: http.StatusBadRequest}
	}
	audience := x.form.Get("audience")
	if audience == "" {
		audience = g.audience
	}
	issued := Token{
		AccessToken: "access-" + rand.Text(), User: g.user, ClientID: g.clientID, Code: code,
		Scope: g.scope, Audience: audience, Resource: resource, ACR: g.acr,
	}
	if x.JWTs {
		var err error
		if issued.AccessToken, err = x.signedAccessToken(&issued); err != nil {
			return nil, &oauthError{Code: "server_error", Description: err.Error(), status: http.StatusInternalServerError}
		}
	}
	response := &tokenResponse{AccessToken: issued.AccessToken, TokenType: "Bearer", ExpiresIn: 3600, Scope: g.scope}
	switch {
	case x.HidesScope:
		response.Scope = ""
	case x.Grants != nil:
		response.Scope = x.Grants(g.scope)
	}
	if hasScope(g.scope, "openid") && x.IDTokens != NoIDTokens {
		nonce := x.nonce(g)
		if code == "" {
			nonce = "" // OpenID Connect Core 1.0 section 12.2: not after a refresh
		}
		token, err := x.idToken(g, nonce)
		if err != nil {
			return nil, &oauthError{Code: "server_error", Description: err.Error(), status: http.StatusInternalServerError}
		}
		response.IDToken = token
	}
	x.tokens[issued.AccessToken] = issuedToken{issued, time.Now()}
	x.Server.issued = append(x.Server.issued, issued)
	return response, nil
}

func hasScope(scope, name string) bool { return slices.Contains(strings.Fields(scope), name) }

func (x *exchange) nonce(g *grant) string {
	switch {
	case x.Nonce == DropsNonce:
		return ""
	case x.Nonce == ReplacesNonce, x.Nonce == InventsNonce && g.nonce == "":
		return rand.Text()
	}
	return g.nonce
}

// SignedAccessToken is an access token of a user that is a JWT (RFC 9068) for an
// audience. It stands for no login.
func (s *Server) SignedAccessToken(user, audience string) (string, error) {
	signer, err := s.signer("at+jwt")
	if err != nil {
		return "", err
	}
	now := time.Now()
	return jwt.Signed(signer).Claims(map[string]any{
		"iss": s.IssuerURL(), "sub": user, "aud": audience, "client_id": audience, "jti": rand.Text(),
		"iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	}).Serialize()
}

// signedAccessToken is an access token as a JWT, for what was asked for, or else for
// the user info alone.
func (x *exchange) signedAccessToken(t *Token) (string, error) {
	signer, err := x.signer("at+jwt")
	if err != nil {
		return "", err
	}
	now, unasked := time.Now(), x.issuer()+"/userinfo"
	if x.Behavior.Audience != nil {
		unasked = x.Behavior.Audience(t.ClientID)
	}
	return jwt.Signed(signer).Claims(map[string]any{
		"iss": x.issuer(), "sub": t.User, "client_id": t.ClientID, "jti": rand.Text(), "scope": t.Scope,
		"aud": cmp.Or(t.Resource, t.Audience, unasked),
		"iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	}).Serialize()
}

// idToken makes an ID token (OpenID Connect Core 1.0 section 2). Its audience
// is the client of the login, whoever redeems the code.
func (x *exchange) idToken(g *grant, nonce string) (string, error) {
	signer, err := x.signer("JWT")
	if err != nil {
		return "", err
	}
	now := time.Now()
	claims := map[string]any{
		"iss": x.issuer(), "sub": g.user, "aud": g.clientID,
		"iat": now.Unix(), "exp": now.Add(time.Hour).Unix(), "email": g.user + "@example.com",
	}
	if nonce != "" {
		claims["nonce"] = nonce
	}
	if x.IDTokens == SignedIDTokens {
		return jwt.Signed(signer).Claims(claims).Serialize()
	}
	encrypter, err := jose.NewEncrypter(jose.A128GCM, jose.Recipient{Algorithm: jose.ECDH_ES, Key: &x.key.PublicKey},
		(&jose.EncrypterOptions{}).WithType("JWT").WithContentType("JWT"))
	if err != nil {
		return "", err
	}
	return jwt.SignedAndEncrypted(signer, encrypter).Claims(claims).Serialize()
}

// revoke is the revocation endpoint (RFC 7009), for refresh tokens and access tokens.
func (x *exchange) revoke() {
	client, e := x.authenticate()
	if e != nil {
		x.fail(e)
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	token := x.form.Get("token")
	if g := x.refresh[token]; g != nil && x.ChecksClient && g.clientID != client.ID {
		x.fail(invalidGrant("the token belongs to another client"))
		return
	}
	delete(x.refresh, token)
	delete(x.tokens, token)
	x.w.WriteHeader(http.StatusOK)
}

// authenticate is the client authentication (RFC 6749 section 2.3, RFC 7523).
func (x *exchange) authenticate() (*Client, *oauthError) {
	id, secret, basic := x.r.BasicAuth()
	if basic {
		id, _ = url.QueryUnescape(id) // RFC 6749 section 2.3.1
		secret, _ = url.QueryUnescape(secret)
	} else {
		id = x.form.Get("client_id")
	}
	assertion := x.form.Get("client_assertion")
	if assertion != "" && id == "" {
		id = subjectOf(assertion)
	}
	client := x.client(id)
	authenticated := false
	if client != nil {
		byBasic, byPost := basic && secret == client.Secret, !basic && x.form.Get("client_secret") == client.Secret
		switch client.Auth {
		case Public:
			authenticated = true
		case ClientSecretBasic:
			authenticated = byBasic || x.AnySecretMethod && byPost
		case ClientSecretPost:
			authenticated = byPost || x.AnySecretMethod && byBasic
		case PrivateKeyJWT:
			authenticated = x.checkAssertion(client, assertion) == nil
		}
	}
	if !authenticated {
		return nil, &oauthError{Code: "invalid_client", status: http.StatusUnauthorized}
	}
	return client, nil
}

const assertionTypeJWT = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

var assertionAlgorithms = []jose.SignatureAlgorithm{jose.RS256, jose.PS256, jose.ES256, jose.ES384, jose.EdDSA}

// checkAssertion checks a client assertion (RFC 7523 section 3).
func (x *exchange) checkAssertion(client *Client, assertion string) error {
	if x.form.Get("client_assertion_type") != assertionTypeJWT {
		return errBadAssertion
	}
	token, err := jwt.ParseSigned(assertion, assertionAlgorithms)
	if err != nil {
		return err
	}
	var claims jwt.Claims
	if err := token.Claims(client.PublicKey, &claims); err != nil {
		return err
	}
	tokenURL := x.HostURL(TokenHost) + x.endpoints().Token
	if err := claims.Validate(jwt.Expected{Issuer: client.ID, Subject: client.ID, AnyAudience: jwt.Audience{x.issuer(), tokenURL}, Time: time.Now()}); err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if claims.Expiry == nil || claims.ID == "" || x.jtis[claims.ID] {
		return errBadAssertion
	}
	x.jtis[claims.ID] = true
	return nil
}

func subjectOf(assertion string) string {
	token, err := jwt.ParseSigned(assertion, assertionAlgorithms)
	if err != nil {
		return ""
	}
	var claims jwt.Claims
	_ = token.UnsafeClaimsWithoutVerification(&claims) // only to find the key that verifies it
	return claims.Subject
}
