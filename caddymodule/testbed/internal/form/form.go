// Package form reads the forms of login pages, and fills them in as a person does.
package form

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// Form is the first form of a page.
type Form struct {
	Action  string
	Method  string
	Fields  url.Values // with their preset values
	text    []string   // names of fields that ask for a login
	secret  []string   // names of fields that ask for a password
	buttons [][2]string
	pause   time.Duration // before a button works
}

// Read is the form of a page, nil if it has none.
func Read(page []byte) (*Form, error) {
	document, err := html.Parse(strings.NewReader(string(page)))
	if err != nil {
		return nil, err
	}
	var form *Form
	for node := range document.Descendants() {
		if node.Type != html.ElementNode {
			continue
		}
		attributes := make(map[string]string)
		for _, attribute := range node.Attr {
			attributes[attribute.Key] = attribute.Val
		}
		name, value := attributes["name"], attributes["value"]
		switch {
		case node.Data == "form" && form != nil:
			return form, nil
		case node.Data == "form":
			form = &Form{Action: attributes["action"], Method: strings.ToUpper(attributes["method"]), Fields: make(url.Values)}
			form.pause, _ = time.ParseDuration(attributes["data-pause"] + "ms")
		case form == nil:
		case node.Data == "button" || (node.Data == "input" && strings.EqualFold(attributes["type"], "submit")):
			form.buttons = append(form.buttons, [2]string{name, value})
		case name == "":
		case node.Data == "input":
			kind := strings.ToLower(attributes["type"]) // Keycloak writes HIDDEN
			if name == "password" {                     // some pages show what is typed
				kind = "password"
			}
			switch kind {
			case "password":
				form.secret = append(form.secret, name)
			case "hidden":
				form.Fields.Set(name, value)
			case "checkbox", "radio":
			default:
				form.text = append(form.text, name)
			}
		}
	}
	return form, nil
}

// Submit fills in the form. Of several buttons it presses the user's own one, or Allow.
func (f *Form) Submit(ctx context.Context, page *url.URL, username, password string) (_ *http.Request, err error) {
	defer fail.Catch(&err)
	for _, name := range f.text {
		f.Fields.Set(name, username)
	}
	for _, name := range f.secret {
		f.Fields.Set(name, password)
	}
	for i, button := range f.buttons {
		if button[0] != "" && (button[1] == username || button[1] == "allow" || (i == 0 && len(f.buttons) == 1)) {
			f.Fields.Set(button[0], button[1])
		}
	}
	target := fail.Must(page.Parse(f.Action))
	time.Sleep(f.pause)
	if f.Method != http.MethodPost {
		target.RawQuery = f.Fields.Encode()
		return http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	}
	request := fail.Must(http.NewRequestWithContext(ctx, http.MethodPost, target.String(), strings.NewReader(f.Fields.Encode())))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", page.Scheme+"://"+page.Host)
	return request, nil
}
