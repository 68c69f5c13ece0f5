package smuggling

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// Over HTTP/3 nothing says in advance that a request has no body (RFC 9114 section 4.1).
func TestRequestsWithoutABodyOverHTTP3(t *testing.T) {
	idp := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"sub":"u"}`)
	}))
	t.Cleanup(idp.Close)
	g, _, address := startSecure(t, "identity_gateway "+idp.URL+"\n\tpersonification\n\trequire_token /orders https://idp.example https://api.example\n\trespond 204")
	t.Cleanup(g.Close)
	request := func(body, method, path string, header ...[2]string) int {
		fields := [][2]string{{":method", method}, {":scheme", "https"}, {":authority", site}, {":path", path}}
		status, err := sendHTTP3(address, &framedRequest{body: body, fields: append(fields, header...)})
		require.NoError(t, err)
		return status
	}
	bearer := [2]string{"authorization", "Bearer a"}
	require.Equal(t, 200, request("", "GET", "/userinfo", bearer))
	require.Equal(t, 400, request("access_token=b", "GET", "/userinfo", bearer))
	require.Equal(t, 200, request("", "POST", "/machine_learning/text/technical_language/generators/personification"))

	preflight := [][2]string{{"origin", "https://app.example"}, {"access-control-request-method", "PUT"}}
	require.Equal(t, 204, request("", "OPTIONS", "/orders", preflight...))
	require.Equal(t, 401, request("_method=DELETE", "OPTIONS", "/orders", preflight...))
}
