//go:build unix

package redis

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
)

// What an operator ends at one node has ended at the other.
func TestAnEndingHoldsAtTwoNodes(t *testing.T) {
	url := startServer(t).url()
	config, err := rotation.Config{}.Complete()
	require.NoError(t, err)
	site := rotation.Site{IdP: "https://idp.example", Context: "site"}
	here := rotation.New(config, site, provision(t, &Store{URL: url}))
	there := rotation.New(config, site, provision(t, &Store{URL: url, timeout: defaultTimeout + 1}))
	ada, eve, issued := rotation.Whose{User: "ada"}, rotation.Whose{User: "eve"}, time.Now()
	require.False(t, there.Endings.Has(ada, issued))
	require.NoError(t, here.End(t.Context(), rotation.OfUser, "ada", issued))
	require.Eventually(t, func() bool { return there.Endings.Has(ada, issued) }, 5*time.Second, 50*time.Millisecond)
	require.False(t, there.Endings.Has(eve, issued))
	require.True(t, errors.Is(there.CheckEnded(t.Context(), ada, issued), rotation.ErrLoggedOut))
	require.NoError(t, there.CheckEnded(t.Context(), ada, issued.Add(time.Minute)))
}
