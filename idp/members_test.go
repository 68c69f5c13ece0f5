package idp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatIsNoJSONIsNotRewritten(t *testing.T) {
	require.Equal(t, `x""`, string(appendJSONString([]byte("x"), "\xff")), "what is no UTF-8 is nothing")
	for _, object := range []string{``, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,"a":2}`, `{1:2}`} {
		_, err := replaceMembers([]byte(object), member{"b", "c"})
		require.Error(t, err, object)
	}
	_, err := newSealedGateway(t).SealTokens(t.Context(), nil, Sealing{}, &TokenRequest{}, nil, []byte(`{}`))
	require.ErrorContains(t, err, "not the JSON of a token")
}
