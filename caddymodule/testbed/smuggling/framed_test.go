package smuggling

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quic-go/qpack"
	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/quicvarint"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert/clientcerttest"
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

// framed is a request as it should be, with other pseudo-header fields in the place of its
// own ("-" for none), and further fields. {path} and {length} stand for the target's.
func framed(with ...string) func(*target, string) framedRequest {
	return func(t *target, token string) framedRequest {
		r := framedRequest{body: t.body, fields: [][2]string{
			{":method", "POST"}, {":scheme", "https"}, {":authority", site}, {":path", t.path}, {"content-type", t.contentType}, {"x-id", "attack"},
		}}
		if t.token && token != "" {
			r.fields = append(r.fields, [2]string{"authorization", "Bearer " + token})
		}
		for i := 0; i < len(with); i += 2 {
			field := [2]string{with[i], with[i+1]}
			at := slices.IndexFunc(r.fields, func(f [2]string) bool { return f[0] == field[0] && f[0][0] == ':' })
			switch {
			case at < 0 && field[0][0] == ':':
				r.fields = slices.Insert(r.fields, 0, field)
			case at < 0:
				r.fields = append(r.fields, field)
			case field[1] == "-":
				r.fields = slices.Delete(r.fields, at, at+1)
			default:
				r.fields[at] = field
			}
		}
		actual := strings.NewReplacer("{path}", t.path, "{length}", strconv.Itoa(len(r.body)))
		for i := range r.fields {
			r.fields[i][1] = actual.Replace(r.fields[i][1])
		}
		return r
	}
}

// overHTTP2 are requests that fit into HTTP/2, and mean something else as HTTP/1.1.
func overHTTP2() []attack {
	altered := func(alter func(*framedRequest), with ...string) func(*target, string) framedRequest {
		return func(t *target, token string) framedRequest {
			r := framed(with...)(t, token)
			alter(&r)
			return r
		}
	}
	before := func(r *framedRequest) { r.body = smuggled + r.body }
	after := func(r *framedRequest) { r.body = chunk(r.body) + "0\r\n\r\n" + smuggled }
	const end = " HTTP/1.1\r\nHost: " + site + "\r\n\r\n"
	return []attack{
		{name: "a line in a value", fields: framed("x", "y\r\ncontent-length: 0\r\n\r\n"+smuggled)},
		{name: "a line in a name", fields: framed("x: y\r\ncontent-length: 0\r\n\r\nGET /api/smuggled"+end+"x", "y")},
		{name: "a line in the path", fields: framed(":path", "/api/smuggled"+end+"POST {path}")},
		{name: "a line in the method", fields: framed(":method", "GET /api/smuggled"+end+"POST")},
		{name: "a line in the authority", fields: framed(":authority", site+"\r\ncontent-length: 0\r\n\r\n"+smuggled)},
		{name: "a space in the path", fields: framed(":path", "{path} /api/smuggled")},
		{name: "a path without a slash", fields: framed(":path", "api/smuggled")},
		{name: "an absolute path", fields: framed(":path", "http://"+internal+"{path}")},
		{name: "a Host beside the authority", fields: framed("host", internal)},
		{name: "chunks", fields: altered(after, "transfer-encoding", "chunked")},
		{name: "a length of 0", fields: altered(before, "content-length", "0")},
		{name: "a length that is too large", fields: framed("content-length", "1{length}")},
		{name: "an upgrade", onlyAPI: true, fields: framed("connection", "upgrade, http2-settings", "upgrade", "h2c", "http2-settings", "AAMAAABkAARAAAAAAAIAAAAA")},
		{name: "a Connection that names X-User", fields: framed("connection", "X-User")},
		{name: "two paths", fields: altered(func(r *framedRequest) { r.fields = slices.Insert(r.fields, 4, [2]string{":path", "/api/smuggled"}) })},
		{name: "a pseudo-header field of its own", fields: framed(":path2", "/api/smuggled")},
		{name: "a token in the trailer", onlyAPI: true, fields: func(t *target, token string) framedRequest {
			r := framed()(t, "")
			r.trailer = [][2]string{{"authorization", "Bearer " + token}}
			return r
		}},
		{name: "a second header section in the body", fields: altered(func(r *framedRequest) {
			r.trailer = [][2]string{{":method", "GET"}, {":path", "/api/smuggled"}}
		})},
	}
}

