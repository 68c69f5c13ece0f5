package upstream

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

func TestEachRowOfGrantedNamesHasItsSource(t *testing.T) {
	names := grantedNames()
	rows := append(names.Scopes, names.Audiences...)
	require.NotEmpty(t, rows)
	for _, row := range rows {
		require.NotEmpty(t, row.Source, row.Granted)
		require.Contains(t, []string{"", "entra", "keycloak"}, row.At, row.Granted)
		require.Equal(t, strings.HasSuffix(row.Granted, "*"), strings.HasSuffix(row.As, "*"), row.Granted)
		if row.At == "entra" {
			require.Equal(t, strings.ToLower(row.Granted+row.As), row.Granted+row.As, "they are compared in lower case")
		}
	}
}

func TestGitHubsErrorForAUserWithoutAVerifiedAddress(t *testing.T) {
	require.Equal(t, oauth.AccessDenied, standardCode("unverified_user_email"))
}
