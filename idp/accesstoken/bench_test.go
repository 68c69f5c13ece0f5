package accesstoken_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
)

// What the check of a token costs: the first time, when the signature is verified,
// and while it is remembered.
func BenchmarkVerify(b *testing.B) {
	for _, key := range []signingKey{newRS256(b, "k1"), newES256(b, "k1")} {
		i := newIssuer(b, key)
		v := i.verifier(b, nil)
		forgetful := i.verifier(b, func(c *accesstoken.Config) {
			start, calls := i.now(), time.Duration(0)
			c.CacheTTL, c.Now = time.Nanosecond, func() time.Time { calls++; return start.Add(calls) }
		})
		token := i.token(b)
		accepted(b, v, token)
		accepted(b, forgetful, token)
		b.Run(string(key.algorithm)+"/first", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := forgetful.Verify(b.Context(), token)
				require.NoError(b, err)
			}
		})
		b.Run(string(key.algorithm)+"/remembered", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := v.Verify(b.Context(), token)
				require.NoError(b, err)
			}
		})
	}
}

// What a token of an identity gateway's own costs each time: nothing of it is remembered.
func BenchmarkVerifyGateway(b *testing.B) {
	for name, upstream := range map[string]string{"alone": "", "with the IdP's token": strings.Repeat("x", 1500)} {
		g := newGateway(b)
		v, token := g.verifier(b, nil), g.token(func(t *gatewaytoken.Token) { t.Upstream = upstream })
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := v.Verify(b.Context(), token)
				require.NoError(b, err)
			}
			b.ReportMetric(float64(len(token)), "bytes/token")
		})
	}
}
