package language_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language"
)

// discard is a ResponseWriter that forgets what it is given.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(int)             {}
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }

// BenchmarkLanguage shows what the HTTP border adds to the library calls, in
// time and in allocations.
func BenchmarkLanguage(b *testing.B) {
	ctx := newConfiguration(b)
	for _, bb := range []struct {
		name    string
		handler provisioner
		target  string
		body    string
	}{
		{
			"segmentation", new(language.TextSegmentation), segmentationPath + "?classify=true",
			`{"value":"Try this:\n\nfor i in range(3):\n    print(i)\n\nand tell me what you see."}`,
		},
		{
			"personification", new(language.Personification), personificationPath,
			`{"languages":["Python","Go"],"personas":["Backend Developer","SRE"]}`,
		},
	} {
		b.Run(bb.name, func(b *testing.B) {
			if err := bb.handler.Provision(ctx); err != nil {
				b.Fatal(err)
			}
			body := bytes.NewReader([]byte(bb.body))
			r := httptest.NewRequest(http.MethodPost, bb.target, io.NopCloser(body))
			r.ContentLength = int64(len(bb.body))
			r.Header.Set("Content-Type", "application/json")
			w := &discard{header: make(http.Header)}
			b.ReportAllocs()
			for b.Loop() {
				body.Reset([]byte(bb.body))
				r.Body = io.NopCloser(body)
				clear(w.header)
				if err := bb.handler.ServeHTTP(w, r, next); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
