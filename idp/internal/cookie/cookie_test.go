package cookie

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDrop(t *testing.T) {
	const plain, secure = "identity_gateway_browser=b", "__Host-Http-identity_gateway_browser=b"
	for name, c := range map[string]struct{ sent, kept []string }{
		"none":           {nil, nil},
		"others":         {[]string{"a=1;b=2", "c=3"}, []string{"a=1;b=2", "c=3"}},
		"alone":          {[]string{secure}, nil},
		"over http":      {[]string{plain}, nil},
		"first":          {[]string{secure + "; a=1"}, []string{"a=1"}},
		"last":           {[]string{"a=1; " + secure}, []string{"a=1"}},
		"twice":          {[]string{"a=1;" + secure + ";b=2;  " + plain}, []string{"a=1; b=2"}},
		"several fields": {[]string{"a=1", secure, "b=2"}, []string{"a=1; b=2"}},
		"spaces":         {[]string{" identity_gateway_browser = b"}, nil},
		"a longer name":  {[]string{"x" + plain + "; " + secure + "; a"}, []string{"x" + plain + "; a"}},
	} {
		header := http.Header{"Cookie": c.sent}
		Drop(header)
		require.Equal(t, c.kept, header["Cookie"], name)
	}
}

func TestACookieIsAsSafeAsTheCallback(t *testing.T) {
	const loopback, public = "http://127.0.0.1:8080/oauth/callback", "https://gw.example/oauth/callback"
	require.Equal(t, "identity_gateway_browser=b; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax", New(loopback, "b", time.Hour, true), "with Secure, browsers would drop it")
	require.Equal(t, "__Host-Http-identity_gateway_browser=b; Path=/; Max-Age=60; HttpOnly; Secure; SameSite=Lax", New(public, "b", time.Minute, false))
	require.Equal(t, "__Host-Http-identity_gateway_browser=b; Path=/; Max-Age=60; HttpOnly; Secure; SameSite=None", New(public, "b", time.Minute, true))
	header := http.Header{"Cookie": {"identity_gateway_browser=plain; __Host-Http-identity_gateway_browser=secure"}}
	require.Equal(t, "plain", Of(loopback, header))
	require.Equal(t, "secure", Of(public, header))
	header.Add("Cookie", "__Host-Http-identity_gateway_browser=another")
	require.Empty(t, Of(public, header), "nobody knows which")
}
