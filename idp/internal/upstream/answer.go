package upstream

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// Response is the IdP's response on the back channel, or one of the gateway's own.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Outcome is what a response of the token endpoint says of the code.
type Outcome uint8

const (
	// Unclear: the code may have been redeemed, but the client gets no token. It stays
	// claimed, its login does not.
	Unclear Outcome = iota
	// Granted: the response has a token for the client.
	Granted
	// Rejected: a client error (4xx) and no token. The code was not redeemed.
	Rejected
	// NotSent: the IdP has not received the request.
	NotSent
)

// TokenAnswer is a response of the token endpoint, read once.
type TokenAnswer struct {
	Response
	Outcome Outcome
	// Token and IDToken are what it says, with [Granted]. Invalid is why the ID token
	// can't be read.
	Token   TokenResponse
	IDToken IDToken
	Invalid error
}

// CheckToken checks a response of the token endpoint, as [StandardizeToken] makes it, for a sealed code
// against its login. A response that RFC 6749 sections 5.1 and 5.2 do not
// describe, that asks to come back later, or whose ID token belongs to another
// login is an error, which replaces it. l is nil if the code was not
// sealed; client is its client's id at the IdP.
func (u *Upstream) CheckToken(r Response, l *login.Login, client string) (TokenAnswer, error) {
	a := TokenAnswer{Outcome: Unclear}
	var ok bool
	a.Token, ok = StandardizeToken(&r)
	a.Response = r
	if r.Status >= 400 && r.Status < 500 && !isCompressed(r) && a.Token.AccessToken == "" {
		// Not only OAuth's 400 and 401: what IdPs answer to a flood of junk (429,
		// 403 of a firewall) must not leave claims behind.
		a.Outcome = Rejected
	}
	if err := Check(r); err != nil {
		return a, err
	}
	switch {
	case r.Status == http.StatusOK && !ok:
		return a, oauth.BadGateway("the identity provider's response is not the JSON of a token (RFC 6749 section 5.1)")
	case r.Status != http.StatusOK && a.Token.AccessToken != "":
		return a, oauth.BadGateway("the identity provider sent an error with a token in it (RFC 6749 section 5.2), status " + strconv.Itoa(r.Status))
	case r.Status != http.StatusOK:
		return a, checkErrorBody(r)
	}
	a.IDToken, a.Invalid = ReadIDToken(&a.Token)
	if l != nil {
		if err := u.CheckIDToken(&a, l, client); err != nil {
			return a, err
		}
	}
	a.Outcome = Granted
	return a, nil
}

func checkErrorBody(r Response) error {
	if !isOAuthError(r.Body) {
		return oauth.BadGateway("the identity provider sent an error without a JSON error code (RFC 6749 section 5.2), status " + strconv.Itoa(r.Status))
	}
	return nil
}

// isOAuthError reports whether a body is a JSON object with an error code (RFC 6749 section 5.2).
// Any other may be a page of a debugger, or of something between the gateway and
// the IdP, and says what clients have no business to know.
func isOAuthError(body []byte) bool { return IsErrorCode(string(errorCode(body))) }

// errorCode is the member error of a JSON object, "" if there is none that is a string.
func errorCode(body []byte) oauth.Code {
	var object struct {
		Error oauth.Code `json:"error"`
	}
	if json.Unmarshal(body, &object) != nil {
		return ""
	}
	return object.Error
}

// IsErrorCode reports the syntax of an error code (RFC 6749 sections 4.1.2.1 and 5.2).
func IsErrorCode(s string) bool { return s != "" && syntax.ErrorChar.Holds(s) }

// TokenResponse is what the gateway reads of a token response.
type TokenResponse struct {
	AccessToken string         `json:"access_token"`
	TokenType   string         `json:"token_type"`
	IDToken     jsontext.Value `json:"id_token"`
	RawScope    jsontext.Value `json:"scope"`
	Scope       Names          `json:"-"` // that of RawScope
	// ExpiresIn is a number, or text: see [TokenResponse.Lifetime].
	ExpiresIn jsontext.Value `json:"expires_in"`
	// Details is what was granted by authorization_details (RFC 9396 section 7).
	Details jsontext.Value `json:"authorization_details"`
	// RefreshToken is any value: see [TokenResponse.RefreshTokenText].
	RefreshToken jsontext.Value `json:"refresh_token"`
}

// RefreshTokenText is the refresh token, "" if there is none.
func (t *TokenResponse) RefreshTokenText() (string, error) {
	if len(t.RefreshToken) == 0 || t.RefreshToken.Kind() == 'n' {
		return "", nil
	}
	token, err := jsonobject.Unquoted(t.RefreshToken)
	if err != nil {
		return "", oauth.BadGateway("the identity provider's refresh_token is not a string (RFC 6749 section 5.1)")
	}
	return string(token), nil
}

// ReadToken reads a JSON object with an access_token and a token_type (RFC 6749
// section 5.1 and appendix A.12). Unmarshal rejects invalid UTF-8 and duplicate
// names.
func ReadToken(body []byte) (TokenResponse, bool) {
	var token TokenResponse
	err := json.Unmarshal(body, &token)
	if len(token.RawScope) > 0 {
		_ = token.Scope.UnmarshalJSON(token.RawScope) // what is no list of names is none
	}
	return token, err == nil && token.AccessToken != "" && syntax.VSChar.Holds(token.AccessToken) && token.TokenType != ""
}

