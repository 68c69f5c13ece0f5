//go:build unix

package faults

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// session is the server's side of one connection of HTTP/2, frame by frame.
type session struct {
	*http2.Framer
	conn    *conn
	encoder *hpack.Encoder
	fields  *bytes.Buffer
	decoder *hpack.Decoder
}

// serveHTTP2 greets the client and lets speak do the rest.
func serveHTTP2(c *conn, speak func(*session)) {
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := io.ReadFull(c.reader, preface); err != nil || string(preface) != http2.ClientPreface {
		return
	}
	s := &session{Framer: http2.NewFramer(c, c.reader), conn: c, fields: new(bytes.Buffer), decoder: hpack.NewDecoder(4096, nil)}
	s.AllowIllegalWrites = true
	s.encoder = hpack.NewEncoder(s.fields)
	speak(s)
}

// stream is a request as far as it was read.
type stream struct {
	id      uint32
	request *http.Request
}

// next reads the next request, and its body unless that can't come.
func (s *session) next(body bool) (*stream, bool) {
	var st *stream
	for {
		frame, err := s.ReadFrame()
		if err != nil {
			return nil, false
		}
		ended := false
		switch f := frame.(type) {
		case *http2.SettingsFrame:
			if !f.IsAck() {
				_ = s.WriteSettingsAck()
			}
		case *http2.PingFrame:
			if !f.IsAck() {
				_ = s.WritePing(true, f.Data)
			}
		case *http2.HeadersFrame:
			st = s.open(f)
			ended = f.StreamEnded() || !body
		case *http2.DataFrame:
			ended = f.StreamEnded()
			_ = s.WriteWindowUpdate(0, uint32(max(len(f.Data()), 1)))
		}
		if ended && st != nil {
			return st, true
		}
	}
}

// open makes a request of its header. The gateway's headers fit into one frame.
func (s *session) open(f *http2.HeadersFrame) *stream {
	r := &http.Request{Method: http.MethodGet, URL: new(url.URL), Header: make(http.Header)}
	fields, _ := s.decoder.DecodeFull(f.HeaderBlockFragment()) // what it can't read is left out
	for _, field := range fields {
		if field.Name == ":path" {
			r.URL, _ = url.Parse(field.Value)
		}
	}
	s.conn.server.arrived(r.URL.Path)
	return &stream{f.StreamID, r}
}

// block encodes fields given as name, value, name, value.
func (s *session) block(fields ...string) []byte {
	s.fields.Reset()
	for i := 0; i+1 < len(fields); i += 2 {
		_ = s.encoder.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]}) // to memory
	}
	return bytes.Clone(s.fields.Bytes())
}

// header sends a header for a stream.
func (s *session) header(st *stream, end bool, fields ...string) error {
	return s.WriteHeaders(http2.HeadersFrameParam{StreamID: st.id, BlockFragment: s.block(fields...), EndHeaders: true, EndStream: end})
}

// good sends the response of the healthy IdP.
func (s *session) good(st *stream) {
	head, body := s.conn.good(st.request)
	fields := []string{":status", "200"}
	for line := range strings.SplitSeq(head, "\r\n") {
		if name, value, ok := strings.Cut(line, ": "); ok {
			if name == "Location" {
				fields[1] = "302"
			}
			fields = append(fields, strings.ToLower(name), value)
		}
	}
	_ = s.header(st, false, fields...)
	_ = s.WriteData(st.id, true, []byte(body))
}
