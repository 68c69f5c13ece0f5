package jsonobject

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
)

func TestWhatIsNoJSONIsNotRewritten(t *testing.T) {
	require.Equal(t, `x""`, string(AppendString([]byte("x"), "\xff")), "what is no UTF-8 is nothing")
	for _, object := range []string{``, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,"a":2}`, `{1:2}`} {
		_, err := Replace([]byte(object), Member{"b", "c"})
		require.Error(t, err, object)
	}
	kept := must.Have(Replace([]byte(`{"a":1}`), Member{"refresh_token", ""}))(t)
	require.Equal(t, `{"a":1}`, string(kept), "what was not there is not left out")
}
