package anonymous

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/stretchr/testify/require"
)

// What comes after the error routes, such as the access log and the gateway's own page, has the
// request as it was.
func TestARequestIsRestored(t *testing.T) {
	sent := httptest.NewRequest("PUT", "/a%2Fb?c=d", strings.NewReader("body"))
	sent.Header = http.Header{"Cookie": {"a=b"}, "Accept": {"text/html"}}
	replacer := caddy.NewReplacer()
	r := caddyhttp.PrepareRequest(sent, replacer, httptest.NewRecorder(), new(caddyhttp.Server))
	r.URL.Path, r.URL.RawPath = "/rewritten", ""
	const placeholders = "{http.request.method} {http.request.uri} {http.request.orig_method} {http.request.orig_uri} {http.request.orig_uri.path} {http.request.header.Cookie}"
	const before = "PUT /rewritten?c=d PUT /a%2Fb?c=d /a/b a=b"
	require.Equal(t, before, replacer.ReplaceKnown(placeholders, ""))

	got, restore := Request(r)
	require.Equal(t, "GET /identity_gateway/error GET /identity_gateway/error /identity_gateway/error ", replacer.ReplaceKnown(placeholders, ""))
	require.Equal(t, http.Header{"Accept": {"text/html"}}, got.Header)
	require.Equal(t, "GET "+Path, got.Method+" "+got.URL.String())
	original := got.Context().Value(caddyhttp.OriginalRequestCtxKey).(http.Request)
	require.Equal(t, "GET "+Path+" "+Path, original.Method+" "+original.URL.String()+" "+original.RequestURI)
	got.URL.Path = "/404.html"
	got.Header.Set("X-Of-The-Route", "a")
	got.Header.Del("Accept")

	restore()
	require.Equal(t, before+" body", replacer.ReplaceKnown(placeholders+" {http.request.body}", ""))
	require.Equal(t, http.Header{"Cookie": {"a=b"}, "Accept": {"text/html"}}, r.Header)
	require.EqualValues(t, 4, r.ContentLength)
	require.Equal(t, "/a%2Fb?c=d", r.RequestURI)
}

// Nothing of an error route's response goes out before its body begins: until then the
// gateway's own page can take its place.
func TestAnErrorPageBeginsWithItsBody(t *testing.T) {
	write := func(body string) func(*errorPage) {
		return func(p *errorPage) {
			n, err := p.Write([]byte(body))
			require.NoError(t, err)
			require.Len(t, body, n)
		}
	}
	status := func(status int) func(*errorPage) { return func(p *errorPage) { p.WriteHeader(status) } }
	flush := func(p *errorPage) { require.NoError(t, http.NewResponseController(p).Flush()) }
	for name, tt := range map[string]struct {
		steps       []func(*errorPage)
		wantWritten bool
		wantStatus  int
		wantBody    string
	}{
		"a status alone":             {steps: []func(*errorPage){status(404)}, wantStatus: 200}, // the recorder's
		"a status and a flush":       {steps: []func(*errorPage){status(404), flush}, wantStatus: 200},
		"a status and an empty body": {steps: []func(*errorPage){status(404), write("")}, wantStatus: 200},
		"a body":                     {steps: []func(*errorPage){write("a"), write(""), write("b")}, wantWritten: true, wantStatus: 200, wantBody: "ab"},
		"a status and a body":        {steps: []func(*errorPage){status(404), status(500), write("a"), flush}, wantWritten: true, wantStatus: 404, wantBody: "a"},
		"an interim response":        {steps: []func(*errorPage){status(103), status(404), write("a")}, wantWritten: true, wantStatus: 404, wantBody: "a"},
	} {
		t.Run(name, func(t *testing.T) {
			w := &interimRecorder{ResponseRecorder: httptest.NewRecorder()}
			page := &errorPage{ResponseWriter: w}
			for _, step := range tt.steps {
				step(page)
			}
			require.Equal(t, tt.wantWritten, page.written)
			require.Equal(t, tt.wantStatus, w.Code)
			require.Equal(t, tt.wantBody, w.Body.String())
			require.Equal(t, name == "a status and a body", w.Flushed)
			require.Equal(t, name == "an interim response", w.interim)
		})
	}
}

// interimRecorder takes interim (1xx) responses.
type interimRecorder struct {
	*httptest.ResponseRecorder
	interim bool
}

func (w *interimRecorder) WriteHeader(status int) {
	if w.interim = w.interim || status < 200; status >= 200 {
		w.ResponseRecorder.WriteHeader(status)
	}
}
