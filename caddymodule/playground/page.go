package playground

import (
	"bytes"
	"crypto/rand"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/docs"
	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

// settings are what the page's scripts are told, as JSON.
type settings struct {
	Path   string `json:"path"`
	Client string `json:"client"`
	Scope  string `json:"scope"`
	MCP    string `json:"mcp"`
	Names  names  `json:"names"`
}

// names are what the page suggests for a person's languages and personas.
type names struct {
	Languages []suggestion `json:"languages"`
	Personas  []suggestion `json:"personas"`
}

// suggestion is a name with others that it is found by.
type suggestion struct {
	Name string   `json:"name"`
	Also []string `json:"also,omitempty"`
	Kind string   `json:"kind,omitempty"`
}

// catalogueNames are the names of the embedded catalogue. One that an operator has
// added is understood all the same: people can write what is not suggested.
func catalogueNames() names {
	var n names
	catalogue := persona.Default()
	for _, l := range catalogue.Languages() {
		n.Languages = append(n.Languages, suggestion{l.Name, slices.Concat(l.Aliases, l.Extensions), "language"})
	}
	products := slices.Clone(catalogue.Products())
	slices.SortStableFunc(products, func(a, b *persona.Product) int { // those that snippets are about first
		return len(b.Snippets()) - len(a.Snippets())
	})
	for _, p := range products {
		n.Languages = append(n.Languages, suggestion{p.Name, p.Spelling, "framework or tool"})
	}
	for _, p := range catalogue.Personas() {
		n.Personas = append(n.Personas, suggestion{Name: p.Name, Also: p.Aliases})
	}
	return n
}

// page is the page itself: its own for each request, because its nonce is.
type page struct {
	template *template.Template
	base     string // of the paths of its files
	mcp      string // the origin of the MCP server, with a space in front, or ""
	settings settings
}

func newPage(base string, s settings) (*page, error) {
	parsed, err := template.ParseFS(pageFiles, "page/"+templateFile)
	p := &page{template: parsed, base: strings.TrimSuffix(base, "/"), settings: s}
	if u, err := url.Parse(s.MCP); err == nil && isHost(u.Host) {
		p.mcp = " " + u.Scheme + "://" + u.Host
	}
	return p, err
}

// contentSecurityPolicy lets the page load its own files, call its own site and that of the
// MCP server, and nothing else. Scripts can't turn text into markup or code (Trusted Types).
func contentSecurityPolicy(nonce, mcp string) string {
	return strings.Join([]string{
		"default-src 'none'",
		"script-src 'nonce-" + nonce + "'",
		"style-src 'nonce-" + nonce + "'",
		"img-src 'self'",
		"connect-src 'self'" + mcp,
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	}, "; ")
}

func (p *page) serve(w http.ResponseWriter, r *http.Request) error {
	nonce := rand.Text()
	var body bytes.Buffer
	err := p.template.Execute(&body, struct {
		Nonce, Base, Documentation string
		Settings                   settings
	}{nonce, p.base, docs.Site, p.settings})
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Cache-Control", "no-store") // it may have been opened with a code in its URL
	header.Set("Content-Security-Policy", contentSecurityPolicy(nonce, p.mcp))
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("X-Frame-Options", "DENY")
	if r.Method == http.MethodHead {
		return nil
	}
	_, err = w.Write(body.Bytes())
	return err
}
