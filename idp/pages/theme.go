package pages

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// Config is how the pages of an operator look.
type Config struct {
	// Whose pages these are. It stands at the top of each, or in the place of the logo for those who
	// see no pictures.
	Name string `json:"name,omitempty"`

	// A file with the logo, 64 KiB at most: SVG, PNG, JPEG, GIF or WebP. It becomes a part of the
	// pages, which load nothing. It needs the name.
	Logo string `json:"logo,omitempty"`

	// Where users find help: an https or mailto URL.
	Help string `json:"help,omitempty"`

	// The colors of buttons and links on light and on dark screens: two, each of six hexadecimal
	// digits. Their contrast to the background must be 4.5:1 or more (WCAG 2.2, level AA).
	Accent []string `json:"accent,omitempty"`

	// The colors of the background on light and on dark screens, as for accent. The text on it is
	// dark on the first, and light on the second.
	Background []string `json:"background,omitempty"`

	// A folder with page.html (html/template), which is what stands around the content of each page.
	Templates string `json:"templates,omitempty"`
}

// Theme is what all pages of an operator have in common. Nil is the gateway's own. The methods take
// the Accept-Language fields of the request for whose user a page is.
type Theme struct {
	// Name, Help and Logo are "" for none. Logo is a data URL.
	Name, Help  string
	Logo        template.URL
	Light, Dark palette
	// layout stands around the content, nil for the gateway's own.
	layout *layout
}

var plain = Theme{Light: lightPalette, Dark: darkPalette}

// New reads what a configuration names. Errors say which option is wrong, and in which line of a
// template.
func New(c Config) (*Theme, error) {
	t := plain
	t.Name, t.Help = c.Name, c.Help
	if u, err := url.Parse(c.Help); c.Help != "" && (err != nil || (u.Scheme != "https" || u.Host == "") && u.Scheme != "mailto") {
		return nil, fmt.Errorf("pages: help %s is not an address for users; write an https URL, or mailto:help@example.com", c.Help)
	}
	if err := t.color(c); err != nil {
		return nil, err
	}
	if c.Logo != "" {
		if c.Name == "" {
			return nil, errors.New("pages: logo needs a name, for those who see no pictures: name \"Example Inc.\"")
		}
		var err error
		if t.Logo, err = readLogo(c.Logo); err != nil {
			return nil, fmt.Errorf("pages: logo %s %w", c.Logo, err)
		}
	}
	if c.Templates != "" {
		var err error
		if t.layout, err = readLayout(c.Templates); err == nil {
			err = t.try()
		}
		if err != nil {
			return nil, fmt.Errorf("pages: templates %s: %w", c.Templates, err)
		}
	}
	return &t, nil
}

// maxLogo bounds a logo, in bytes: it is a part of each page.
const maxLogo = 64 << 10

// readLogo is a file as a data URL. A picture in an <img> runs and loads nothing, be it SVG.
func readLogo(file string) (template.URL, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("can't be read: %w", err)
	}
	mediaType := http.DetectContentType(content)
	if bytes.Contains(content, []byte("<svg")) && strings.HasPrefix(mediaType, "text/") {
		mediaType = "image/svg+xml"
	}
	switch {
	case len(content) > maxLogo:
		return "", fmt.Errorf("has %d bytes; it is a part of each page, so %d are the limit", len(content), maxLogo)
	case !strings.HasPrefix(mediaType, "image/"):
		return "", errors.New("is no picture; it must be SVG, PNG, JPEG, GIF or WebP")
	}
	return template.URL("data:" + mediaType + ";base64," + base64.StdEncoding.EncodeToString(content)), nil
}

// document is a page without what it says. It is what a template of the operator's gets: nothing of
// it is from a client, but for Head and Content, which are whole.
type document struct {
	*locale
	*Theme

	// Page is consent, error or logged_out.
	Page  string
	Title func() (template.HTML, error)
	// Nonce is that of the style sheets.
	Nonce string
	// Script is "" for a page that runs nothing.
	Script template.JS
	// Head and Content are what every page has to have.
	Head, Content template.HTML
}

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
	if d.Theme = t; t == nil {
		d.Theme = &plain
	}
	d.Nonce = rand.Text()
	sources := "style-src 'nonce-" + d.Nonce + "'; "
	if d.Logo != "" || d.layout != nil {
		sources += "img-src data:; "
	}
	if d.Script != "" {
		sources += "script-src " + scriptSource() + "; "
	}
	page := newPage(status, sources, "'none'")
	body, err := d.layOut(data)
	if err != nil {
		page.Status = http.StatusInternalServerError
		return page
	}
	page.Body = []byte(body)
	return page
}

// layOut is the page, in the gateway's own layout if the operator's fails.
func (d *document) layOut(data any) (string, error) {
	if err := d.fill(data); err != nil {
		return "", err
	}
	if d.layout != nil {
		if body, err := d.layout.around(d); err == nil {
			return body, nil
		}
	}
	body, err := execute("page.html", d)
	return string(body), err
}

func (d *document) fill(data any) (err error) {
	if d.Content, err = execute(d.Page+".html", data); err == nil {
		d.Head, err = execute("head.html", d)
	}
	return err
}

func execute(name string, data any) (template.HTML, error) {
	var text bytes.Buffer
	err := templates().ExecuteTemplate(&text, name, data)
	return template.HTML(text.String()), err
}
