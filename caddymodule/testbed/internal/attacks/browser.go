package attacks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// browser is somebody's browser, signed in at the IdP. It follows redirects and
// sends the forms that send themselves, until it has left this machine.
type browser struct {
	stage  *stage
	client *http.Client
}

// hop is a request that a browser was told to make, with the parameters in its
// query, fragment or form.
type hop struct {
	url    *url.URL // without query and fragment
	params url.Values
	form   bool
}

func (h hop) String() string { return h.url.String() }

// visit is what a browser went through.
type visit struct {
	hops []hop // all, in order
	// page is the response that was shown in the end, nil if the browser left.
	page *response
}

// last is where the browser was sent in the end.
func (v *visit) last() hop { return v.hops[len(v.hops)-1] }

// withCode is the first place to which a code travelled: where the IdP sent it.
func (v *visit) withCode() (hop, error) {
	for _, h := range v.hops {
		if h.params.Get("code") != "" && h.params.Get("response_type") == "" {
			return h, nil
		}
	}
	return hop{}, v.describe("no code was sent to anybody")
}

// describe is an error about a visit that went wrong.
func (v *visit) describe(what string) error {
	last := v.last()
	text := fmt.Sprintf("%s; the browser is at %s", what, last)
	if code := last.params.Get("error"); code != "" {
		text += fmt.Sprintf(" with the error %s (%s)", code, last.params.Get("error_description"))
	}
	if v.page != nil {
		text += fmt.Sprintf(", status %d: %.300s", v.page.status, v.page.body)
	}
	return errors.New(text)
}

// response is a whole HTTP response.
type response struct {
	status int
	header http.Header
	body   string
}

func readResponse(r *http.Response) (*response, error) {
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	return &response{r.StatusCode, r.Header, string(body)}, err
}

// browser opens a browser in which a user is signed in at the IdP.
func (s *stage) browser(ctx context.Context, user string) (*browser, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	client := *s.client
	client.Jar = jar
	b := &browser{s, &client}
	_, err = b.visit(ctx, s.idp.SignInURL(user))
	return b, err
}

// visit opens a URL and goes wherever it leads.
func (b *browser) visit(ctx context.Context, address string) (*visit, error) {
	return b.visitUntil(ctx, address, func(hop) bool { return false })
}

// visitUntil stops in front of a hop: that request is never sent.
func (b *browser) visitUntil(ctx context.Context, address string, stop func(hop) bool) (*visit, error) {
	next, err := newHop(address)
	if err != nil {
		return nil, err
	}
	v := new(visit)
	for range 10 {
		v.hops = append(v.hops, next)
		// The hosts of clients are not on this machine.
		if next.url.Hostname() != "127.0.0.1" || next.url.Port() == "" || next.url.Scheme != "http" || stop(next) {
			return v, nil
		}
		got, err := b.load(ctx, next)
		if err != nil {
			return nil, err
		}
		following, err := got.leadsTo(next.url)
		if err != nil {
			return nil, err
		}
		if following == nil {
			v.page = got
			return v, nil
		}
		next = *following
	}
	return nil, v.describe("the browser is sent in circles")
}

func newHop(address string) (hop, error) {
	u, err := url.Parse(address)
	if err != nil {
		return hop{}, err
	}
	raw := u.RawQuery
	if u.Fragment != "" {
		raw = u.EscapedFragment()
	}
	params, err := url.ParseQuery(raw)
	u.RawQuery, u.Fragment, u.RawFragment = "", "", ""
	return hop{url: u, params: params}, err
}

// load makes the request of a hop.
func (b *browser) load(ctx context.Context, h hop) (*response, error) {
	method, address, body := http.MethodGet, at(h.String(), "", h.params), io.Reader(nil)
	if h.form {
		method, address, body = http.MethodPost, h.String(), strings.NewReader(h.params.Encode())
	}
	r, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	if h.form {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	got, err := b.client.Do(r)
	if err != nil {
		return nil, err
	}
	return readResponse(got)
}

// leadsTo is where a response sends the browser, nil if it stays.
func (r *response) leadsTo(from *url.URL) (*hop, error) {
	if r.status/100 == 3 {
		target, err := from.Parse(r.header.Get("Location"))
		if err != nil {
			return nil, err
		}
		next, err := newHop(target.String())
		return &next, err
	}
	if r.status != http.StatusOK || !strings.Contains(r.body, "<form") {
		return nil, nil
	}
	return readForm(from, r.body)
}

// readForm reads the page of the Form Post Response Mode: one form by POST, with
// hidden fields only.
func readForm(from *url.URL, body string) (*hop, error) {
	document, err := html.Parse(strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	var found *hop
	for node := range document.Descendants() {
		attributes := make(map[string]string)
		for _, attribute := range node.Attr {
			attributes[attribute.Key] = attribute.Val
		}
		switch {
		case node.Type != html.ElementNode:
		case node.Data == "form" && strings.EqualFold(attributes["method"], "post"):
			target, err := from.Parse(attributes["action"])
			if err != nil {
				return nil, err
			}
			found = &hop{url: target, params: make(url.Values), form: true}
		case node.Data == "input" && found != nil && attributes["type"] == "hidden":
			found.params.Add(attributes["name"], attributes["value"])
		}
	}
	return found, nil
}