// overHTTP3 are those of HTTP/2, and what only HTTP/3 can say.
func overHTTP3() []attack {
	return append(
		overHTTP2(),
		attack{name: "a Host instead of the authority", fields: framed(":authority", "-", "host", site)},
		attack{name: "another Host instead of the authority", fields: framed(":authority", "-", "host", internal)},
		attack{name: "a user in the authority", fields: framed(":authority", "user@"+site)},
		attack{name: "no method", fields: framed(":method", "-")},
		attack{name: "CONNECT with a path", fields: framed(":method", "CONNECT")},
		attack{name: "CONNECT for h2c (RFC 9220)", fields: framed(":method", "CONNECT", ":protocol", "h2c")},
		attack{name: "TE that is not trailers", fields: framed("te", "chunked")},
		attack{name: "a request in a frame that is reserved", fields: func(t *target, token string) framedRequest {
			r := framed()(t, token)
			r.reserved = smuggled
			return r
		}},
	)
}

// sendHTTP2 sends a request and returns the status of its answer, 0 if there was none.
func sendHTTP2(address string, r *framedRequest) (status int, err error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return 0, err
	}
	var encoded bytes.Buffer
	encoder := hpack.NewEncoder(&encoded)
	block := func(fields [][2]string) []byte {
		encoded.Reset()
		for _, field := range fields {
			_ = encoder.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]}) // to memory
		}
		return bytes.Clone(encoded.Bytes())
	}
	// The server may close at any of these; what it then said is read below.
	_, _ = io.WriteString(c, http2.ClientPreface)
	framer := http2.NewFramer(c, c)
	framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	_ = framer.WriteSettings()
	_ = framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block(r.fields), EndHeaders: true})
	_ = framer.WriteData(1, r.trailer == nil, []byte(r.body))
	if r.trailer != nil {
		_ = framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block(r.trailer), EndHeaders: true, EndStream: true})
	}
	for {
		frame, err := framer.ReadFrame()
		var timeout net.Error
		if errors.As(err, &timeout) && timeout.Timeout() {
			return status, fmt.Errorf("no answer within %s", patience)
		}
		if err != nil {
			return status, nil // closed
		}
		switch f := frame.(type) {
		case *http2.MetaHeadersFrame:
			if got, err := strconv.Atoi(f.PseudoValue("status")); err == nil && got >= 200 {
				status = got
			}
		case *http2.RSTStreamFrame, *http2.GoAwayFrame:
			return status, nil
		case *http2.SettingsFrame:
			if !f.IsAck() {
				_ = framer.WriteSettingsAck()
			}
		}
		if h := frame.Header(); (h.Type == http2.FrameData || h.Type == http2.FrameHeaders) && h.Flags.Has(http2.FlagDataEndStream) {
			return status, nil // the flag is the same for both
		}
	}
}

// startSecure starts a gateway as a process of its own, which serves a site over HTTP/3, and
// over HTTP/1.1 without TLS at the address plain.
func startSecure(t *testing.T, siteBlock string) (g *testgateway.Process, plain, secure string) {
	folder, err := os.MkdirTemp("", "caddy")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	port, err := testgateway.FreePorts(2)
	require.NoError(t, err)
	certificate, key := clientcerttest.PEM(clientcerttest.SelfSigned(x509.Certificate{DNSNames: []string{site}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "certificate.pem"), certificate, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "key.pem"), key, 0o600))
	g, err = testgateway.StartCaddy(testgateway.Caddyfile(folder, "log {\n\tlevel ERROR\n}", fmt.Sprintf(`(both) {
	bind 127.0.0.1
	%[1]s
}
http://:%[2]d {
	import both
}
https://:%[3]d {
	tls %[4]s/certificate.pem %[4]s/key.pem
	import both
}`, siteBlock, port, port+1, folder)), folder, nil)
	require.NoError(t, err)
	return g, fmt.Sprintf("127.0.0.1:%d", port), fmt.Sprintf("127.0.0.1:%d", port+1)
}

