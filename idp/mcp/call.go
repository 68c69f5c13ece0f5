// Package mcp reads what a request of the Model Context Protocol (MCP) calls, for a
// gateway that demands scopes by tool. Sources are the sections of its specification of
// 2026-07-28, "Streamable HTTP".
//
// The body decides, because it is what the server behind runs. The header fields that
// mirror it have to say the same: a proxy or server on the way may go by them.
//
// # Files
//
//	call.go: what a request calls: its body and the fields that mirror it; how big it may be; errors as JSON-RPC has them
//	policy.go: which scopes and claims a tool needs; the 403 of a token that has less
package mcp

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/paths"
)

// MaxMessage is the longest body of a request, in bytes.
const MaxMessage = 4 << 20

// maxBatch is how many messages one request may have: each call has a line in the log.
const maxBatch = 100

// ToolCall is the method that calls a tool.
const ToolCall = "tools/call"

// Call is one message of a request.
type Call struct {
	// ID is the message's id as it stands there, empty if there is none.
	ID jsontext.Value
	// Method is the JSON-RPC method, "" of a response to the server.
	Method string
	// Name is what Mcp-Name mirrors: params.name of a tool or prompt, params.uri of a
	// resource, params.taskId of a task, "" of any other method.
	Name string
}

// Read reads the calls of a request, and puts back its body as it was. The errors are
// [*Error], and what package [body] returns of a client that has left.
//
// Only a POST has calls. Anything else may have no body, because what came in it would not
// be seen, and no field that mirrors a body. No request may have an upgrade, behind which
// nothing would be seen; whoever takes offers of HTTP/2 (h2c) removes the field before.
//
// Besides the body, which is at most [MaxMessage], it takes memory for the calls alone.
func Read(r *http.Request) ([]Call, error) {
	if r.Header["Upgrade"] != nil || r.Method != http.MethodPost && !body.IsEmpty(r) {
		return nil, malformed(http.StatusBadRequest, "only a POST may have a body, and no request an upgrade")
	}
	if r.Method != http.MethodPost {
		return nil, checkNoMirror(r.Header)
	}
	if err := checkContent(r.Header); err != nil {
		return nil, err
	}
	content, err := body.ReadAll(body.OfRequest(r, MaxMessage), r.ContentLength)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, malformed(http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than %d bytes", tooLarge.Limit))
	case errors.Is(err, body.ErrClientGone):
		return nil, err
	case err != nil:
		return nil, malformed(http.StatusBadRequest, "the body ended early")
	}
	r.Body, r.ContentLength, r.TransferEncoding = &unread{content}, int64(len(content)), nil
	calls, batch, err := parse(content)
	if err != nil {
		return nil, err
	}
	return calls, checkMirror(r.Header, calls, batch)
}

// checkContent requires JSON in UTF-8 that everybody on the way reads alike.
func checkContent(header http.Header) error {
	if values := header["Content-Type"]; len(values) != 1 || !body.IsTypeInUTF8(values[0], "application/json") {
		return malformed(http.StatusUnsupportedMediaType, "send the message as Content-Type: application/json")
	}
	if len(header["Content-Encoding"]) > 0 {
		return malformed(http.StatusUnsupportedMediaType, "a compressed body is not accepted")
	}
	return nil
}

// unread is a body that was read before. What the next reader has got is kept no longer: a
// response may take hours.
type unread struct{ content []byte }

func (u *unread) Read(p []byte) (int, error) {
	n := copy(p, u.content)
	if u.content = u.content[n:]; len(u.content) > 0 {
		return n, nil
	}
	u.content = nil
	return n, io.EOF
}

func (u *unread) Close() error { return nil }

// options have names that come twice pass, for which the names of each object would be kept;
// [readObject] looks at those that count.
var options = jsontext.AllowDuplicateNames(true)

// parse reads a message, or a batch of them (revision 2025-03-26).
func parse(content []byte) (calls []Call, batch bool, err error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(content), options)
	if batch = d.PeekKind() == '['; batch {
		_, _ = d.ReadToken()
	}
	for d.PeekKind() != ']' {
		if len(calls) == maxBatch {
			return nil, batch, malformed(http.StatusBadRequest, "more than 100 messages in a batch")
		}
		call, err := parseMessage(d, content)
		if err != nil {
			return nil, batch, err
		}
		if calls = append(calls, call); !batch {
			break
		}
	}
	if batch {
		if _, err := d.ReadToken(); err != nil {
			return nil, batch, notJSON()
		}
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, batch, notJSON()
	}
	return calls, batch, nil
}

// readValue is the next value of a decoder, as a part of what that reads.
func readValue(d *jsontext.Decoder, from []byte) (jsontext.Value, error) {
	value, err := d.ReadValue()
	end := d.InputOffset()
	return from[end-int64(len(value)) : end], err
}

