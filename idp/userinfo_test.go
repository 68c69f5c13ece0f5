package idp

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheSchemeIsWrittenAsInRFC6750(t *testing.T) {
	r, err := testPolicy(t).parseUserInfo("", http.Header{"Authorization": {"bearer a.b"}}, false)
	require.NoError(t, err)
	require.Equal(t, "Bearer a.b", r.authorization())
}
