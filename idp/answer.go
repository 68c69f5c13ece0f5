package idp

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// DefaultMaxAnswer bounds an answer of the IdP, in bytes.
const DefaultMaxAnswer = 1 << 20

// Answer is what the IdP answered on the back channel.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// CheckTokenAnswer judges an answer of the token endpoint. granted reports that
// it hands out a token. An error replaces the answer: it was not one that
// RFC 6749 sections 5.1 and 5.2 describe, or it asks to come back later.
func CheckTokenAnswer(a Answer) (granted bool, fault *Error) {
	if fault := checkAnswer(a); fault != nil {
		return false, fault
	}
	if a.Status == http.StatusOK {
		if !isToken(a.Body) {
			return false, BadGateway("the identity provider's answer is not the JSON of a token (RFC 6749 section 5.1)")
		}
		return true, nil
	}
	if isBusy(a.Status) {
		return false, nil
	}
	var refusal struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(a.Body, &refusal) != nil || refusal.Error == "" {
		return false, BadGateway("the identity provider refused without a JSON error (RFC 6749 section 5.2), status " + strconv.Itoa(a.Status))
	}
	return false, nil
}

// decoders are JSON decoders for the bodies of answers.
var decoders = sync.Pool{New: func() any { return new(bodyDecoder) }}

// bodyDecoder reads a body where it is: of a bytes.Buffer the decoder makes no copy.
type bodyDecoder struct {
	jsontext.Decoder
	body bytes.Buffer
}

func newBodyDecoder(body []byte) *bodyDecoder {
	d := decoders.Get().(*bodyDecoder)
	d.body = *bytes.NewBuffer(body)
	d.Reset(&d.body)
	return d
}

// release lets go of the body, which holds a token.
func (d *bodyDecoder) release() {
	d.body = bytes.Buffer{}
	d.Reset(&d.body)
	decoders.Put(d)
}

// isToken reports a JSON object with an access_token and a token_type (RFC 6749
// section 5.1). The decoder refuses what is not JSON, invalid UTF-8 and names
// that occur twice. A struct is not needed: the token itself is not looked at.
func isToken(body []byte) bool {
	d := newBodyDecoder(body)
	defer d.release()
	if d.PeekKind() != '{' {
		return false
	}
	if _, err := d.ReadToken(); err != nil {
		return false
	}
	found := 0
	for d.PeekKind() == '"' {
		name, err := d.ReadValue()
		if err != nil {
			return false
		}
		wanted := string(name) == `"access_token"` || string(name) == `"token_type"`
		value, err := d.ReadValue()
		if err != nil {
			return false
		}
		if wanted && value.Kind() == '"' && len(value) > len(`""`) {
			found++
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return false
	}
	_, err := d.ReadToken()
	return found == 2 && err == io.EOF
}

// CheckUserInfoAnswer judges an answer of the userinfo endpoint (OpenID Connect
// Core 1.0 section 5.3, RFC 6750 section 3). An error replaces the answer.
func CheckUserInfoAnswer(a Answer) *Error {
	if fault := checkAnswer(a); fault != nil {
		return fault
	}
	object := isObject(a.Body)
	switch a.Status {
	case http.StatusOK:
		if !object {
			return BadGateway("the identity provider's answer is not the JSON object of a user (OpenID Connect Core 1.0 section 5.3.2)")
		}
		return nil
	case http.StatusUnauthorized, http.StatusForbidden:
		// Providers answer these with any body or none; what counts is the challenge.
		challenge := a.Header.Get("Www-Authenticate")
		fault := &Error{Code: InvalidToken, Status: a.Status, Challenge: challenge, Source: "RFC 6750 section 3.1",
			Description: "the identity provider did not accept the access token; it may be expired, revoked or for another audience"}
		if challenge == "" {
			fault.Challenge = bearerChallenge(fault)
		}
		if object && challenge != "" {
			return nil
		}
		return fault
	}
	if !object {
		return BadGateway("the identity provider refused without a JSON object, status " + strconv.Itoa(a.Status))
	}
	return nil
}

// checkAnswer applies what holds for both endpoints.
func checkAnswer(a Answer) *Error {
	if encoding := a.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return BadGateway("the identity provider's answer is compressed although that was not asked for")
	}
	switch {
	case isBusy(a.Status):
		if isObject(a.Body) {
			return nil
		}
		fault := Unavailable("the identity provider is busy; try again later", a.Header.Get("Retry-After"))
		fault.Status = a.Status
		return fault
	case a.Status == http.StatusOK, a.Status >= 400 && a.Status < 500:
		return nil
	}
	return BadGateway("the identity provider answered with the unexpected status " + strconv.Itoa(a.Status))
}

// isBusy reports the statuses that ask to come back later. They pass whatever
// their JSON says.
func isBusy(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// isObject reports a valid JSON object (RFC 8259, unique names, valid UTF-8).
func isObject(body []byte) bool {
	value := jsontext.Value(body)
	return value.Kind() == '{' && value.IsValid()
}

// appendJSONString appends s, valid UTF-8, as a JSON string.
func appendJSONString(dst []byte, s string) []byte {
	quoted, err := jsontext.AppendQuote(dst, s)
	if err != nil {
		return append(dst, `""`...)
	}
	return quoted
}
