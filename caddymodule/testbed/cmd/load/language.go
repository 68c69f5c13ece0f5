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
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
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
// whose body is read first, and behind which the server calls the library. They take turns
// within one run, with the same number of connections.
//
// It prints, per message size, the CPU time (user and system) that the server computes
// for both, and the share: bound / endpoint, the median over the rounds and, in parentheses,
// its quartiles.
func benchLanguage(plan loadtest.Plan) (err error) {
	defer fail.Catch(&err)
	scenarios := fail.Must(languageScenarios())
	server := fail.Must(startLanguage(nil))
	for i := range scenarios {
		if scenarios[i].response, err = server.responseSize(scenarios[i]); err != nil {
			server.Close()
			return err
		}
	}
	server.Close()
	server = fail.Must(startLanguage(scenarios))
	defer server.Close()

	fmt.Printf("%d connection(s), %d rounds of %v each\n\n", plan.Connections, plan.Rounds, plan.Round)
	fmt.Printf("%-20s %8s %8s %10s %10s %-17s %9s %10s %9s\n", "request", "body", "response", "bound CPU", "endpoint", "share", "bound /s", "endpoint", "p99")
	for i, s := range scenarios {
		results, err := loadtest.Compare(plan,
			server.target("static response and library", fmt.Sprintf("%s?%s%d", staticPath(i), libraryQuery, i), s),
			server.target(s.name, s.path, s))
		if err != nil {
			return err
		}
		bound, endpoint := results[0], results[1]
		cpu := [3]string{"-", "-", "-"}
		if caddyprocess.HasCPUTime {
			share := loadtest.Each(func(turn []loadtest.Round) float64 { return float64(turn[0].CPU) / float64(turn[1].CPU) }, bound, endpoint)
			cpu = [3]string{bound.CPU.Round(100 * time.Nanosecond).String(), endpoint.CPU.Round(100 * time.Nanosecond).String(), share.String()}
		}
		fmt.Printf("%-20s %7dB %7dB %10s %10s %-17s %9.0f %10.0f %9v\n", s.name, len(s.body), s.response,
			cpu[0], cpu[1], cpu[2], bound.PerSecond, endpoint.PerSecond, endpoint.P99.Round(10*time.Microsecond))
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

func languageScenarios() (_ []languageScenario, err error) {
	defer fail.Catch(&err)
	var all []languageScenario
	segmenter := segment.Default()
	for _, size := range []int{200, 2_000, 20_000} {
		text := messageOf(size)
		body := fail.Must(json.Marshal(map[string]string{"value": text}))
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
	body := fail.Must(json.Marshal(map[string][]string{"languages": request.Languages, "personas": request.Personas}))
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
func (s *languageServer) responseSize(of languageScenario) (_ int, err error) {
	defer fail.Catch(&err)
	response := fail.Must(http.Post("http://"+s.address+of.path, "application/json", bytes.NewReader(of.body)))
	defer response.Body.Close()
	content := fail.Must(io.ReadAll(response.Body))
	if response.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("%s responded %s: %s", of.name, response.Status, content)
	}
	return len(content), nil
}
