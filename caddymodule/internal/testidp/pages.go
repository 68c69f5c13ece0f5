package testidp

import (
	"bytes"
	"crypto/rand"
	"embed"
	"html/template"
	"net/http"
	"sync"
)

//go:embed pages
var pageFiles embed.FS

var pageTemplates = sync.OnceValue(func() *template.Template { return must(template.ParseFS(pageFiles, "pages/*")) })

// page renders a template. The policy allows the page its own style and script
// and nothing else; only the silent response may be shown in a frame.
func (p *Provider) page(w http.ResponseWriter, status int, name string, content map[string]any) {
	var body bytes.Buffer
	nonce := rand.Text()
	if err := pageTemplates().ExecuteTemplate(&body, name, map[string]any{"Nonce": nonce, "Content": content}); err != nil {
		panic(err) // the templates are our own
	}
	policy := "default-src 'none'; base-uri 'none'; style-src 'nonce-" + nonce + "'; script-src 'nonce-" + nonce + "'"
	if name != "web_message.html" {
		policy += "; frame-ancestors 'none'"
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	w.Write(body.Bytes())
}

// errorPage tells the user what is wrong with a request.
func (p *Provider) errorPage(w http.ResponseWriter, heading, detail string) {
	p.page(w, http.StatusBadRequest, "error.html", map[string]any{"Heading": heading, "Detail": detail})
}

// index says what this is and what can be tried.
func (p *Provider) index(w http.ResponseWriter, r *http.Request) {
	p.page(w, http.StatusOK, "index.html", map[string]any{
		"Issuer": p.issuer(r), "Metadata": p.address(r, PathDiscovery), "AutoLogin": p.autoLogin, "Users": p.users, "Clients": p.Clients,
	})
}
