// Command bench-language measures the technical-language endpoints against what
// they can't be faster than: the same binary's static response of the same size
// (t_respond) plus the library call by itself (t_library). It prints, per message
// size, requests a second and the share of 1/(t_respond + t_library) that the
// endpoint reaches. The server is this program in a process of its own; requests
// to the endpoint, to the static response, and calls of the library take turns
// within one run, all with the same number of connections or callers. Where it
// is more than one, t_respond and t_library are what one costs the machine: the
// inverse of how many are done in a second. With one, the share includes what it
// takes to wake a sleeping client: the longer the response takes, the deeper it sleeps.
//
//	go run ./caddymodule/cmd/bench-language [-connections 8] [-rounds 5] [-round 2s]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/go-json-experiment/json"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/contract"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/loadtest"
	"github.com/identity-gateway/caddy-identity-gateway/persona"
	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

func main() {
	if loadtest.IsServer() {
		caddycmd.Main()
		return
	}
	var plan loadtest.Plan
	flag.IntVar(&plan.Connections, "connections", 8, "connections at the same time, and callers of the library")
	flag.IntVar(&plan.Rounds, "rounds", 5, "rounds, each of every target; the medians count")
	flag.DurationVar(&plan.Round, "round", 2*time.Second, "length of a round")
	flag.Parse()
	if err := run(plan); err != nil {
		fmt.Fprintln(os.Stderr, "bench-language:", err)
		os.Exit(1)
	}
}

// scenario is a request to one endpoint, and the work behind it.
type scenario struct {
	name    string
	path    string
	body    []byte
	library func() func()
	// response is the size of the response in bytes, as the endpoint gave it.
	response int
}

func run(plan loadtest.Plan) error {
	scenarios, err := scenarios()
	if err != nil {
		return err
	}
	server, err := startServer(nil)
	if err != nil {
		return err
	}
	for i := range scenarios {
		if scenarios[i].response, err = server.responseSize(scenarios[i]); err != nil {
			server.Stop()
			return err
		}
	}
	server.Stop()
	if server, err = startServer(scenarios); err != nil {
		return err
	}
	defer server.Stop()

	fmt.Printf("%d connection(s), %d rounds of %v each; medians\n\n", plan.Connections, plan.Rounds, plan.Round)
	fmt.Printf("%-22s %9s %9s %11s %11s %11s %9s %7s\n",
		"request", "body", "response", "respond/s", "endpoint/s", "t_library", "p99", "share")
	for i, s := range scenarios {
		results, err := loadtest.Compare(plan,
			loadtest.Target{
				Name: "respond", Address: server.address, Status: 200, Length: s.response,
				Request: loadtest.Fixed(post(server.address, staticPath(i), s.body)),
			},
			loadtest.Target{
				Name: s.name, Address: server.address, Status: 200, Length: s.response,
				Request: loadtest.Fixed(post(server.address, s.path, s.body)),
			},
			loadtest.Target{Name: "library", Call: s.library})
		if err != nil {
			return err
		}
		respond, endpoint, library := results[0], results[1], results[2].PerRequest()
		share := endpoint.PerSecond * (respond.PerRequest() + library).Seconds()
		fmt.Printf("%-22s %8dB %8dB %11.0f %11.0f %11v %9v %7.2f\n", s.name, len(s.body), s.response,
			respond.PerSecond, endpoint.PerSecond, library.Round(10*time.Nanosecond), endpoint.P99.Round(time.Microsecond), share)
	}
	return nil
}

func scenarios() ([]scenario, error) {
	var all []scenario
	segmenter := segment.Default()
	for _, size := range []int{200, 2_000, 20_000} {
		text := messageOf(size)
		body, err := json.Marshal(map[string]string{"value": text})
		if err != nil {
			return nil, err
		}
		all = append(all, scenario{
			name: fmt.Sprintf("segmentation %.1f KB", float64(size)/1000),
			path: "/machine_learning/text/technical_language/parsers/segmentation?classify=true",
			body: body,
			library: func() func() {
				var classified []segment.Classified
				return func() { classified, _ = segmenter.AppendClassified(context.Background(), classified[:0], text) }
			},
		})
	}
	request := persona.Request{Languages: []string{"Python", "Go"}, Personas: []string{"Backend Developer", "SRE"}}
	body, err := json.Marshal(map[string][]string{"languages": request.Languages, "personas": request.Personas})
	if err != nil {
		return nil, err
	}
	catalogue := persona.Default()
	writer := contract.NewSelectionWriter(contract.Application{}.WithDefaults())
	all = append(all, scenario{
		name: "personification",
		path: "/machine_learning/text/technical_language/generators/personification",
		body: body,
		library: func() func() {
			var response []byte
			return func() {
				selection, _ := catalogue.Generate(request, 0) // a request of this program's own is in bounds
				response = writer.Append(response[:0], selection)
			}
		},
	})
	return all, nil
}

func post(host, target string, body []byte) []byte {
	return append(fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		target, host, len(body)), body...)
}

func staticPath(scenario int) string { return fmt.Sprintf("/static/%d", scenario) }

type server struct {
	*loadtest.Server
	address string
}

// startServer starts a Caddy with the endpoints and, for each scenario, a static
// response of the same size as the endpoint's.
func startServer(scenarios []scenario) (*server, error) {
	address, err := loadtest.FreeAddress()
	if err != nil {
		return nil, err
	}
	var caddyfile strings.Builder
	fmt.Fprintf(&caddyfile, "{\n\tadmin off\n\tlog {\n\t\tlevel ERROR\n\t}\n}\nhttp://%s {\n\ttext_segmentation\n\tpersonification\n", address)
	for i, s := range scenarios {
		fmt.Fprintf(&caddyfile, "\theader %[1]s Content-Length %[2]d\n\trespond %[1]s %[3]s\n",
			staticPath(i), s.response, strings.Repeat("x", s.response))
	}
	caddyfile.WriteString("}\n")
	process, err := loadtest.StartServer(caddyfile.String(), address)
	if err != nil {
		return nil, err
	}
	return &server{Server: process, address: address}, nil
}
