package mcp

import (
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// The error codes of JSON-RPC 2.0 section 5.1, and of the specification's "Server
// Validation".
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeHeaderMismatch = -32020
)

// Error refuses a request as JSON-RPC does, by which clients tell a server of this
// protocol from another one. It wraps an [*oauth.Error].
type Error struct {
	// ID is that of the message, empty if it is not known.
	ID jsontext.Value

	code    int
	refusal oauth.Error
}

// Error implements the error interface.
func (e *Error) Error() string { return e.refusal.Error() }

// Unwrap is the error with its status.
func (e *Error) Unwrap() error { return &e.refusal }

// AppendJSON appends the error response.
func (e *Error) AppendJSON(dst []byte) []byte {
	id := e.ID
	if len(id) == 0 {
		id = jsontext.Value("null")
	}
	dst = append(append(append(dst, `{"jsonrpc":"2.0","id":`...), id...), `,"error":{"code":`...)
	dst = append(strconv.AppendInt(dst, int64(e.code), 10), `,"message":`...)
	dst, _ = jsontext.AppendQuote(dst, e.refusal.Description) // ASCII
	return append(dst, "}}"...)
}

func (e *Error) of(call Call) *Error {
	e.ID = call.ID
	return e
}

func newError(status, code int, source, description string) *Error {
	return &Error{code: code, refusal: oauth.Error{Code: oauth.InvalidRequest, Status: status, Source: source, Description: description}}
}

func malformed(status int, description string) *Error {
	return newError(status, codeInvalidRequest, "MCP 2026-07-28, Sending Messages", description)
}

func notJSON() *Error {
	return newError(http.StatusBadRequest, codeParse, "JSON-RPC 2.0 section 4", "the body is not a JSON-RPC message, or has a member twice")
}

func mismatch(description string) *Error {
	return newError(http.StatusBadRequest, codeHeaderMismatch, "MCP 2026-07-28, Server Validation", description)
}