func parseMessage(d *jsontext.Decoder, from []byte) (call Call, err error) {
	members, failed := readObject(d, from, "id", "method", "params")
	if failed != nil {
		return call, failed
	}
	id, method, of := members[0], members[1], members[2]
	if id.Kind() == '"' || id.Kind() == '0' {
		call.ID = id.Clone()
	}
	var ok bool
	if call.Method, ok = jsonobject.Text(method); !ok && method.Kind() != 'n' && method != nil {
		return call, malformed(http.StatusBadRequest, "method is not a string").of(call)
	}
	source, ok := mirrored[call.Method]
	switch {
	case !ok && fold(call.Method) == ToolCall:
		return call, malformed(http.StatusBadRequest, "method is "+ToolCall+" in another spelling").of(call)
	case !ok:
		return call, nil
	}
	params, failed := readObject(jsontext.NewDecoder(bytes.NewBuffer(of), options), of, source.member)
	if failed != nil {
		return call, failed.of(call)
	}
	if params[0] == nil && source.optional {
		return call, nil
	}
	if call.Name, _ = jsonobject.Text(params[0]); call.Name == "" {
		return call, malformed(http.StatusBadRequest, "params."+source.member+" of "+call.Method+" is missing, or no string").of(call)
	}
	return call, nil
}

// mirrored are the members of params that Mcp-Name mirrors, by method. Not all clients
// mirror those of the extension for tasks (SEP-2663), which no rule is about.
var mirrored = map[string]struct {
	member   string
	optional bool
}{
	ToolCall: {member: "name"}, "prompts/get": {member: "name"}, "resources/read": {member: "uri"},
	"tasks/get": {"taskId", true}, "tasks/update": {"taskId", true}, "tasks/cancel": {"taskId", true},
}

// readObject reads those members of the next value, an object, that count, in the order of their
// names; nil stands for one that is not there. None may come twice, and no other one be taken for
// one of them: some servers read names in any case.
func readObject(d *jsontext.Decoder, from []byte, names ...string) ([]jsontext.Value, *Error) {
	if begin, err := d.ReadToken(); err != nil || begin.Kind() != '{' {
		return nil, notJSON()
	}
	members := make([]jsontext.Value, len(names))
	for d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			return nil, notJSON()
		}
		member := token.String()
		of, err := readValue(d, from)
		if err != nil {
			return nil, notJSON()
		}
		for i, name := range names {
			if !strings.EqualFold(member, name) {
				continue
			}
			if member != name {
				return nil, malformed(http.StatusBadRequest, "the member "+name+" is written in another case")
			}
			if members[i] != nil {
				return nil, notJSON()
			}
			members[i] = of
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, notJSON()
	}
	return members, nil
}

// firstMirrored is the first revision that requires the fields that mirror the body.
const firstMirrored = "2026-07-28"

// checkMirror holds Mcp-Method and Mcp-Name to the body ("Server Validation").
func checkMirror(header http.Header, calls []Call, batch bool) error {
	version, wrongVersion := field(header, "mcp-protocol-version")
	method, wrongMethod := field(header, "mcp-method")
	name, wrongName := field(header, "mcp-name")
	if err := cmp.Or(wrongVersion, wrongMethod, wrongName); err != nil {
		return err
	}
	required := version >= firstMirrored // any text, too
	if batch {
		if required || method != "" || name != "" {
			return malformed(http.StatusBadRequest, "a request has one message")
		}
		return nil
	}
	call := calls[0]
	if err := mirrors("Mcp-Method", method, call.Method, required); err != nil {
		return err.of(call)
	}
	if encoded, ok := strings.CutPrefix(name, "=?base64?"); ok && strings.HasSuffix(encoded, "?=") {
		decoded, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(encoded, "?="))
		if err != nil {
			return mismatch("Mcp-Name is no base64").of(call)
		}
		name = string(decoded)
	}
	if err := mirrors("Mcp-Name", name, call.Name, required && !mirrored[call.Method].optional); err != nil {
		return err.of(call)
	}
	return nil
}

// checkNoMirror rejects the fields of a message in a request without one, by which a server
// on the way could route it.
func checkNoMirror(header http.Header) error {
	for _, name := range [...]string{"mcp-method", "mcp-name"} {
		value, err := field(header, name)
		switch {
		case err != nil:
			return err
		case value != "":
			return mismatch("the field " + name + " belongs to a message, and only a POST has one")
		}
	}
	return nil
}

func mirrors(field, sent, inBody string, required bool) *Error {
	switch {
	case sent == "" && inBody != "" && required:
		return mismatch("the field " + field + " is missing")
	case sent != "" && sent != inBody:
		return mismatch("the field " + field + " does not match the body")
	}
	return nil
}

// field is the value of a field that may come once, in one spelling, of those that
// servers take for the same ([paths.IsField]).
func field(header http.Header, name string) (string, error) {
	found, value := 0, ""
	for sent, values := range header {
		if !paths.IsField(sent, name) {
			continue
		}
		if found += len(values); found > 1 || !strings.EqualFold(sent, name) {
			return "", mismatch("the field " + name + " comes twice, or in another spelling")
		}
		if len(values) == 1 {
			value = strings.Trim(values[0], " \t")
		}
	}
	return value, nil
}

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
