package pages

import (
	"bytes"
	"crypto/rand"
	"html/template"
	"net/http"
)

// Theme is what all pages of an operator have in common. Nil is the gateway's own. The methods take
// the Accept-Language fields of the request for whose user a page is.
type Theme struct{}

// document is a page without what it says.
type document struct {
	*locale

	// Page is consent, error or logged_out.
	Page  string
	Title func() (template.HTML, error)
	// Help is where the operator's own help is, "" for none.
	Help string
	// Nonce is that of the style sheets.
	Nonce string
	// Script is "" for a page that runs nothing.
	Script template.JS
	// Head and Content are what every page has to have.
	Head, Content template.HTML
}

// problemView is a problem in a language.
type problemView struct {
	*Problem
	*locale
}

// Link is a link back to the app, as HTML.
func (v *problemView) Link(to *Link) (template.HTML, error) {
	return execute("link", struct {
		*Link
		*locale
	}{to, v.locale})
}

// Error is for the browser that sent a rejected request.
func (t *Theme) Error(accept []string, p *Problem) Page {
	l := localeFor(accept)
	return t.page(p.Status, &document{locale: l, Page: "error", Title: l.title("error_title")}, &problemView{p, l})
}

// LoggedOut is for a logout that leads nowhere else.
func (t *Theme) LoggedOut(accept []string) Page {
	l := localeFor(accept)
	return t.page(http.StatusOK, &document{locale: l, Page: "logged_out", Title: l.title("logged_out_title")}, l)
}

func (l *locale) title(key string) func() (template.HTML, error) {
	return func() (template.HTML, error) { return l.Say(key) }
}

// page is d with what the template of its name says of data.
func (t *Theme) page(status int, d *document, data any) Page {
	d.Nonce = rand.Text()
	policy := "default-src 'none'; style-src 'nonce-" + d.Nonce + "'; "
	if d.Script != "" {
		policy += "script-src " + scriptSource() + "; "
	}
	page := newPage(status, policy+"base-uri 'none'; frame-ancestors 'none'")
	body, err := t.layOut(d, data)
	if err != nil {
		page.Status = http.StatusInternalServerError
		return page
	}
	page.Body = []byte(body)
	return page
}

func (t *Theme) layOut(d *document, data any) (_ template.HTML, err error) {
	if d.Content, err = execute(d.Page+".html", data); err != nil {
		return "", err
	}
	if d.Head, err = execute("head.html", d); err != nil {
		return "", err
	}
	return execute("page.html", d)
}

func execute(name string, data any) (template.HTML, error) {
	var text bytes.Buffer
	err := templates().ExecuteTemplate(&text, name, data)
	return template.HTML(text.String()), err //nolint:gosec // by html/template
}
