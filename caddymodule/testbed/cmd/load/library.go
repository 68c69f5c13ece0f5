package main

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

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
	calls []sync.Pool // for each scenario of func(), each for one goroutine at a time
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
