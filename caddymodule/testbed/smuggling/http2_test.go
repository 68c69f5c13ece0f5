package smuggling

import (
	"bytes"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// framedRequest is the fields of a request over HTTP/2 or HTTP/3, as they are sent,
// its body and its trailer fields.
type framedRequest struct {
	fields  [][2]string
	body    string
	trailer [][2]string
	// reserved is what is in a frame before the body that HTTP/3 has reserved.
	reserved string
}

// asHTTP1 is what a server sends on that writes what it got so as HTTP/1.1
// without looking at it.
func (r *framedRequest) asHTTP1() string {
	pseudo := make(map[string]string)
	var fields strings.Builder
	hasLength := false
	for _, field := range r.fields {
		if name, ok := strings.CutPrefix(field[0], ":"); ok {
			pseudo[name] = field[1]
			continue
		}
		hasLength = hasLength || strings.EqualFold(field[0], "content-length") || strings.Contains(strings.ToLower(field[0]), "transfer-encoding")
		fields.WriteString(field[0] + ": " + field[1] + "\r\n")
	}
	text := pseudo["method"] + " " + pseudo["path"] + " HTTP/1.1\r\nhost: " + pseudo["authority"] + "\r\nx-forwarded-proto: " + pseudo["scheme"] + "\r\n" + fields.String()
	if r.trailer != nil {
		text += "transfer-encoding: chunked\r\n\r\n" + chunk(r.body) + "0\r\n"
		for _, field := range r.trailer {
			text += field[0] + ": " + field[1] + "\r\n"
		}
		return text + "\r\n"
	}
	if !hasLength {
		text += "content-length: " + strconv.Itoa(len(r.body)) + "\r\n"
	}
	return text + "\r\n" + r.body
}

// overHTTP2 are requests that fit into HTTP/2, and mean something else as HTTP/1.1.
func overHTTP2() []attack {
	good := func(t *target, token string, with ...string) framedRequest {
		r := framedRequest{body: t.body, fields: [][2]string{
			{":method", "POST"},
			{":scheme", "http"},
			{":authority", site},
			{":path", t.path},
			{"content-type", t.contentType},
			{"x-id", "attack"},
		}}
		if t.token {
			r.fields = append(r.fields, [2]string{"authorization", "Bearer " + token})
		}
	fields:
		for i := 0; i < len(with); i += 2 {
			for n, field := range r.fields {
				if field[0] == with[i] && field[0][0] == ':' {
					r.fields[n][1] = with[i+1]
					continue fields
				}
			}
			r.fields = append(r.fields, [2]string{with[i], with[i+1]})
		}
		return r
	}
	with := func(fields ...string) func(*target, string) framedRequest {
		return func(t *target, token string) framedRequest {
			own := make([]string, len(fields))
			for i := range fields {
				own[i] = strings.NewReplacer("{path}", t.path, "{token}", token).Replace(fields[i])
			}
			return good(t, token, own...)
		}
	}
	withBody := func(body func(*target) string, fields ...string) func(*target, string) framedRequest {
		return func(t *target, token string) framedRequest {
			r := good(t, token)
			r.body = body(t)
			for i := 0; i < len(fields); i += 2 {
				r.fields = append(r.fields, [2]string{fields[i], strings.ReplaceAll(fields[i+1], "{length}", strconv.Itoa(len(r.body)))})
			}
			return r
		}
	}
	before := func(t *target) string { return smuggled + t.body }
	after := func(t *target) string { return chunk(t.body) + "0\r\n\r\n" + smuggled }
	const end = " HTTP/1.1\r\nHost: " + site + "\r\n\r\n"
	return []attack{
		{name: "a line in a value", fields: with("x", "y\r\ncontent-length: 0\r\n\r\n"+smuggled)},
		{name: "a line in a value that ends with LF", fields: with("x", "y\ncontent-length: 0\n\n"+strings.ReplaceAll(smuggled, "\r", ""))},
		{name: "a line in a name", fields: with("x: y\r\ncontent-length: 0\r\n\r\nGET /api/smuggled"+end+"x", "y")},
		{name: "a line in the path", fields: with(":path", "/api/smuggled"+end+"POST {path}")},
		{name: "a line in the method", fields: with(":method", "GET /api/smuggled"+end+"POST")},
		{name: "a line in the authority", fields: with(":authority", site+"\r\ncontent-length: 0\r\n\r\n"+strings.TrimSuffix(smuggled, "\r\n\r\n"))},
		{name: "a line in the scheme", fields: with(":scheme", "http\r\ncontent-length: 0\r\n\r\n"+strings.TrimSuffix(smuggled, "\r\n\r\n"))},
		{name: "a space in the path", fields: with(":path", "{path} /api/smuggled")},
		{name: "a space in the method", fields: with(":method", "GET /api/smuggled")},
		{name: "an absolute path", fields: with(":path", "http://"+internal+"{path}")},
		{name: "a Host beside the authority", fields: with("host", internal)},
		{name: "chunks", fields: withBody(after, "transfer-encoding", "chunked", "content-length", "{length}")},
		{name: "chunks, with a space in the name", fields: withBody(after, "transfer-encoding ", "chunked", "content-length", "{length}")},
		{name: "chunks, in capitals", fields: withBody(after, "Transfer-Encoding", "chunked", "content-length", "{length}")},
		{name: "a length of 0", fields: withBody(before, "content-length", "0")},
		{name: "two lengths", fields: withBody(before, "content-length", "0", "content-length", "{length}")},
		{name: "a length with a plus sign", fields: withBody(before, "content-length", "+{length}")},
		{name: "a length that is too large", malformed: true, fields: withBody(before, "content-length", "1{length}")},
		{name: "an upgrade", onlyAPI: true, fields: with("connection", "upgrade, http2-settings", "upgrade", "h2c", "http2-settings", "AAMAAABkAARAAAAAAAIAAAAA")},
		{name: "a token in the trailer", onlyAPI: true, fields: func(t *target, token string) framedRequest {
			anonymous := *t
			anonymous.token = false
			r := good(&anonymous, token)
			r.trailer = [][2]string{{"authorization", "Bearer " + token}}
			return r
		}},
		{name: "two paths", fields: func(t *target, token string) framedRequest {
			r := good(t, token)
			r.fields = append(r.fields[:4:4], append([][2]string{{":path", "/api/smuggled"}}, r.fields[4:]...)...)
			return r
		}},
		{name: "a path at the end", fields: func(t *target, token string) framedRequest {
			r := good(t, token)
			r.fields = append(r.fields, [2]string{":path", "/api/smuggled"})
			return r
		}},
		{name: "no path", malformed: true, fields: with(":path", "")},
		{name: "a path without a slash", malformed: true, fields: with(":path", "api/smuggled")},
		{name: "a pseudo-header field of its own", malformed: true, fields: with(":path2", "/api/smuggled")},
	}
}

// sendHTTP2 sends a request and returns the status of its answer, 0 if there was none.
func sendHTTP2(c net.Conn, r *framedRequest) (status int, err error) {
	var encoded bytes.Buffer
	encoder := hpack.NewEncoder(&encoded)
	block := func(fields [][2]string) []byte {
		encoded.Reset()
		for _, field := range fields {
			_ = encoder.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]}) // to memory
		}
		return bytes.Clone(encoded.Bytes())
	}
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return 0, err
	}
	if _, err := c.Write([]byte(http2.ClientPreface)); err != nil {
		return 0, err
	}
	framer := http2.NewFramer(c, c)
	framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	if err := framer.WriteSettings(); err != nil {
		return 0, err
	}
	// The server may close at any of these; what it then said is read below.
	_ = framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block(r.fields), EndHeaders: true})
	_ = framer.WriteData(1, r.trailer == nil, []byte(r.body))
	if r.trailer != nil {
		_ = framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block(r.trailer), EndHeaders: true, EndStream: true})
	}
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			if timeout, ok := err.(net.Error); ok && timeout.Timeout() { //nolint:errorlint // not wrapped
				return status, fmt.Errorf("no answer within %s", patience)
			}
			return status, nil // closed
		}
		switch f := frame.(type) {
		case *http2.MetaHeadersFrame:
			if got, err := strconv.Atoi(f.PseudoValue("status")); err == nil && got >= 200 {
				status = got
			}
			if f.StreamEnded() {
				return status, nil
			}
		case *http2.DataFrame:
			if f.StreamEnded() {
				return status, nil
			}
		case *http2.RSTStreamFrame:
			return status, nil
		case *http2.GoAwayFrame:
			return status, nil
		case *http2.SettingsFrame:
			if !f.IsAck() {
				_ = framer.WriteSettingsAck()
			}
		}
	}
}
