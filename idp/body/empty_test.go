package body_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
)

func TestWhetherARequestHasABody(t *testing.T) {
	for name, tt := range map[string]struct {
		declared int64 // -1: unknown, as always over HTTP/3 without Content-Length
		encoding []string
		body     string
		want     bool
	}{
		"none":                      {0, nil, "", true},
		"a declared one":            {3, nil, "abc", false},
		"none, undeclared":          {-1, nil, "", true},
		"an undeclared one":         {-1, nil, "abc", false},
		"a chunked one over HTTP/1": {-1, []string{"chunked"}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			r := &http.Request{Body: io.NopCloser(strings.NewReader(tt.body)), ContentLength: tt.declared, TransferEncoding: tt.encoding}
			require.Equal(t, tt.want, body.IsEmpty(r))
			if tt.want {
				require.Zero(t, r.ContentLength)
			}
			whole := must.Have(io.ReadAll(r.Body))(t)
			require.Equal(t, tt.body, string(whole), "it can be read afterwards")
			require.NoError(t, r.Body.Close())
		})
	}
}

func TestABodyThatIsCutOffIsNotEmpty(t *testing.T) {
	r := &http.Request{Body: io.NopCloser(iotest.ErrReader(io.ErrUnexpectedEOF)), ContentLength: -1}
	require.False(t, body.IsEmpty(r))
	_, err := io.ReadAll(r.Body)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}
