package smuggling

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/quic-go/qpack"
	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/quicvarint"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

// Frames and streams of HTTP/3 (RFC 9114 sections 6.2 and 7.2).
const (
	dataFrame     = 0x00
	headersFrame  = 0x01
	settingsFrame = 0x04
	reservedFrame = 0x21 // that a server ignores, whatever is in it
	controlStream = 0x00
)

// overHTTP3 are requests that fit into HTTP/3, and mean something else as HTTP/1.1:
// those of HTTP/2, and what only HTTP/3 can say.
func overHTTP3() []attack {
	attacks := overHTTP2()
	good := func(t *target, token string) framedRequest {
		r := framedRequest{body: t.body, fields: [][2]string{
			{":method", "POST"}, {":scheme", "https"}, {":authority", site}, {":path", t.path}, {"content-type", t.contentType}, {"x-id", "attack"},
		}}
		if t.token {
			r.fields = append(r.fields, [2]string{"authorization", "Bearer " + token})
		}
		return r
	}
	without := func(r framedRequest, name string) framedRequest {
		r.fields = slices.DeleteFunc(r.fields, func(field [2]string) bool { return field[0] == name })
		return r
	}
	attacks = append(attacks,
		attack{name: "a body that ends before its length", malformed: true, fields: func(t *target, token string) framedRequest {
			r := good(t, token)
			r.fields = append(r.fields, [2]string{"content-length", strconv.Itoa(len(r.body) + len(smuggled))})
			return r
		}},
		attack{name: "a Host instead of the authority", malformed: true, fields: func(t *target, token string) framedRequest {
			r := without(good(t, token), ":authority")
			r.fields = append(r.fields, [2]string{"host", site})
			return r
		}},
		attack{name: "another Host instead of the authority", malformed: true, fields: func(t *target, token string) framedRequest {
			r := without(good(t, token), ":authority")
			r.fields = append(r.fields, [2]string{"host", internal})
			return r
		}},
		attack{name: "a user in the authority", malformed: true, fields: func(t *target, token string) framedRequest {
			r := without(good(t, token), ":authority")
			r.fields = append([][2]string{{":authority", "user@" + site}}, r.fields...)
			return r
		}},
		attack{name: "two methods", malformed: true, fields: func(t *target, token string) framedRequest {
			r := good(t, token)
			r.fields = append([][2]string{{":method", "GET"}}, r.fields...)
			return r
		}},
		attack{name: "no method", malformed: true, fields: func(t *target, token string) framedRequest { return without(good(t, token), ":method") }},
		attack{name: "CONNECT with a path", malformed: true, fields: func(t *target, token string) framedRequest {
			r := without(good(t, token), ":method")
			r.fields = append([][2]string{{":method", "CONNECT"}}, r.fields...)
			return r
		}},
		attack{name: "CONNECT for h2c (RFC 9220)", malformed: true, fields: func(t *target, token string) framedRequest {
			r := without(good(t, token), ":method")
			r.fields = append([][2]string{{":method", "CONNECT"}, {":protocol", "h2c"}}, r.fields...)
			return r
		}},
		attack{name: "a Connection that names X-User", malformed: true, fields: func(t *target, token string) framedRequest {
			r := good(t, token)
			r.fields = append(r.fields, [2]string{"connection", "X-User"})
			return r
		}},
		attack{name: "TE that is not trailers", malformed: true, fields: func(t *target, token string) framedRequest {
			r := good(t, token)
			r.fields = append(r.fields, [2]string{"te", "chunked"})
			return r
		}},
		attack{name: "a request in a frame that is reserved", malformed: true, fields: func(t *target, token string) framedRequest {
			r := good(t, token)
			r.reserved = smuggled
			return r
		}},
		attack{name: "a second header section in the body", malformed: true, fields: func(t *target, token string) framedRequest {
			r := good(t, token)
			r.trailer = [][2]string{{":method", "GET"}, {":path", "/api/smuggled"}}
			return r
		}},
	)
	for i := range attacks {
		attacks[i].http3 = true
	}
	return attacks
}

// secureGateway is a gateway as a process of its own, which serves a site over
// HTTP/3, and over HTTP/1.1 without TLS for whoever comes next.
type secureGateway struct {
	*testgateway.Process
	folder         string
	plain, address string
}

// startSecure starts it. The site is what stands in its block of the Caddyfile.
func startSecure(siteBlock string) (*secureGateway, error) {
	g := new(secureGateway)
	var err error
	if g.folder, err = os.MkdirTemp("", "caddy"); err != nil {
		return nil, err
	}
	if err := g.start(siteBlock); err != nil {
		return nil, errors.Join(err, g.close())
	}
	return g, nil
}

func (g *secureGateway) start(siteBlock string) (err error) {
	if g.plain, err = testgateway.FreeAddress(); err != nil {
		return err
	}
	if g.address, err = testgateway.FreeAddress(); err != nil {
		return err
	}
	if err := writeCertificate(g.folder); err != nil {
		return err
	}
	_, plainPort, _ := net.SplitHostPort(g.plain)
	_, port, _ := net.SplitHostPort(g.address)
	g.Process, err = testgateway.StartCaddy(testgateway.Caddyfile(g.folder, "log {\n\tlevel ERROR\n}", fmt.Sprintf(`(both) {
	bind 127.0.0.1
	%s
}
http://:%s {
	import both
}
https://:%s {
	tls %s %s
	import both
}`, siteBlock, plainPort, port, filepath.Join(g.folder, "certificate.pem"), filepath.Join(g.folder, "key.pem"))), g.folder, nil)
	return err
}

func (g *secureGateway) close() error {
	if g.Process != nil {
		g.Close()
	}
	return os.RemoveAll(g.folder)
}

// writeCertificate writes a certificate for the site, and its key, into a folder.
func writeCertificate(folder string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{site}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return err
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(folder, "certificate.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}), 0o600),
		os.WriteFile(filepath.Join(folder, "key.pem"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}), 0o600),
	)
}

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

// noError is H3_NO_ERROR (RFC 9114 section 8.1).
const noError = 0x100

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