// CheckUserInfo checks a response of the userinfo endpoint (OpenID Connect
// Core 1.0 section 5.3, RFC 6750 section 3). An error replaces the response.
func CheckUserInfo(r Response) error {
	if err := Check(r); err != nil {
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
			return UserInfoChallenge(rejection)
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

// Check applies the rules that the endpoints share.
func Check(r Response) error {
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

// isCompressed reports a response that the gateway can't read: it has asked for none such.
func isCompressed(r Response) bool {
	encoding := r.Header.Get("Content-Encoding")
	return encoding != "" && encoding != "identity"
}

func isBusy(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// isObject reports whether a body is a valid JSON object (RFC 8259, unique names, valid UTF-8).
func isObject(body []byte) bool {
	value := jsontext.Value(body)
	return value.Kind() == '{' && value.IsValid()
}

// UserInfoChallenge is e with the challenge of the userinfo endpoint.
func UserInfoChallenge(e *oauth.Error) *oauth.Error {
	return bearer.Challenge{Realm: "userinfo"}.With(e)
}

// CheckRevocation checks a response of the IdP's revocation endpoint (RFC 7009
// section 2.2): an empty success, or an OAuth error. Any other is an error, after
// which the token must be taken to be good still. revoked reports that the IdP has
// decided, which it has not of a client that it does not believe to be a (section 2.1).
func CheckRevocation(a *clients.Auth, r *Response) (revoked bool, err error) {
	if r.Status >= 200 && r.Status < 300 {
		r.Status, r.Body = http.StatusOK, nil
		return true, nil
	}
	if err := Check(*r); err != nil {
		return false, err
	}
	if isBusy(r.Status) {
		return false, nil
	}
	stranger := a.AuthenticatesAtIdP() && (r.Status == http.StatusUnauthorized || errorCode(r.Body) == oauth.InvalidClient)
	return !stranger, checkErrorBody(*r)
}

// GivesLastingTokens reports an IdP whose access tokens may not expire, and say of themselves when
// the user has revoked them: GitHub. One that says in ID tokens who the user is has refresh tokens.
func (u *Upstream) GivesLastingTokens() bool { return u.IsGitHub() && !u.IsOpenIDProvider() }

// IsLasting reports that the access token of an answer does not expire, and that no refresh token
// came with it: of an OAuth app
// (https://docs.github.com/en/apps/creating-github-apps/about-creating-github-apps/differences-between-github-apps-and-oauth-apps).
func (u *Upstream) IsLasting(t *TokenResponse) bool {
	refresh, err := t.RefreshTokenText()
	expires := strings.Trim(string(t.ExpiresIn), `"`)
	return u.GivesLastingTokens() && err == nil && refresh == "" && (expires == "" || expires == "null")
}

// Lifetime is that of the gateway's access token: the IdP's, if that says so, and
// most at most. Entra ID's version 1 writes the number as text.
func (t *TokenResponse) Lifetime(most time.Duration) (time.Duration, error) {
	var seconds float64
	switch text := strings.Trim(string(t.ExpiresIn), `"`); {
	case text == "" || text == "null":
		return most, nil
	case json.Unmarshal([]byte(text), &seconds) != nil || seconds < 1:
		return 0, oauth.BadGateway("the identity provider's expires_in is not a positive number (RFC 6749 section 5.1)")
	}
	return time.Duration(min(seconds, most.Seconds())) * time.Second, nil
}

// CheckCredentials tells a rejection of the gateway's own credentials from one of
// the client's. The client can do nothing about it, and what the IdP says of the
// gateway's registration is the operator's business.
func CheckCredentials(r *clients.Auth, response Response) error {
	if r.Credentials == nil || response.Status < 400 || response.Status >= 500 {
		return nil
	}
	if errorCode(response.Body) != oauth.InvalidClient {
		return nil
	}
	return oauth.BadGateway(notAccepted)
}

// notAccepted is said of the gateway's own credentials.
const notAccepted = "the identity provider does not accept the gateway's own credentials (invalid_client): " +
	"check the secret or key of idp_client, whether it has expired, and how it is sent"

// badGateway is the error of what the IdP sends against a specification.
func badGateway(source, description string) *oauth.Error {
	e := oauth.BadGateway(description)
	e.Source = source
	return e
}

// FilterHeader reduces the header of a response on the back channel to what
// the client may see, and marks it as JSON that must not be stored (RFC 6749
// section 5.1).
func FilterHeader(h http.Header) {
	for name := range h {
		switch name {
		case "Date", "Content-Length", "Content-Language", "Retry-After", "Www-Authenticate",
			"X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset",
			"X-Request-Id", "X-Correlation-Id", "X-Auth0-Requestid":
		default:
			delete(h, name)
		}
	}
	if retryAfter(h) == "" {
		delete(h, "Retry-After")
	}
	h.Set("Content-Type", "application/json")
	header.SetNoStore(h)
}

// retryAfter is the value of Retry-After if it is a number of seconds or a time
// (RFC 9110 section 10.2.3), else "".
func retryAfter(header http.Header) string {
	value := header.Get("Retry-After")
	if syntax.Digit.Holds(value) {
		return value
	}
	if _, err := http.ParseTime(value); err == nil {
		return value
	}
	return ""
}
