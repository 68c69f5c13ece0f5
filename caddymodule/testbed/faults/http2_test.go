//go:build unix

package faults

import (
	"io"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// serveHTTP2 greets the client, and lets answer do something about each request, until
// that is an error.
func (s *server) serveHTTP2(c *conn, answer func(framer *http2.Framer, stream uint32) error) {
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := io.ReadFull(c.reader, preface); err != nil || string(preface) != http2.ClientPreface {
		return
	}
	framer := http2.NewFramer(c, c.reader)
	framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	err := framer.WriteSettings()
	for err == nil {
		var frame http2.Frame
		if frame, err = framer.ReadFrame(); err != nil {
			return
		}
		if request, ok := frame.(*http2.MetaHeadersFrame); ok {
			s.arrived(request.PseudoValue("path"))
			err = answer(framer, request.StreamID)
		}
	}
}
