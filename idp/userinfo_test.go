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

// OpenID Connect Core 1.0 section 5.3.1: GET or POST, the token in the header. What a form says goes no further.
func TestUserInfoByPOST(t *testing.T) {
	for name, tt := range map[string]struct {
		form   string
		header []string
		status int
	}{
		"no body":             {"", []string{"Authorization", "Bearer at"}, 200},
		"a form":              {"schema=openid", []string{"Authorization", "Bearer at"}, 200},
		"a token in the form": {"access_token=at", nil, 400},
		"two tokens":          {"access_token=at", []string{"Authorization", "Bearer at"}, 400},
		"no token":            {"", nil, 401},
		"JSON":                {"{}", []string{"Authorization", "Bearer at", "Content-Type", "application/json"}, 400},
	} {
		t.Run(name, func(t *testing.T) {
			a := newServed(t)
			result := a.do("POST", "/userinfo", tt.form, tt.header...)
			require.Equal(t, tt.status, result.Status)
			if tt.status != 200 {
				require.Contains(t, result.Header.Get("WWW-Authenticate"), "Bearer")
				return
			}
			sent := a.sent[len(a.sent)-1]
			require.Equal(t, "GET", sent.Method)
			require.Zero(t, sent.ContentLength)
		})
	}
}
