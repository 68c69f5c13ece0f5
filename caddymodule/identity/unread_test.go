package identity

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

// The 100 MB that the header promises never come: whoever waits for them waits
// until the client gives up.
func TestARefusalDoesNotWaitForTheBody(t *testing.T) {
	gateway, err := testgateway.Start(testgateway.Config{Site: "identity_gateway https://idp.example"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, gateway.Stop()) })
	for name, tt := range map[string]struct {
		method, target string
		want           int
	}{
		"another method": {http.MethodPut, "/oauth/token", http.StatusMethodNotAllowed},
		"too large":      {http.MethodPost, "/oauth/token", http.StatusRequestEntityTooLarge},
		"no body wanted": {http.MethodGet, "/authorize", http.StatusBadRequest},
		"another path":   {http.MethodPost, "/OAUTH/token", http.StatusNotFound},
	} {
		for _, expect := range []string{"", "Expect: 100-continue\r\n"} {
			t.Run(name+" "+expect, func(t *testing.T) {
				connection, err := net.Dial("tcp", gateway.Address())
				require.NoError(t, err)
				defer connection.Close()
				require.NoError(t, connection.SetDeadline(time.Now().Add(10*time.Second)))
				_, err = fmt.Fprintf(connection, "%s %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\n%sContent-Length: 100000000\r\n\r\n",
					tt.method, tt.target, gateway.Address(), expect)
				require.NoError(t, err)
				response, err := http.ReadResponse(bufio.NewReader(connection), nil)
				require.NoError(t, err)
				require.Equal(t, tt.want, response.StatusCode)
				require.True(t, response.Close, "the connection can't carry another request")
			})
		}
	}
}
