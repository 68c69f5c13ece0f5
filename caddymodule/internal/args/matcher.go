package args

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
)

// OfPaths is what a matcher set says of method and path, nil if nothing.
// Conditions on anything else are taken to hold.
func OfPaths(set caddy.ModuleMap) func(method, path string) bool {
	ctx, cancel := caddy.NewContext(caddy.Context{Context: context.Background()})
	defer cancel()
	var matchers caddyhttp.MatcherSet
	for _, name := range []string{"path", "path_regexp", "method", "not"} {
		raw, ok := set[name]
		if !ok || strings.Contains(string(raw), "{") && name != "not" && name != "path_regexp" {
			continue
		}
		module, err := ctx.LoadModuleByID("http.matchers."+name, raw)
		if err == nil {
			matchers = append(matchers, module)
		}
	}
	if len(matchers) == 0 {
		return nil
	}
	return func(method, path string) bool {
		r := &http.Request{Method: method, URL: &url.URL{Path: path}, Header: make(http.Header)}
		r = caddyhttp.PrepareRequest(r, caddy.NewReplacer(), nil, new(caddyhttp.Server))
		matched, err := matchers.MatchWithError(r)
		return matched || err != nil
	}
}
