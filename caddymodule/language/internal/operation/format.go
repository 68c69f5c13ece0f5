package operation

import "github.com/identity-gateway/caddy-identity-gateway/idp/accept"

// Format is the form of a response.
type Format uint8

// The two forms. JSON is what clients get that have no preference.
const (
	JSON Format = iota
	Plain
)

const (
	mediaTypeJSON    = "application/json"
	mediaTypePlain   = "text/plain"
	mediaTypeBatch   = "application/x-ndjson"
	mediaTypeProblem = "application/problem+json"
)

// contentType is the value of Content-Type for a response in this format.
func (f Format) contentType() string {
	if f == Plain {
		return mediaTypePlain + "; charset=utf-8"
	}
	return mediaTypeJSON
}

// negotiate picks the format that the Accept fields prefer. A client that
// accepts neither still gets JSON: RFC 9110 section 12.5.1 allows to disregard
// the field, and the contract has no 406.
func negotiate(fields []string) Format {
	if accept.Parse(fields).Best(mediaTypeJSON, mediaTypePlain) == mediaTypePlain {
		return Plain
	}
	return JSON
}
