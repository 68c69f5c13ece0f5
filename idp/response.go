package idp

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// Response is the IdP's response on the back channel.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// tokenOutcome is what a response of the token endpoint says of the code.
type tokenOutcome uint8

const (
	// tokenUnclear: the code may have been redeemed, but the client gets no token. It stays
	// claimed, its login does not.
	tokenUnclear tokenOutcome = iota
	// tokenGranted: the response has a token for the client.
	tokenGranted
	// tokenRejected: a client error (4xx) and no token. The code was not redeemed.
	tokenRejected
	// tokenNotSent: the IdP has not received the request.
	tokenNotSent
)

// tokenAnswer is a response of the token endpoint, read once.
type tokenAnswer struct {
	Response
	outcome tokenOutcome
	// token and idToken are what it says, with tokenGranted. invalid is why the ID token
	// can't be read.
	token   tokenResponse
	idToken idToken
	invalid error
}

// checkTokenResponse checks a response of the token endpoint, for a sealed code
// against its login. A response that RFC 6749 sections 5.1 and 5.2 do not
// describe, that asks to come back later, or whose ID token belongs to another
// login is an error, which replaces it. redemption is nil if the code was not
// sealed.
func (p *Policy) checkTokenResponse(r Response, redemption *codeGrant) (tokenAnswer, error) {
	a := tokenAnswer{Response: r, outcome: tokenUnclear}
	var ok bool
	a.token, ok = readToken(r.Body)
	if r.Status >= 400 && r.Status < 500 && !isCompressed(r) && a.token.AccessToken == "" {
		// Not only OAuth's 400 and 401: what IdPs answer to a flood of junk (429,
		// 403 of a firewall) must not leave claims behind.
		a.outcome = tokenRejected
	}
	if err := checkResponse(r); err != nil {
		return a, err
	}
	switch {
	case r.Status == http.StatusOK && !ok:
		return a, oauth.BadGateway("the identity provider's response is not the JSON of a token (RFC 6749 section 5.1)")
	case r.Status != http.StatusOK && a.token.AccessToken != "":
		return a, oauth.BadGateway("the identity provider sent an error with a token in it (RFC 6749 section 5.2), status " + strconv.Itoa(r.Status))
	case r.Status != http.StatusOK:
		return a, checkErrorBody(r)
	}
	a.idToken, a.invalid = readIDToken(&a.token)
	if redemption != nil {
		if err := p.checkIDToken(&a, &redemption.login.Login, redemption.idpClient); err != nil {
			return a, err
		}
	}
	a.outcome = tokenGranted
	return a, nil
}

// checkErrorBody requires the JSON of an OAuth error.
func checkErrorBody(r Response) error {
	if !isOAuthError(r.Body) {
		return oauth.BadGateway("the identity provider sent an error without a JSON error code (RFC 6749 section 5.2), status " + strconv.Itoa(r.Status))
	}
	return nil
}

// isOAuthError reports whether a body is a JSON object with an error code (RFC 6749 section 5.2).
// Any other may be a page of a debugger, or of something between the gateway and
// the IdP, and says what clients have no business to know.
func isOAuthError(body []byte) bool {
	var object struct {
		Error string `json:"error"`
	}
	return json.Unmarshal(body, &object) == nil && isErrorCode(object.Error)
}

// isErrorCode reports the syntax of an error code (RFC 6749 sections 4.1.2.1 and 5.2).
func isErrorCode(s string) bool { return s != "" && syntax.ErrorChar.Holds(s) }

// tokenResponse is what the gateway reads of a token response.
type tokenResponse struct {
	AccessToken string         `json:"access_token"`
	TokenType   string         `json:"token_type"`
	IDToken     jsontext.Value `json:"id_token"`
	Scope       names          `json:"scope"`
	// ExpiresIn is a number, or text: see [tokenResponse.lifetime].
	ExpiresIn jsontext.Value `json:"expires_in"`
	// Details is what was granted by authorization_details (RFC 9396 section 7).
	Details jsontext.Value `json:"authorization_details"`
	// RefreshToken is any value: see [tokenResponse.refreshToken].
	RefreshToken jsontext.Value `json:"refresh_token"`
}

// refreshToken is the refresh token, "" if there is none.
func (t *tokenResponse) refreshToken() (string, error) {
	if len(t.RefreshToken) == 0 || t.RefreshToken.Kind() == 'n' {
		return "", nil
	}
	token, err := jsontext.AppendUnquote(nil, t.RefreshToken)
	if err != nil {
		return "", oauth.BadGateway("the identity provider's refresh_token is not a string (RFC 6749 section 5.1)")
	}
	return string(token), nil
}

// readToken reads a JSON object with an access_token and a token_type (RFC 6749
// section 5.1 and appendix A.12). Unmarshal rejects invalid UTF-8 and duplicate
// names.
func readToken(body []byte) (tokenResponse, bool) {
	var token tokenResponse
	err := json.Unmarshal(body, &token)
	return token, err == nil && token.AccessToken != "" && syntax.VSChar.Holds(token.AccessToken) && token.TokenType != ""
}

// checkUserInfoResponse checks a response of the userinfo endpoint (OpenID Connect
// Core 1.0 section 5.3, RFC 6750 section 3). An error replaces the response.
func checkUserInfoResponse(r Response) error {
	if err := checkResponse(r); err != nil {
		return err
	}
	switch r.Status {
	case http.StatusOK:
		if !isObject(r.Body) {
			return oauth.BadGateway("the identity provider's response is not the JSON object of a user (OpenID Connect Core 1.0 section 5.3.2)")
		}
		return nil
	case http.StatusUnauthorized, http.StatusForbidden:
		// Providers send any body or none with these; what counts is the challenge.
		rejection := &oauth.Error{
			Code: oauth.InvalidToken, Status: r.Status, Source: "RFC 6750 section 3.1",
			Description: "the identity provider did not accept the access token; it may be expired, revoked or for another audience",
		}
		given := r.Header.Get("Www-Authenticate")
		if !isTokenChallenge(given) {
			return challenge(rejection)
		}
		if isOAuthError(r.Body) {
			return nil
		}
		rejection.Challenge = given
		return rejection
	}
	return checkErrorBody(r)
}

// isTokenChallenge reports whether a challenge asks for a token. Any other, such as
// Basic, would have a browser ask its user for a password of the IdP's.
func isTokenChallenge(value string) bool {
	scheme, _, _ := strings.Cut(value, " ")
	return strings.EqualFold(scheme, "Bearer") || strings.EqualFold(scheme, "DPoP")
}

// checkResponse applies the rules that both endpoints share.
func checkResponse(r Response) error {
	if isCompressed(r) {
		return oauth.BadGateway("the identity provider's response is compressed although the request did not accept that")
	}
	switch {
	case isBusy(r.Status):
		if isOAuthError(r.Body) {
			return nil
		}
		busy := oauth.Unavailable("the identity provider is busy; try again later", retryAfter(r.Header))
		busy.Status = r.Status
		return busy
	case r.Status == http.StatusOK, r.Status >= 400 && r.Status < 500:
		return nil
	}
	return oauth.BadGateway("the identity provider responded with the unexpected status " + strconv.Itoa(r.Status))
}

func isCompressed(r Response) bool {
	encoding := r.Header.Get("Content-Encoding")
	return encoding != "" && encoding != "identity"
}

// isBusy reports whether a status asks to come back later.
func isBusy(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// isObject reports whether a body is a valid JSON object (RFC 8259, unique names, valid UTF-8).
func isObject(body []byte) bool {
	value := jsontext.Value(body)
	return value.Kind() == '{' && value.IsValid()
}
