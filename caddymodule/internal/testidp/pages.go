package testidp

import (
	"bytes"
	"crypto/rand"
	"embed"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

//go:embed pages
var pageFiles embed.FS

var pageTemplates = sync.OnceValues(func() (*template.Template, error) {
	return template.ParseFS(pageFiles, "pages/*")
})

// What the pages show. Each is the Content of a pageView.
type (
	loginView struct {
		Request string // ID of the authorization request, sent back as `state`
		Client  string
		Scopes  []string
		Users   []user
		Hint    string // username to put first in view
	}
	formPostView struct {
		Action template.URL // a registered redirect URI, whatever its scheme
		Params url.Values
	}
	webMessageView struct {
		Origin   string // of the page that may read the message
		Response map[string]string
	}
	errorView struct {
		Heading string
		Detail  string
	}
	indexView struct {
		Issuer, Metadata string // URLs
		AutoLogin        string
		Users            []user
		Clients          []Client
	}

	pageView struct {
		Nonce   string // of the page's inline style and script
		Content any
	}
)

// page renders a template. The policy allows the page its own style and script
// and nothing else; only the silent response may be shown in a frame.
func (p *Provider) page(w http.ResponseWriter, status int, name string, content any) {
	templates, err := pageTemplates()
	var body bytes.Buffer
	nonce := rand.Text()
	if err == nil {
		err = templates.ExecuteTemplate(&body, name, pageView{Nonce: nonce, Content: content})
	}
	if err != nil {
		p.logger.Error("rendering a page of the development identity provider", "page", name, "error", err.Error())
		http.Error(w, "the page cannot be shown", http.StatusInternalServerError)
		return
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

func (p *Provider) errorPage(w http.ResponseWriter, status int, heading, detail string) {
	p.page(w, status, "error.html", errorView{heading, detail})
}

// index says what this is and what can be tried.
func (p *Provider) index(w http.ResponseWriter, r *http.Request) {
	view := indexView{p.issuer(r), p.address(r, PathDiscovery), p.config.AutoLogin, p.users, slices.Clone(p.Clients)}
	slices.SortFunc(view.Clients, func(a, b Client) int { return strings.Compare(a.ID, b.ID) })
	p.page(w, http.StatusOK, "index.html", view)
}
