package operation

import (
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accept"
)

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
	return [...]string{JSON: mediaTypeJSON, Plain: mediaTypePlain + "; charset=utf-8", Markdown: mediaTypeMarkdown + "; charset=utf-8"}[f]
}

// negotiate picks the format that the Accept fields prefer. A client that accepts none still gets JSON: RFC 9110 section 12.5.1
// allows to disregard the field, and the contract has no 406.
func negotiate(fields []string) Format {
	formats := []string{JSON: mediaTypeJSON, Plain: mediaTypePlain, Markdown: mediaTypeMarkdown}
	return Format(max(slices.Index(formats, accept.Parse(fields).Best(formats...)), 0))
}
