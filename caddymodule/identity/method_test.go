package identity

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// RFC 9110 section 10.2.1: Allow lists the methods that the resource supports.
func TestAllowListsTheMethods(t *testing.T) {
	gateway := newGateway(t, "callback")
	for path, want := range map[string]string{
		"/authorize": "GET", "/oauth/token": "POST", "/userinfo": "GET", "/v2/logout": "GET", "/oauth/callback": "GET, POST",
	} {
		r, err := http.NewRequest(http.MethodDelete, gateway.URL+path, nil)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer response.Body.Close()
		require.Equal(t, http.StatusMethodNotAllowed, response.StatusCode)
		require.Equal(t, want, response.Header.Get("Allow"), path)
	}
}
