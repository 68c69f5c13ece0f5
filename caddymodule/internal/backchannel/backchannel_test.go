package backchannel

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"
	"github.com/stretchr/testify/require"
)

func TestUnmarshal(t *testing.T) {
	for source, want := range map[string]string{
		"transport http {\ndial_timeout 1s\n}": `{"protocol":"http","dial_timeout":1000000000}`,
		"transport":                            "transport needs the name of a transport of reverse_proxy, such as http",
		"transport nothing":                    "http.reverse_proxy.transport.nothing",
	} {
		d := caddyfile.NewTestDispenser(source)
		require.True(t, d.Next())
		raw, err := Unmarshal(d)
		if err != nil {
			require.ErrorContains(t, err, want)
			continue
		}
		require.JSONEq(t, want, string(raw))
	}
}

// module has a transport, as the handlers do.
type module struct {
	TransportRaw json.RawMessage `json:"transport,omitempty" caddy:"namespace=http.reverse_proxy.transport inline_key=protocol"`
}

func load(t *testing.T, raw string) (http.RoundTripper, string) {
	ctx, cancel := caddy.NewContext(caddy.Context{Context: t.Context()})
	t.Cleanup(cancel)
	m := &module{TransportRaw: json.RawMessage(raw)}
	if raw == "" {
		m.TransportRaw = nil
	}
	transport, trusts, err := Load(ctx, m, m.TransportRaw, time.Minute)
	require.NoError(t, err)
	return transport, trusts
}

func TestLoad(t *testing.T) {
	transport, trusts := load(t, "")
	require.Nil(t, transport)
	require.Empty(t, trusts)

	const raw = `{"protocol":"http","dial_timeout":1000000000}`
	transport, trusts = load(t, raw)
	require.Equal(t, raw, trusts)
	large := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Large", string(make([]byte, maxResponseHeader)))
		require.Empty(t, r.Header.Get("Accept-Encoding"))
	}))
	t.Cleanup(large.Close)
	for _, transport := range []http.RoundTripper{transport, New(time.Minute)} {
		r, err := http.NewRequest("GET", large.URL, nil)
		require.NoError(t, err)
		_, err = transport.RoundTrip(r)
		require.ErrorContains(t, err, "exceeded")
	}
}

// named is a transport that says who was asked.
type named string

func (n named) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{Status: string(n)}, nil
}

// What an operator says of the issuer's server, such as whom to believe, is not said of
// others.
func TestForOneOriginOnly(t *testing.T) {
	address, err := url.Parse("https://idp.example/tenant")
	require.NoError(t, err)
	transport := For(address, named("theirs"), time.Minute).(byOrigin)
	transport.others = named("others")
	for target, want := range map[string]string{
		"https://idp.example/token":      "theirs",
		"https://idp.example/":           "theirs",
		"http://idp.example/token":       "others",
		"https://idp.example:8443/token": "others",
		"https://keys.example/":          "others",
	} {
		r, err := http.NewRequest("GET", target, nil)
		require.NoError(t, err)
		got, err := transport.RoundTrip(r)
		require.NoError(t, err)
		require.Equal(t, want, got.Status, target)
	}
	transport.CloseIdleConnections()
}
