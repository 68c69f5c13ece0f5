// Package pages has the HTML pages of a gateway, in the languages of the people who read them, with
// the header fields that keep others from framing, storing or altering them. Nothing runs in a page
// but its own script.
//
// # Files
//
//	pages.go: the header fields of all pages; pages that send a response on
//	theme.go: the options of pages; errors, and what stands after a logout
//	consent.go: the consent page: its texts, its header fields, when Allow can be chosen
//	layout.go: an operator's own template: what it has to have
//	language.go: in which language
//	color.go: colors, and their contrast
package pages

import (
	"bytes"
	"crypto/rand"
	"embed"
	"html/template"
	"net/http"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
)

//go:embed *.html
var files embed.FS

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"strong": strong, "code": code}).ParseFS(files, "*.html"))
})

// Page is a response. Its status is 500, without a body, if it could not be made.
type Page struct {
	Status int
	Header http.Header
	Body   []byte
}

// Field is a name with a value.
type Field struct{ Name, Value string }

// Problem is a request that was rejected.
type Problem struct {
	// Status is that of the response.
	Status int
	// Code, Description and Source, "" for none, are those of the error.
	Code, Description, Source string
	// Reference is what the request is found by in the log.
	Reference string
	// WayBack is the app that the user came from, nil if nothing is to be shown.
	WayBack *Link
}

// Link is for the user to follow, or not.
type Link struct {
	// Host is what it shows, with the port if there is one.
	Host string
	URL  string
}

// FormPost sends fields on in a POST (OAuth 2.0 Form Post Response Mode). The caller has checked
// the action.
func FormPost(action string, fields []Field) Page {
	nonce := rand.Text()
	return render(http.StatusOK, "script-src 'nonce-"+nonce+"'; ", "'none'", "form_post.html", struct {
		Action template.URL
		Fields []Field
		Nonce  string
	}{template.URL(action), fields, nonce})
}

// WebMessage sends fields to the window of this origin that has opened or framed the page
// (draft-sakimura-oauth-wmrm).
func WebMessage(origin string, fields []Field) Page {
	nonce, response := rand.Text(), make(map[string]string, len(fields))
	for _, f := range fields {
		response[f.Name] = f.Value
	}
	return render(http.StatusOK, "script-src 'nonce-"+nonce+"'; ", origin, "web_message.html", struct {
		Origin   string
		Response map[string]string
		Nonce    string
	}{origin, response, nonce})
}

func render(status int, sources, framers, name string, data any) Page {
	page := newPage(status, sources, framers)
	var body bytes.Buffer
	if err := templates().ExecuteTemplate(&body, name, data); err != nil {
		page.Status = http.StatusInternalServerError
		return page
	}
	page.Body = body.Bytes()
	return page
}

// newPage is a page without a body, which loads and runs nothing but from sources: directives, each
// with a semicolon after it. framers are whose pages may frame it.
func newPage(status int, sources, framers string) Page {
	page := Page{Status: status, Header: header.Of("text/html; charset=utf-8")}
	page.Header.Set("Content-Security-Policy", "default-src 'none'; "+sources+"base-uri 'none'; frame-ancestors "+framers)
	header.SetReferrer(page.Header, header.NoReferrer)
	return page
}
