package identity

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// What SIZING.md and THREATS.md say of the replay store: the IdP's user is the same
// in all of these logins.
func TestLoginsOfOneAccountTakePlaces(t *testing.T) {
	g := newGateway(t, twoClients+"callback")
	places := g.handler.replay.(replay.Counter)
	before := places.Len() // the store is that of the process
	logIn := func(number int) {
		verifier := fmt.Sprintf("%043d", number)
		a := g.post("/oauth/token", tokenBody(verifier, g.logIn(verifier, fmt.Sprintf("code-of-one-account-%d", number))))
		require.Equal(t, 200, a.StatusCode, a.body)
	}
	logIn(0)
	each := places.Len() - before
	require.Positive(t, each)
	for number := 1; number < 400; number++ {
		logIn(number)
	}
	require.Equal(t, 400*each, places.Len()-before, "nothing counts them by account")
	t.Logf("%d claims for each login", each)
}
