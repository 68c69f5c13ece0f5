package main

import (
	"fmt"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/loadtest"
)

// identityScenario is a request that the gateway and a plain directive answer.
type identityScenario struct {
	name string
	// callback reports that it goes to the gateway with that option.
	callback      bool
	request       func(dst []byte, connection, n int) []byte
	plain, status int // the status of the plain directive's answer and of the gateway's
}

// benchIdentity measures the identity gateway against the plain Caddy directives that
// do the same work without its checks, in the same process and to the same upstream:
// /authorize and the callback against redir, /oauth/token and /userinfo against
// reverse_proxy, without and with the option callback.
//
// It prints, of the plain directive and of the gateway, the CPU time that the
// server computes for one request (user and system), requests a second and the
// 99th percentile, and the two ratios: the median over the rounds and, in
// parentheses, its quartiles. The targets take turns in short rounds, so that a
// machine whose speed drifts slows both alike. Client and identity provider are
// another process.
//
// With callback, each /oauth/token request redeems a sealed code of its own. This
// program makes them with the gateway's key, so that no login has to begin over HTTP.
func benchIdentity(plan loadtest.Plan) (err error) {
	defer fail.Catch(&err)
	idp := fail.Must(startIdP())
	logins := fail.Must(newLogins(idp))
	caddy := fail.Must(startCaddy(idp))
	defer caddy.Close()

	fmt.Printf("%d connections, %d rounds of %v for each\n\n", plan.Connections, plan.Rounds, plan.Round)
	fmt.Printf("%-24s %10s %10s %-17s %8s %8s %-17s %8s %8s\n", "", "plain CPU", "gateway", "ratio", "plain /s", "gateway", "ratio", "p99", "gateway")
	for _, s := range []identityScenario{
		{"/authorize", false, loadtest.Fixed(logins.authorize()), 302, 302},
		{"/authorize, callback", true, loadtest.Fixed(logins.authorize()), 302, 302},
		{"/oauth/callback", true, loadtest.Fixed(logins.callback()), 302, 303},
		{"/oauth/token", false, logins.token, 200, 200},
		{"/oauth/token, callback", true, logins.sealedToken, 200, 200},
		{"/userinfo", true, loadtest.Fixed(userInfo()), 200, 200},
	} {
		gateway := caddy.gateway
		if s.callback {
			gateway = caddy.callback
		}
		results, err := loadtest.Compare(plan,
			loadtest.Target{Name: "plain " + s.name, Server: caddy.Process, Address: caddy.plain, Status: s.plain, Request: s.request},
			loadtest.Target{Name: "gateway " + s.name, Server: caddy.Process, Address: gateway, Status: s.status, Request: s.request})
		if err != nil {
			return err
		}
		reportIdentity(s.name, results)
	}
	return nil
}

// reportIdentity prints what the plain directive and the gateway reached.
func reportIdentity(name string, results []loadtest.Result) {
	plain, gateway := results[0], results[1]
	cpu := [3]string{"-", "-", "-"}
	if caddyprocess.HasCPUTime {
		ratio := loadtest.Each(func(turn []loadtest.Round) float64 { return float64(turn[1].CPU) / float64(turn[0].CPU) }, plain, gateway)
		cpu = [3]string{plain.CPU.Round(100 * time.Nanosecond).String(), gateway.CPU.Round(100 * time.Nanosecond).String(), ratio.String()}
	}
	throughput := loadtest.Each(func(turn []loadtest.Round) float64 { return turn[1].PerSecond / turn[0].PerSecond }, plain, gateway)
	fmt.Printf("%-24s %10s %10s %-17s %8.0f %8.0f %-17s %8v %8v\n", name, cpu[0], cpu[1], cpu[2],
		plain.PerSecond, gateway.PerSecond, throughput,
		plain.P99.Round(10*time.Microsecond), gateway.P99.Round(10*time.Microsecond))
}
