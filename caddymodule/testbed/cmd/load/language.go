package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/loadtest"
	"github.com/identity-gateway/caddy-identity-gateway/persona"
	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// languageScenario is a request to one endpoint, and the work behind it.
type languageScenario struct {
	name    string
	path    string
	body    []byte
	library func() func()
	// response is the size of the response in bytes, as the endpoint gave it.
	response int
}

// benchLanguage measures the technical-language endpoints against what they can't be
// faster than: a static response (Caddy's respond) of the same size to the same POST,
// whose body is read first, plus the library call by itself. They take turns within one
// run: requests to the endpoint, to the static response, and calls of the library in this
// process, all with the same number of connections or callers.
//
// It prints, per message size, the CPU time (user and system) that the server computes
// for a static response and for the endpoint's, that of a library call, and the share:
// (static + library) / endpoint, the median over the rounds and, in parentheses, its
// quartiles. The same share of throughput stands beside it. A library call in a loop
// finds all that it needs in the processor's caches, as no request does; so the last
// columns are of a static response behind which the server calls the library ("both"),
// and the share of that: both / endpoint. In throughput, what a request or a call costs is
// the inverse of how many are done in a second; with one connection the share includes
// what it takes to wake a sleeping client.
func benchLanguage(plan loadtest.Plan) error {
	scenarios, err := languageScenarios()
	if err != nil {
		return err
	}
	server, err := startLanguage(nil)
	if err != nil {
		return err
	}
	for i := range scenarios {
		if scenarios[i].response, err = server.responseSize(scenarios[i]); err != nil {
			server.Close()
			return err
		}
	}
	server.Close()
	if server, err = startLanguage(scenarios); err != nil {
		return err
	}
	defer server.Close()

	fmt.Printf("%d connection(s), %d rounds of %v each\n\n", plan.Connections, plan.Rounds, plan.Round)
	fmt.Printf("%-20s %8s %8s %10s %10s %10s %-17s %10s %-17s %9s %10s %9s %-17s\n", "request", "body", "response",
		"static CPU", "endpoint", "library", "share", "both", "of both", "static /s", "endpoint", "p99", "share")
	for i, s := range scenarios {
		results, err := loadtest.Compare(plan,
			server.target("static response", staticPath(i), s),
			server.target(s.name, s.path, s),
			loadtest.Target{Name: "library", Call: s.library},
			server.target("static response and library", fmt.Sprintf("%s?%s%d", staticPath(i), libraryQuery, i), s))
		if err != nil {
			return err
		}
		reportLanguage(s, results)
	}
	return nil
}

// target is the request of s, sent to path.
func (s *languageServer) target(name, path string, of languageScenario) loadtest.Target {
	return loadtest.Target{
		Name: name, Server: s.Process, Address: s.address, Status: http.StatusOK, Length: of.response,
		Request: loadtest.Fixed(rawPost(s.address, path, of.body)),
	}
}

// reportLanguage prints what the static response, the endpoint, the library and the static
// response behind it reached.
func reportLanguage(s languageScenario, results []loadtest.Result) {
	static, endpoint, library, both := results[0], results[1], results[2], results[3]
	share := func(cost func(loadtest.Round) time.Duration) loadtest.Spread {
		return loadtest.Each(func(turn []loadtest.Round) float64 {
			return float64(cost(turn[0])+cost(turn[2])) / float64(cost(turn[1]))
		}, static, endpoint, library)
	}
	cpu := [6]string{"-", "-", "-", "-", "-", "-"}
	if caddyprocess.HasCPUTime {
		for i, result := range results {
			cpu[i] = result.CPU.Round(100 * time.Nanosecond).String()
		}
		cpu[4] = share(func(r loadtest.Round) time.Duration { return r.CPU }).String()
		cpu[5] = loadtest.Each(func(turn []loadtest.Round) float64 {
			return float64(turn[0].CPU) / float64(turn[1].CPU)
		}, both, endpoint).String()
	}
	fmt.Printf("%-20s %7dB %7dB %10s %10s %10s %-17s %10s %-17s %9.0f %10.0f %9v %-17s\n", s.name, len(s.body), s.response,
		cpu[0], cpu[1], cpu[2], cpu[4], cpu[3], cpu[5], static.PerSecond, endpoint.PerSecond, endpoint.P99.Round(10*time.Microsecond),
		share(loadtest.Round.PerRequest))
}

func languageScenarios() ([]languageScenario, error) {
	var all []languageScenario
	segmenter := segment.Default()
	for _, size := range []int{200, 2_000, 20_000} {
		text := messageOf(size)
		body, err := json.Marshal(map[string]string{"value": text})
		if err != nil {
			return nil, err
		}
		all = append(all, languageScenario{
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
	all = append(all, languageScenario{
		name: "personification",
		path: "/machine_learning/text/technical_language/generators/personification",
		body: body,
		library: func() func() {
			return func() { _, _ = catalogue.Generate(request, 0) }
		},
	})
	return all, nil
}

func rawPost(host, target string, body []byte) []byte {
	return append(fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		target, host, len(body)), body...)
}

func staticPath(scenario int) string { return fmt.Sprintf("/static/%d", scenario) }

type languageServer struct {
	*caddyprocess.Process
	address string
}

// startLanguage starts a Caddy with the endpoints and, for each scenario, a static
// response of the same size as the endpoint's to a request whose body was read.
func startLanguage(scenarios []languageScenario) (*languageServer, error) {
	var site strings.Builder
	site.WriteString("text_segmentation\npersonification\nbound /static/*\n")
	for i, s := range scenarios {
		fmt.Fprintf(&site, "header %[1]s Content-Length %[2]d\nrespond %[1]s %[3]s\n",
			staticPath(i), s.response, strings.Repeat("x", s.response))
	}
	process, address, err := startServer("", site.String())
	if err != nil {
		return nil, err
	}
	return &languageServer{Process: process, address: address}, nil
}

//go:embed message.md
var sample string

// messageOf returns a message of about size bytes: whole lines of the sample,
// over again if it has fewer.
func messageOf(size int) string {
	var message strings.Builder
	for {
		for line := range strings.Lines(sample) {
			message.WriteString(line)
			if message.Len() >= size {
				return message.String()
			}
		}
	}
}

// responseSize asks the endpoint once.
func (s *languageServer) responseSize(of languageScenario) (int, error) {
	response, err := http.Post("http://"+s.address+of.path, "application/json", bytes.NewReader(of.body))
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err
	}
	if response.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("%s responded %s: %s", of.name, response.Status, content)
	}
	return len(content), nil
}
