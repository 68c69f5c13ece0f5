package operation

import "github.com/identity-gateway/caddy-identity-gateway/idp/accept"

// Format is the form of a response.
type Format uint8

// The forms. JSON is what clients get that have no preference. What is plain for some clients is Markdown (RFC 7763) for others:
// the same text.
const (
	JSON Format = iota
	Plain
	Markdown
)

const (
	mediaTypeJSON     = "application/json"
	mediaTypePlain    = "text/plain"
	mediaTypeMarkdown = "text/markdown"
	mediaTypeBatch    = "application/x-ndjson"
	mediaTypeProblem  = "application/problem+json"
)

// contentType is the value of Content-Type for a response in this format.
func (f Format) contentType() string {
	switch f {
	case Plain:
		return mediaTypePlain + "; charset=utf-8"
	case Markdown:
		return mediaTypeMarkdown + "; charset=utf-8"
	}
	return mediaTypeJSON
}

// negotiate picks the format that the Accept fields prefer. A client that accepts none still gets JSON: RFC 9110 section 12.5.1
// allows to disregard the field, and the contract has no 406.
func negotiate(fields []string) Format {
	switch accept.Parse(fields).Best(mediaTypeJSON, mediaTypePlain, mediaTypeMarkdown) {
	case mediaTypePlain:
		return Plain
	case mediaTypeMarkdown:
		return Markdown
	}
	return JSON
}
