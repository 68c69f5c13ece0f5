package main

import (
	"fmt"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// benchIdentity measures the identity gateway against the plain Caddy directives that
// do the same work without its checks, in the same process and to the same upstream:
// /authorize and the callback against redir, /oauth/token and /userinfo against
// reverse_proxy, without and with the option callback.
//
// It prints, of the plain directive and of the gateway, the CPU time that the
// server computes for one request (user and system), requests a second and the
// 99th percentile, and the two ratios: the median over the rounds and, in
// parentheses, its quartiles. Client and identity provider are another process.
//
// With callback, each /oauth/token request redeems a sealed code of its own. This
// program makes them with the gateway's key, so that no login has to begin over HTTP.
func benchIdentity(p plan) (err error) {
	defer fail.Catch(&err)
	idp := fail.Must(startIdP())
	logins := fail.Must(newLogins(idp))
	caddy, sites := startIdentity(idp)
	defer caddy.Close()

	fmt.Printf("%d connections, %d rounds of %v for each\n\n", p.connections, p.rounds, p.round)
	fmt.Printf("%-24s %10s %10s %-17s %8s %8s %-17s %8s %8s\n", "", "plain CPU", "gateway", "ratio", "plain /s", "gateway", "ratio", "p99", "gateway")
	for _, s := range []struct {
		name          string
		callback      int // whether the gateway has that option
		request       func(dst []byte, connection, n int) []byte
		plain, status int // the status of the plain directive's answer and of the gateway's
	}{
		{"/authorize", 0, fixed(logins.authorize()), 302, 302},
		{"/authorize, callback", 1, fixed(logins.authorize()), 302, 302},
		{"/oauth/callback", 1, fixed(logins.callback()), 302, 303},
		{"/oauth/token", 0, logins.token, 200, 200},
		{"/oauth/token, callback", 1, logins.sealedToken, 200, 200},
		{"/userinfo", 1, fixed(userInfo()), 200, 200},
	} {
		reached := fail.Must(compare(p, [2]target{
			{name: "plain " + s.name, server: caddy, address: sites[2], status: s.plain, request: s.request},
			{name: "gateway " + s.name, server: caddy, address: sites[s.callback], status: s.status, request: s.request},
		}))
		cpu, plain, gateway := reached.cpu(1, 0), reached.medians(0), reached.medians(1)
		fmt.Printf("%-24s %10s %10s %-17s %8.0f %8.0f %-17s %8v %8v\n", s.name, cpu[0], cpu[1], cpu[2],
			plain.perSecond, gateway.perSecond, reached.ratio(1, 0, round.rate), plain.p99, gateway.p99)
	}
	return nil
}
