package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/go-json-experiment/json"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
	"github.com/identity-gateway/caddy-identity-gateway/persona"
	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// languageScenario is a request to one endpoint, and the work behind it.
type languageScenario struct {
	name, path string
	body       []byte
	library    func() func() // for one goroutine at a time
	response   int           // bytes, as the endpoint gave them
}

// benchLanguage measures the technical-language endpoints against what they can't be
// faster than: a static response (Caddy's respond) of the same size to the same POST,
// whose body is read first, and behind which the server calls the library. They take turns
// within one run, with the same number of connections.
//
// It prints, per message size, the CPU time (user and system) that the server computes
// for both, and the share: bound / endpoint, the median over the rounds and, in parentheses,
// its quartiles.
func benchLanguage(p plan) (err error) {
	defer fail.Catch(&err)
	scenarios := fail.Must(languageScenarios())
	const site = "text_segmentation\npersonification\nbound /static/*\n"
	server, addresses := startServer("", site)
	defer server.Close()
	statics := site
	for i := range scenarios {
		s := &scenarios[i]
		response := fail.Must(http.Post("http://"+addresses[0]+s.path, "application/json", strings.NewReader(string(s.body))))
		content := fail.Must(io.ReadAll(response.Body))
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			fail.Now("%s responded %s: %s", s.name, response.Status, content)
		}
		s.response = len(content)
		statics += fmt.Sprintf("header /static/%[1]d Content-Length %[2]d\nrespond /static/%[1]d %[3]s\n", i, s.response, strings.Repeat("x", s.response))
	}
	server.Close()
	server, addresses = startServer("", statics)
	defer server.Close()

	fmt.Printf("%d connection(s), %d rounds of %v each\n\n", p.connections, p.rounds, p.round)
	fmt.Printf("%-20s %8s %8s %10s %10s %-17s %9s %10s %9s\n", "request", "body", "response", "bound CPU", "endpoint", "share", "bound /s", "endpoint", "p99")
	for i, s := range scenarios {
		to := func(name, path string) target {
			return target{name, server, addresses[0], fixed(rawPost(addresses[0], path, s.body)), http.StatusOK, s.response}
		}
		reached := fail.Must(compare(p, [2]target{
			to("static response and library", fmt.Sprintf("/static/%d?%s%[1]d", i, libraryQuery)), to(s.name, s.path),
		}))
		cpu, bound, endpoint := reached.cpu(0, 1), reached.medians(0), reached.medians(1)
		fmt.Printf("%-20s %7dB %7dB %10s %10s %-17s %9.0f %10.0f %9v\n", s.name, len(s.body), s.response,
			cpu[0], cpu[1], cpu[2], bound.perSecond, endpoint.perSecond, endpoint.p99)
	}
	return nil
}

func rawPost(host, target string, body []byte) []byte {
	return append(fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		target, host, len(body)), body...)
}

func languageScenarios() (all []languageScenario, err error) {
	defer fail.Catch(&err)
	segmenter, catalogue := segment.Default(), persona.Default()
	for _, size := range []int{200, 2_000, 20_000} {
		text := messageOf(size)
		all = append(all, languageScenario{
			name: fmt.Sprintf("segmentation %.1f KB", float64(size)/1000), path: segmentation,
			body: fail.Must(json.Marshal(map[string]string{"value": text})),
			library: func() func() {
				var classified []segment.Classified
				return func() { classified, _ = segmenter.AppendClassified(context.Background(), classified[:0], text) }
			},
		})
	}
	request := persona.Request{Languages: []string{"Python", "Go"}, Personas: []string{"Backend Developer", "SRE"}}
	return append(all, languageScenario{
		name: "personification", path: "/machine_learning/text/technical_language/generators/personification",
		body:    fail.Must(json.Marshal(map[string][]string{"languages": request.Languages, "personas": request.Personas})),
		library: func() func() { return func() { _, _ = catalogue.Generate(request, 0) } },
	}), nil
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

func init() {
	caddy.RegisterModule(bound{})
	httpcaddyfile.RegisterHandlerDirective("bound", func(h httpcaddyfile.Helper) (caddyhttp.MiddlewareHandler, error) {
		h.Next()
		return new(bound), nil
	})
	httpcaddyfile.RegisterDirectiveOrder("bound", httpcaddyfile.Before, "respond")
}

// bound is a handler of this program only, for what an endpoint can't be faster than. It
// reads the request body, which respond does not, does the work behind the scenario whose
// number is in the query, if there is one, and passes the request on.
type bound struct {
	calls []sync.Pool // for each scenario of func()
}

// libraryQuery precedes the number of a scenario in the query.
const libraryQuery = "library="

// CaddyModule returns the Caddy module information.
func (bound) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.handlers.bound", New: func() caddy.Module { return new(bound) }}
}

// Provision implements caddy.Provisioner.
func (b *bound) Provision(caddy.Context) error {
	all, err := languageScenarios()
	b.calls = make([]sync.Pool, len(all))
	for i, s := range all {
		b.calls[i].New = func() any { return s.library() }
	}
	return err
}

// ServeHTTP implements caddyhttp.MiddlewareHandler.
func (b *bound) ServeHTTP(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) (err error) {
	defer fail.Catch(&err)
	fail.Must(io.Copy(io.Discard, r.Body))
	if number, asked := strings.CutPrefix(r.URL.RawQuery, libraryQuery); asked {
		scenario := fail.Must(strconv.Atoi(number))
		call := b.calls[scenario].Get().(func())
		call()
		b.calls[scenario].Put(call)
	}
	return next.ServeHTTP(w, r)
}
