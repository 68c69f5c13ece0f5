package requiretoken

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// What one user may use is one number, however many rules and configurations there are:
// otherwise one holder of a token fills the store that all rules share.
func TestAFloodOfProofsAtSeveralRules(t *testing.T) {
	var rules [2]RequireToken
	for i := range rules {
		rules[i].Resource.Resource, rules[i].DPoP = "https://api.example", oauth.Optional
		rules[i].provisionProofs(new(accesstoken.Config))
		t.Cleanup(func() { _, _ = usedProofs.Delete(usedProofsKey) })
	}
	use := func(h *RequireToken, n int, holder string) error {
		proof := new(dpop.Proof)
		binary.BigEndian.PutUint64(proof.ID[:], uint64(n))
		return h.proofs.Use(t.Context(), proof, holder)
	}
	for n := range proofsOfAUser {
		require.NoError(t, use(&rules[0], n, "user"))
	}
	for i := range rules {
		require.ErrorContains(t, use(&rules[i], proofsOfAUser+i, "user"), "too many DPoP proofs")
	}
	require.NoError(t, use(&rules[1], 1<<20, "another user"))
}
