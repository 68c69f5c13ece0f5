package pages

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// layout is an operator's own template around the content of the pages.
type layout struct {
	template *template.Template
	// sources are the texts of the files, by name.
	sources map[string]string
}

const layoutFile = "page.html"

func readLayout(folder string) (*layout, error) {
	files := os.DirFS(folder)
	names, err := fs.Glob(files, "*.html")
	if err != nil {
		return nil, err
	}
	if !slices.Contains(names, layoutFile) {
		return nil, errors.New("the folder has no " + layoutFile)
	}
	l := &layout{sources: make(map[string]string)}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		l.sources[name] = string(text)
	}
	l.template, err = template.New("").Option("missingkey=error").ParseFS(files, names...)
	return l, err
}

// around is the page. It is an error if it lacks anything of what the gateway has to say.
func (l *layout) around(d *document) (string, error) {
	var text strings.Builder
	if err := l.template.ExecuteTemplate(&text, layoutFile, d); err != nil {
		return "", err
	}
	if strings.Count(text.String(), string(d.Head)) != 1 || strings.Count(text.String(), string(d.Content)) != 1 {
		return "", fmt.Errorf("%s must have {{.Head}} in its <head> and {{.Content}} in its <body>, each of them once, for each page and language; "+
			"it does not on the page %s in the language %s", layoutFile, d.Page, d.Lang)
	}
	return text.String(), nil
}

func (t *Theme) try() error {
	for _, l := range locales().all {
		question := view{Question: Question{Name: "App", Scopes: []string{"openid"}}, locale: l}
		for _, sample := range []struct {
			document
			data any
		}{
			{document{Page: "consent", Title: question.title, Script: script}, &question},
			{document{Page: "error", Title: l.title("error_title")}, &problemView{&Problem{Status: 400, Code: "invalid_request"}, l}},
			{document{Page: "logged_out", Title: l.title("logged_out_title")}, l},
		} {
			d := &sample.document
			d.locale, d.Theme, d.Nonce = l, t, "nonce"
			if err := d.fill(sample.data); err != nil {
				return err
			}
			text, err := t.layout.around(d)
			if err != nil {
				return err
			}
			if err := t.layout.check(d, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// barred are elements that would not work under the pages' Content-Security-Policy, or could be
// taken for the gateway's own, by people or by its script.
var barred = []atom.Atom{
	atom.Script, atom.Link, atom.Base, atom.Meta, atom.Form, atom.Button, atom.Input, atom.Select, atom.Textarea, atom.Iframe, atom.Frame,
	atom.Object, atom.Embed, atom.Audio, atom.Video, atom.Template, atom.Noscript, atom.Main, atom.Title, atom.Dialog,
}

// check finds what keeps a page from saying what it has to. It is for mistakes: what style sheets
// hide it does not see.
func (l *layout) check(d *document, text string) error {
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return err
	}
	for node := range root.Descendants() {
		switch {
		case node.DataAtom == atom.Main && node.Parent.DataAtom != atom.Body:
			return l.at("{{.Content}}", "{{.Content}} must stand in <body> itself, in no other element: the buttons would be out of sight below a long list")
		case node.DataAtom == atom.Title && node.Parent.DataAtom != atom.Head:
			return l.at("{{.Head}}", "{{.Head}} must stand in <head>")
		case node.DataAtom == atom.Html || node.DataAtom == atom.Body:
			for _, attribute := range node.Attr {
				if !slices.Contains([]string{"lang", "dir", "class", "id"}, attribute.Key) {
					return l.at(attribute.Key, "<"+node.Data+"> can have lang, dir, class and id, not "+attribute.Key)
				}
			}
		}
	}
	around := strings.Replace(strings.Replace(text, string(d.Head), "", 1), string(d.Content), "", 1)
	for tokens := html.NewTokenizer(strings.NewReader(around)); ; {
		if tokens.Next() == html.ErrorToken {
			if err := tokens.Err(); !errors.Is(err, io.EOF) {
				return err
			}
			return nil
		}
		token := tokens.Token()
		if token.Type != html.StartTagToken && token.Type != html.SelfClosingTagToken {
			continue
		}
		if slices.Contains(barred, token.DataAtom) {
			return l.at("<"+token.Data, "<"+token.Data+"> can't be used around the content; style sheets go into <style nonce=\"{{.Nonce}}\">, scripts are not run")
		}
		if err := l.checkAttributes(token); err != nil {
			return err
		}
	}
}

func (l *layout) checkAttributes(token html.Token) error {
	hasNonce := false
	for _, attribute := range token.Attr {
		hasNonce = hasNonce || attribute.Key == "nonce"
		switch key := attribute.Key; {
		case key == "style" || strings.HasPrefix(key, "on"):
			return l.at(key+"=", "browsers ignore "+key+" here (Content-Security-Policy); use a class, and <style nonce=\"{{.Nonce}}\">")
		case (key == "src" || key == "srcset") && !strings.HasPrefix(attribute.Val, "data:"):
			return l.at(cmp.Or(attribute.Val, key+"="), fmt.Sprintf("pages load nothing: %s must be a data: URL, such as {{.Logo}} with the option logo, not %q", key, attribute.Val))
		}
	}
	if token.DataAtom == atom.Style && !hasNonce {
		return l.at("<style", "browsers ignore this <style>; write <style nonce=\"{{.Nonce}}\">")
	}
	return nil
}

// at is an error with the file and line that have what it is about.
func (l *layout) at(what, message string) error {
	pattern := regexp.MustCompile(`(?i)` + strings.ReplaceAll(regexp.QuoteMeta(what), `\{\{\.`, `\{\{-?\s*\.`))
	for name, text := range l.sources {
		if found := pattern.FindStringIndex(text); found != nil {
			return fmt.Errorf("%s:%d: %s", name, 1+strings.Count(text[:found[0]], "\n"), message)
		}
	}
	return errors.New(layoutFile + ": " + message)
}
