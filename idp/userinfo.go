package idp

import (
	"net/http"
	"strings"
)

// UserInfoRequest is a checked request to the userinfo endpoint.
type UserInfoRequest struct {
	// Token is the access token, a secret.
	Token string

	authorization string
}

// Authorization is the value of the Authorization header for the IdP: the
// client's, with the scheme written as in RFC 6750 section 2.1.
func (r *UserInfoRequest) Authorization() string { return r.authorization }

// bearerRealm opens every challenge of the userinfo endpoint (RFC 6750 section 3).
const bearerRealm = `Bearer realm="userinfo"`

// ParseUserInfo checks a request to the userinfo endpoint. The token must come
// in exactly one Authorization header (RFC 6750 section 2.1); in the query or a
// body it would end up in logs and histories (RFC 9700 section 4.3.2). hasBody
// tells that the request has a body, which is not read.
func (p *Policy) ParseUserInfo(rawQuery string, header http.Header, hasBody bool) (UserInfoRequest, *Error) {
	var r UserInfoRequest
	q, fault := parseParams(rawQuery, "query")
	switch {
	case fault != nil:
	case q.flag("access_token"):
		fault = refuse(InvalidRequest, "RFC 9700 section 4.3.2",
			"access_token in the URL is not accepted; send it as Authorization: Bearer")
	case hasBody:
		fault = refuse(InvalidRequest, "RFC 6750 section 2.2",
			"a request body is not accepted; send the access token as Authorization: Bearer")
	}
	if fault != nil {
		fault.Challenge = bearerChallenge(fault)
		return r, fault
	}

	values := header["Authorization"]
	if len(values) == 0 {
		// RFC 6750 section 3.1: no error code for a request without any credentials.
		return r, refuseBearer(InvalidToken, "RFC 6750 section 3",
			"the access token is missing; send it as Authorization: Bearer", bearerRealm)
	}
	if len(values) > 1 {
		fault := refuse(InvalidRequest, "RFC 6750 section 3.1", "more than one Authorization header")
		fault.Challenge = bearerChallenge(fault)
		return r, fault
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return r, refuseBearer(InvalidToken, "RFC 6750 section 2.1",
			"Authorization must be the word Bearer, a space and the access token", bearerRealm)
	}
	if !isToken68(token) {
		fault := refuseBearer(InvalidToken, "RFC 6750 section 2.1",
			"the access token is malformed; send it as the identity provider gave it", "")
		fault.Challenge = bearerChallenge(fault)
		return r, fault
	}
	r.Token, r.authorization = token, values[0]
	if scheme != "Bearer" {
		r.authorization = "Bearer " + token
	}
	return r, nil
}

func refuseBearer(code Code, source, description, challenge string) *Error {
	return &Error{
		Code: code, Description: description, Source: source,
		Status: http.StatusUnauthorized, Challenge: challenge,
	}
}

// bearerChallenge is the WWW-Authenticate value of RFC 6750 section 3.
func bearerChallenge(e *Error) string {
	challenge := make([]byte, 0, 160)
	challenge = append(challenge, bearerRealm...)
	challenge = append(challenge, `, error="`...)
	challenge = append(challenge, e.Code...)
	challenge = append(challenge, `", error_description="`...)
	challenge = appendDescription(challenge, e.Description)
	return string(append(challenge, '"'))
}
