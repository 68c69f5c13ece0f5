// Package oauth has the errors of OAuth 2.0 (RFC 6749 section 5.2) and of the specifications that
// extend it, as responses: their codes, HTTP status, challenges, and what to do about them.
package oauth

import (
	"cmp"
	"errors"
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
)

// Code is an OAuth error code.
type Code string

// The error codes of RFC 6749 sections 4.1.2.1 and 5.2, RFC 6750 section 3.1,
// OpenID Connect Core 1.0 section 3.1.2.6 and its error code
// unmet_authentication_requirements, RFC 7009 section 2.2.1, RFC 7591 section 3.2.2, RFC
// 8707 section 2, RFC 9101 section 7, RFC 9396 section 5, RFC 9449 sections 5 and 8 and RFC
// 9470 section 3 that the gateway uses.
const (
	InvalidRequest              Code = "invalid_request"
	InvalidClient               Code = "invalid_client"
	InvalidGrant                Code = "invalid_grant"
	InvalidScope                Code = "invalid_scope"
	InvalidToken                Code = "invalid_token"
	InsufficientScope           Code = "insufficient_scope"
	InsufficientAuth            Code = "insufficient_user_authentication"
	UnauthorizedClient          Code = "unauthorized_client"
	UnsupportedGrantType        Code = "unsupported_grant_type"
	UnsupportedResponseType     Code = "unsupported_response_type"
	RequestNotSupported         Code = "request_not_supported"
	RequestURINotSupported      Code = "request_uri_not_supported"
	InvalidRequestURI           Code = "invalid_request_uri"
	InteractionRequired         Code = "interaction_required"
	LoginRequired               Code = "login_required"
	ConsentRequired             Code = "consent_required"
	AccountSelectionRequired    Code = "account_selection_required"
	UnmetAuthentication         Code = "unmet_authentication_requirements"
	UnsupportedTokenType        Code = "unsupported_token_type"
	InvalidTarget               Code = "invalid_target"
	InvalidAuthorizationDetails Code = "invalid_authorization_details"
	InvalidRedirectURI          Code = "invalid_redirect_uri"
	InvalidClientMetadata       Code = "invalid_client_metadata"
	InvalidDPoPProof            Code = "invalid_dpop_proof"
	UseDPoPNonce                Code = "use_dpop_nonce"
	AccessDenied                Code = "access_denied"
	ServerError                 Code = "server_error"
	TemporarilyUnavailable      Code = "temporarily_unavailable"
)

// IsStandard reports whether the code is one that the gateway knows. An IdP may
// make up others.
func (c Code) IsStandard() bool {
	switch c {
	case InvalidRequest, InvalidClient, InvalidGrant, InvalidScope, InvalidToken, InsufficientScope, InsufficientAuth, UnauthorizedClient,
		UnsupportedGrantType, UnsupportedResponseType, RequestNotSupported, RequestURINotSupported, InvalidRequestURI,
		InteractionRequired, LoginRequired, ConsentRequired, AccountSelectionRequired, UnmetAuthentication,
		UnsupportedTokenType, InvalidTarget, InvalidAuthorizationDetails, InvalidRedirectURI, InvalidClientMetadata,
		InvalidDPoPProof, UseDPoPNonce, AccessDenied, ServerError, TemporarilyUnavailable:
		return true
	}
	return false
}

// Error is a response of the gateway itself: it is sent instead of asking the
// IdP, or instead of what the IdP sent.
type Error struct {
	// Code is the protocol's error code.
	Code Code
	// Description says what was wrong and what to do. It holds only the
	// characters RFC 6749 allows in error_description (printable ASCII without
	// quotation mark and backslash) and no value sent by the client.
	Description string
	// Source is the section of the specification that was violated,
	// for example "RFC 7636 section 4.2".
	Source string
	// Status is the HTTP status of a direct response.
	Status int
	// Challenge is the value of WWW-Authenticate, empty for none.
	Challenge string
	// AlsoChallenge is that of another scheme, which is as good.
	AlsoChallenge string
	// Allow is the value of Allow, set with status 405 only.
	Allow string
	// Detail is the IdP's own error_description, if the error is the IdP's. It
	// goes to the client instead of Description, and never into a log.
	Detail string
	// RetryAfter is the value of Retry-After, empty for none.
	RetryAfter string
	// URI is a page that the user can open to continue, empty for none.
	URI string
	// WayBack is the app that the user came from, nil if nothing is to be shown.
	WayBack *pages.Link

	// Cause is what led to the error, nil if that is not worth telling apart. It is for logs only.
	Cause error
}

// Error implements the error interface.
func (e *Error) Error() string {
	if e.Source == "" {
		return string(e.Code) + ": " + e.Description
	}
	return string(e.Code) + ": " + e.Description + " (" + e.Source + ")"
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Cause }

// AsError is the [*Error] in err's chain. Any other error becomes a server_error
// with status 500 that says nothing of its cause.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{
		Code: ServerError, Status: http.StatusInternalServerError,
		Description: "the gateway failed; its log says why", Source: "RFC 9110 section 15.6.1",
	}
}

// Reject makes an [*Error] with status 400.
func Reject(code Code, source, description string) *Error {
	return &Error{Code: code, Description: description, Source: source, Status: http.StatusBadRequest}
}

// Unavailable is the error while something that the gateway depends on is down;
// description says what. The client may try again after retryAfter, a number of
// seconds or "".
func Unavailable(description, retryAfter string) *Error {
	return &Error{
		Code: TemporarilyUnavailable, Status: http.StatusServiceUnavailable,
		Description: description, RetryAfter: retryAfter, Source: "RFC 9110 section 15.6.4",
	}
}

// NoKeys is the error while there are no keys to seal and open with.
func NoKeys() *Error {
	return Unavailable("the gateway has no sealing keys at the moment; try again later", "5")
}

// BadGateway is the error when the IdP sent no response, or none that may be
// passed on; description says why.
func BadGateway(description string) *Error {
	return &Error{
		Code: ServerError, Status: http.StatusBadGateway,
		Description: description, Source: "RFC 9110 section 15.6.3",
	}
}

// SetHeader sets the header of the error's direct response as JSON.
func (e *Error) SetHeader(h http.Header) {
	header.SetOwn(h, "application/json")
	if e.Challenge != "" {
		h.Set("WWW-Authenticate", e.Challenge)
	}
	if e.AlsoChallenge != "" {
		h.Add("WWW-Authenticate", e.AlsoChallenge)
	}
	if e.Allow != "" {
		h.Set("Allow", e.Allow)
	}
	if e.RetryAfter != "" {
		h.Set("Retry-After", e.RetryAfter)
	}
}

// AppendJSON appends the error as the JSON object of RFC 6749 section 5.2.
func (e *Error) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"error":"`...)
	dst = append(dst, e.Code...)
	dst = append(dst, `","error_description":"`...)
	dst = AppendDescription(dst, e.ClientDescription())
	if e.URI != "" {
		dst = append(dst, `","error_uri":"`...)
		dst = AppendDescription(dst, e.URI)
	}
	return append(dst, "\"}\n"...)
}

// ClientDescription is the error_description that the client gets: the IdP's own
// words where there are some.
func (e *Error) ClientDescription() string {
	return cmp.Or(e.Detail, e.Description)
}

// AppendDescription appends s, replacing what error_description may not hold
// (RFC 6749 section 5.2), so that the result needs no further escaping in JSON
// or in a quoted header parameter.
func AppendDescription(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; syntax.ErrorChar.Has(c) {
			dst = append(dst, c)
		} else {
			dst = append(dst, '?')
		}
	}
	return dst
}
