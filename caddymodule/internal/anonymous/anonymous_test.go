package anonymous_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/anonymous"
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

	got, restore := anonymous.Request(r)
	require.Equal(t, "GET /identity_gateway/error GET /identity_gateway/error /identity_gateway/error ", replacer.ReplaceKnown(placeholders, ""))
	require.Equal(t, http.Header{"Accept": {"text/html"}}, got.Header)
	require.Equal(t, "GET "+anonymous.Path, got.Method+" "+got.URL.String())
	original := got.Context().Value(caddyhttp.OriginalRequestCtxKey).(http.Request)
	require.Equal(t, "GET "+anonymous.Path+" "+anonymous.Path, original.Method+" "+original.URL.String()+" "+original.RequestURI)
	got.URL.Path = "/404.html"
	got.Header.Set("X-Of-The-Route", "a")
	got.Header.Del("Accept")

	restore()
	require.Equal(t, before+" body", replacer.ReplaceKnown(placeholders+" {http.request.body}", ""))
	require.Equal(t, http.Header{"Cookie": {"a=b"}, "Accept": {"text/html"}}, r.Header)
	require.EqualValues(t, 4, r.ContentLength)
	require.Equal(t, "/a%2Fb?c=d", r.RequestURI)
}
