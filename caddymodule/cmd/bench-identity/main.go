// Command bench-identity measures the identity gateway against the plain Caddy
// directives that do the same work without its checks, in the same process and
// to the same upstream: /authorize against redir, /oauth/token and /userinfo
// against reverse_proxy. It prints requests a second, the 99th percentile and
// the ratio. The targets take turns in short rounds, so that a machine whose
// speed drifts slows all of them alike.
//
// The ledger is on: each /oauth/token request exchanges a code of its own for a
// login that was begun before the measurement.
//
//	go run ./caddymodule/cmd/bench-identity [-connections 16] [-rounds 7] [-round 1s] [-logins 200000]
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	_ "github.com/caddyserver/caddy/v2/modules/standard"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/loadtest"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

func main() {
	if loadtest.IsServer() {
		caddycmd.Main()
		return
	}
	var plan loadtest.Plan
	flag.IntVar(&plan.Connections, "connections", 16, "connections at the same time")
	flag.IntVar(&plan.Rounds, "rounds", 7, "rounds, each of every target; the medians count")
	flag.DurationVar(&plan.Round, "round", time.Second, "length of a round")
	logins := flag.Int("logins", 200_000, "logins to begin before the measurement, for all exchanges of the run")
	flag.Parse()
	if err := run(plan, *logins); err != nil {
		fmt.Fprintln(os.Stderr, "bench-identity:", err)
		os.Exit(1)
	}
}

func run(plan loadtest.Plan, logins int) error {
	upstream, err := startIdP()
	if err != nil {
		return err
	}
	caddy, err := startCaddy(upstream)
	if err != nil {
		return err
	}
	defer caddy.Stop()

	fmt.Printf("beginning %d logins ...\n", logins)
	perConnection := logins / plan.Connections
	for connection := range plan.Connections {
		if err := begin(caddy.gateway, connection, perConnection); err != nil {
			return err
		}
	}
	fmt.Printf("%d connections, %d rounds of %v for each; medians\n\n", plan.Connections, plan.Rounds, plan.Round)
	fmt.Printf("%-14s %14s %10s %14s %10s %7s\n", "", "plain /s", "p99", "gateway /s", "p99", "ratio")
	for _, c := range []struct {
		name    string
		request func(dst []byte, connection, n int) []byte
		status  int
	}{
		{"/authorize", authorize, 302},
		{"/oauth/token", token, 200},
		{"/userinfo", loadtest.Fixed([]byte(userInfo)), 200},
	} {
		results, err := loadtest.Compare(plan,
			loadtest.Target{Name: "plain " + c.name, Address: caddy.plain, Status: c.status, Request: c.request},
			loadtest.Target{Name: "gateway " + c.name, Address: caddy.gateway, Status: c.status, Request: c.request})
		if err != nil {
			return fmt.Errorf("%w (if the logins ran out: more -logins)", err)
		}
		plain, gateway := results[0], results[1]
		fmt.Printf("%-14s %14.0f %10v %14.0f %10v %7.2f\n", c.name,
			plain.PerSecond, plain.P99.Round(10*time.Microsecond),
			gateway.PerSecond, gateway.P99.Round(10*time.Microsecond), gateway.PerSecond/plain.PerSecond)
	}
	return nil
}

// verifier is another one for each request.
func verifier(connection, n int) string { return fmt.Sprintf("%022d-%020d", connection, n) }

func authorize(dst []byte, connection, n int) []byte {
	return fmt.Appendf(dst, "GET /authorize?audience=https%%3A%%2F%%2Fapi.example.com&scope=openid%%20profile%%20email&response_type=code"+
		"&client_id=5f9YqR7o3sKq2Wb1&code_challenge_method=S256&code_challenge=%s&response_mode=query&state=Zm9vYmFyYmF6"+
		"&redirect_uri=https%%3A%%2F%%2Fapp.example.com%%2Fcallback HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: text/html\r\n\r\n",
		idp.Verifier(verifier(connection, n)).S256())
}

func token(dst []byte, connection, n int) []byte {
	body := fmt.Sprintf("grant_type=authorization_code&client_id=5f9YqR7o3sKq2Wb1&code=SplxlOBeZQQYbYS6WxSbIA-%d-%d&code_verifier=%s"+
		"&redirect_uri=https%%3A%%2F%%2Fapp.example.com%%2Fcallback", connection, n, verifier(connection, n))
	return fmt.Appendf(dst, "POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: application/json\r\n"+
		"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

var (
	jwt      = strings.Repeat("eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9", 20)
	userInfo = "GET /userinfo HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: application/json\r\nAuthorization: Bearer " + jwt + "\r\n\r\n"
)

// begin sends the authorization requests of one connection, many at a time.
func begin(address string, connection, count int) error {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	failure := make(chan error, 1)
	go func() {
		reader := bufio.NewReader(conn)
		for range count {
			response, err := http.ReadResponse(reader, nil)
			if err != nil {
				failure <- err
				return
			}
			if response.StatusCode != http.StatusFound {
				failure <- fmt.Errorf("a login could not begin: %s", response.Status)
				return
			}
		}
		failure <- nil
	}()
	writer := bufio.NewWriterSize(conn, 64<<10)
	var request []byte
	for n := range count {
		request = authorize(request[:0], connection, n)
		if _, err := writer.Write(request); err != nil {
			return err
		}
	}
	if err := writer.Flush(); err != nil {
		return err
	}
	return <-failure
}

// startIdP serves canned responses from this process.
func startIdP() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	tokenResponse := `{"access_token":"` + jwt + `","id_token":"` + jwt + `","scope":"openid profile email","expires_in":86400,"token_type":"Bearer"}`
	const user = `{"sub":"auth0|507f1f77bcf86cd799439020","name":"Jane Doe","nickname":"jane","email":"jane@example.com",` +
		`"email_verified":true,"picture":"https://cdn.example.com/jane.png","updated_at":"2026-01-01T00:00:00.000Z"}`
	mux := http.NewServeMux()
	response := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Cache-Control", "no-store")
			w.Header().Set("Content-Length", fmt.Sprint(len(body)))
			_, _ = io.WriteString(w, body)
		}
	}
	mux.Handle("/oauth/token", response(tokenResponse))
	mux.Handle("/userinfo", response(user))
	go func() { _ = http.Serve(listener, mux) }() // until the process ends
	return listener.Addr().String(), nil
}

type caddyProcess struct {
	*loadtest.Server
	gateway, plain string
}

// startCaddy starts a Caddy with two sites: the gateway, and the plain
// directives.
func startCaddy(upstream string) (*caddyProcess, error) {
	gateway, err := loadtest.FreeAddress()
	if err != nil {
		return nil, err
	}
	plain, err := loadtest.FreeAddress()
	if err != nil {
		return nil, err
	}
	process, err := loadtest.StartServer(fmt.Sprintf(`{
		admin off
		log {
			level ERROR
		}
	}
	http://localhost:%s {
		bind 127.0.0.1
		identity_gateway http://%s
	}
	http://localhost:%s {
		bind 127.0.0.1
		redir /authorize http://%s{uri} 302
		reverse_proxy %s
	}`, port(gateway), upstream, port(plain), upstream, upstream), plain)
	if err != nil {
		return nil, err
	}
	return &caddyProcess{Server: process, gateway: gateway, plain: plain}, nil
}

func port(address string) string { return address[strings.LastIndexByte(address, ':')+1:] }
