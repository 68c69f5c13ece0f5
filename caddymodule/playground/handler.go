// Package playground serves a page on which people try the plugin's operations by
// hand: the handler gateway_playground and Caddyfile directive playground.
package playground

import (
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
)

func init() {
	caddy.RegisterModule(Handler{})
}

const (
	defaultPath  = "/playground"
	defaultScope = "openid profile email"
)

// Handler serves a page for people: it logs in through the gateway step by step and
// tries known attacks on that login, is an agent of an MCP server, splits messages
// while they are typed, and chooses snippets. It calls the operations of the same
// site as any client does, and has no access of its own to anything.
//
// To log in, the page is a client like any other: its own address must be a
// registered redirect URI, and it says so if it is not. All requests for other
// paths pass to the next handler.
type Handler struct {
	// The path of the page. Its scripts are below it. Default: `/playground`.
	Path string `json:"path,omitempty"`

	// The client id that the page proposes for logins. Placeholders such as
	// `{env.CLIENT_ID}` are resolved when the configuration is loaded. Default:
	// none; whoever uses the page writes one.
	Client string `json:"client,omitempty"`

	// The URL of an MCP server behind protect_mcp, for the page to be an agent of.
	// Its `origin` must have this site's. Default: none.
	MCP string `json:"mcp,omitempty"`

	page  *page
	files map[string]string // names by path
}

// CaddyModule returns the Caddy module information.
func (Handler) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.handlers.gateway_playground", New: func() caddy.Module { return new(Handler) }}
}

// Provision sets up the handler.
func (h *Handler) Provision(ctx caddy.Context) (err error) {
	defer args.SegmentOf(h).Locate(&err)
	if h.Path == "" {
		h.Path = defaultPath
	}
	client, err := args.Resolve("client", h.Client)
	if err != nil {
		return fmt.Errorf("playground: %w", err)
	}
	if h.files, err = embeddedFiles(h.Path); err != nil {
		return fmt.Errorf("playground: %w", err)
	}
	h.page, err = newPage(h.Path, settings{Path: h.Path, Client: client, Scope: defaultScope, MCP: h.MCP, Names: catalogueNames()})
	if err != nil {
		return fmt.Errorf("playground: %w", err)
	}
	ctx.Logger().Info("the playground is on: a page for people to try this site's operations, at " + h.Path)
	return nil
}

// Validate checks the configuration.
func (h *Handler) Validate() error {
	if !strings.HasPrefix(h.Path, "/") || h.Path != path.Clean(h.Path) || strings.ContainsAny(h.Path, "?#%*{}\\\"<> ") {
		return fmt.Errorf("playground: path %q must be a path such as %s, without escapes, wildcards and placeholders", h.Path, defaultPath)
	}
	if h.MCP == "" {
		return nil
	}
	if u, err := url.Parse(h.MCP); err != nil || u.Scheme != "https" && u.Scheme != "http" || !isHost(u.Host) || u.User != nil {
		return fmt.Errorf("playground: mcp %q must be the URL of an MCP server, such as https://mcp.example.com/mcp", h.MCP)
	}
	return nil
}

// isHost reports whether a host, which may have a port, can stand in a Content Security Policy.
func isHost(host string) bool {
	return host != "" && !strings.ContainsFunc(host, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune(".-:[]", c))
	})
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) error {
	file, isFile := h.files[r.URL.Path]
	if r.URL.RawPath != "" || !isFile && r.URL.Path != h.Path {
		return next.ServeHTTP(w, r)
	}
	header := w.Header()
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return nil
	}
	if !isFile {
		return h.page.serve(w, r)
	}
	header.Set("Content-Type", contentTypes[path.Ext(file)])
	header.Set("Cache-Control", "no-cache") // ask whether it has changed
	http.ServeFileFS(w, r, pageFiles, file)
	return nil
}

// Interface guards
var (
	_ caddy.Provisioner           = (*Handler)(nil)
	_ caddy.Validator             = (*Handler)(nil)
	_ caddyhttp.MiddlewareHandler = (*Handler)(nil)
	_ caddyfile.Unmarshaler       = (*Handler)(nil)
)