// Frames and streams of HTTP/3 (RFC 9114 sections 6.2, 7.2 and 8.1).
const (
	dataFrame     = 0x00
	headersFrame  = 0x01
	settingsFrame = 0x04
	reservedFrame = 0x21 // that a server ignores, whatever is in it
	controlStream = 0x00
	noError       = 0x100
)

// frame is a frame of HTTP/3.
func frame(kind uint64, payload []byte) []byte {
	return append(quicvarint.Append(quicvarint.Append(nil, kind), uint64(len(payload))), payload...)
}

// fieldSection encodes fields as they are (RFC 9204).
func fieldSection(fields [][2]string) []byte {
	var encoded bytes.Buffer
	encoder := qpack.NewEncoder(&encoded)
	for _, field := range fields {
		_ = encoder.WriteField(qpack.HeaderField{Name: field[0], Value: field[1]}) // to memory
	}
	return encoded.Bytes()
}

// sendHTTP3 sends a request and returns the status of its answer, 0 if there was none.
func sendHTTP3(address string, r *framedRequest) (status int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := quic.DialAddr(ctx, address, &tls.Config{ServerName: site, NextProtos: []string{"h3"}, InsecureSkipVerify: true}, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = c.CloseWithError(noError, "") }()
	if err := beginHTTP3(c); err != nil {
		return 0, err
	}
	stream, err := writeHTTP3(ctx, c, r)
	if err != nil {
		return 0, err
	}
	return readHTTP3(stream)
}

// beginHTTP3 opens the control stream.
func beginHTTP3(c *quic.Conn) error {
	control, err := c.OpenUniStream()
	if err != nil {
		return err
	}
	_, err = control.Write(append(quicvarint.Append(nil, controlStream), frame(settingsFrame, nil)...))
	return err
}

// writeHTTP3 sends a request, whose answer is to be read from the stream.
func writeHTTP3(ctx context.Context, c *quic.Conn, r *framedRequest) (*quic.Stream, error) {
	stream, err := c.OpenStreamSync(ctx)
	if err != nil {
		return nil, err
	}
	if err := stream.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	message := frame(headersFrame, fieldSection(r.fields))
	if r.reserved != "" {
		message = append(message, frame(reservedFrame, []byte(r.reserved))...)
	}
	if r.body != "" {
		message = append(message, frame(dataFrame, []byte(r.body))...)
	}
	if r.trailer != nil {
		message = append(message, frame(headersFrame, fieldSection(r.trailer))...)
	}
	// The server may end it at any of these; what it then said is read below.
	_, _ = stream.Write(message)
	_ = stream.Close()
	return stream, nil
}

// readHTTP3 reads an answer to its end, and returns its status, 0 if there was none.
func readHTTP3(stream io.Reader) (status int, err error) {
	answer, err := io.ReadAll(stream)
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return 0, fmt.Errorf("no answer within %s", patience)
	}
	for reader := bytes.NewReader(answer); ; { // whatever came before the stream was reset
		kind, err := quicvarint.Read(reader)
		if err != nil {
			return status, nil
		}
		length, err := quicvarint.Read(reader)
		if err != nil || length > uint64(reader.Len()) {
			return status, nil
		}
		payload := make([]byte, length)
		_, _ = io.ReadFull(reader, payload) // there are as many
		if kind != headersFrame {
			continue
		}
		for next := qpack.NewDecoder().Decode(payload); ; {
			field, err := next()
			if err != nil {
				break
			}
			if got, err := strconv.Atoi(field.Value); err == nil && field.Name == ":status" && got >= 200 {
				status = got
			}
		}
	}
}
