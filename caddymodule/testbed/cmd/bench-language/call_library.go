package main

import (
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
)

func init() {
	caddy.RegisterModule(callLibrary{})
	httpcaddyfile.RegisterHandlerDirective("call_library", func(h httpcaddyfile.Helper) (caddyhttp.MiddlewareHandler, error) {
		h.Next()
		return new(callLibrary), nil
	})
	httpcaddyfile.RegisterDirectiveOrder("call_library", httpcaddyfile.Before, "respond")
}

// callLibrary is a handler of this program only. It does the work behind the
// scenario whose number is in the query, if there is one, and passes the request on.
type callLibrary struct {
	calls []sync.Pool // for each scenario of func(), each for one goroutine at a time
}

// libraryQuery precedes the number of a scenario in the query.
const libraryQuery = "library="

// CaddyModule returns the Caddy module information.
func (callLibrary) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.handlers.call_library", New: func() caddy.Module { return new(callLibrary) }}
}

// Provision implements caddy.Provisioner.
func (c *callLibrary) Provision(caddy.Context) error {
	all, err := scenarios()
	c.calls = make([]sync.Pool, len(all))
	for i, s := range all {
		c.calls[i].New = func() any { return s.library() }
	}
	return err
}

// ServeHTTP implements caddyhttp.MiddlewareHandler.
func (c *callLibrary) ServeHTTP(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) error {
	if number, asked := strings.CutPrefix(r.URL.RawQuery, libraryQuery); asked {
		scenario, err := strconv.Atoi(number)
		if err != nil {
			return err
		}
		call := c.calls[scenario].Get().(func())
		call()
		c.calls[scenario].Put(call)
	}
	return next.ServeHTTP(w, r)
}
