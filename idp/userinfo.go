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
// in exactly one Authorization header (RFC 6750 section 2.1). In the query or a
// body it would end up in logs and histories (RFC 9700 section 4.3.2). hasBody
// reports that the request has a body, which is not read.
func (p *Policy) ParseUserInfo(rawQuery string, header http.Header, hasBody bool) (UserInfoRequest, error) {
	var r UserInfoRequest
	q, err := parseParams(rawQuery, "query")
	switch {
	case err != nil:
		return r, challenge(AsError(err))
	case q.flag("access_token"):
		return r, challenge(reject(InvalidRequest, "RFC 9700 section 4.3.2",
			"access_token in the URL is not accepted; send it as Authorization: Bearer"))
	case hasBody:
		return r, challenge(reject(InvalidRequest, "RFC 6750 section 2.2",
			"a request body is not accepted; send the access token as Authorization: Bearer"))
	}

	if len(header["Dpop"]) > 0 {
		return r, challenge(noDPoP("leave out the proof"))
	}
	values := header["Authorization"]
	if len(values) == 0 {
		return r, challengeOnly("RFC 6750 section 3", "the access token is missing; send it as Authorization: Bearer")
	}
	if len(values) > 1 {
		return r, challenge(reject(InvalidRequest, "RFC 6750 section 3.1", "more than one Authorization header"))
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if strings.EqualFold(scheme, "DPoP") {
		return r, challengeOnly("RFC 9449 section 7.1", noDPoP("send Authorization: Bearer").Description)
	}
	if !strings.EqualFold(scheme, "Bearer") {
		return r, challengeOnly("RFC 6750 section 2.1", "Authorization must be the word Bearer, a space and the access token")
	}
	if !isToken68(token) {
		e := reject(InvalidToken, "RFC 6750 section 2.1",
			"the access token is malformed; send it as the identity provider gave it")
		e.Status = http.StatusUnauthorized
		return r, challenge(e)
	}
	r.Token, r.authorization = token, values[0]
	if scheme != "Bearer" {
		r.authorization = "Bearer " + token
	}
	return r, nil
}

// challengeOnly rejects a request without a bearer token: its challenge has no
// error code (RFC 6750 section 3.1).
func challengeOnly(source, description string) *Error {
	e := reject(InvalidToken, source, description)
	e.Status, e.Challenge = http.StatusUnauthorized, bearerRealm
	return e
}

// challenge adds the challenge that belongs to e.
func challenge(e *Error) *Error {
	e.Challenge = bearerChallenge(e)
	return e
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
