package attacks

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/form"
)

// browser is somebody's browser, signed in at the IdP. It follows redirects and
// sends the forms that send themselves, until it has left this machine.
type browser struct {
	env    *env
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

func (v *visit) last() hop { return v.hops[len(v.hops)-1] }

func (h hop) link() string { return at(h.String(), "", h.params) }

// hasCode reports that the IdP sent a code.
func (h hop) hasCode() bool { return h.params.Get("code") != "" && h.params.Get("response_type") == "" }

// withCode is the first place to which a code travelled: where the IdP sent it.
func (v *visit) withCode() (hop, error) {
	for _, h := range v.hops {
		if h.hasCode() {
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

type response struct {
	url    *url.URL // that was asked
	status int
	header http.Header
	body   string
}

// send sends a request as it is and follows nothing.
func (e *env) send(client *http.Client, r *http.Request) *response {
	got := fail.Must(client.Do(r))
	defer got.Body.Close()
	return &response{r.URL, got.StatusCode, got.Header, string(fail.Must(io.ReadAll(got.Body)))}
}

func (e *env) newGet(address string) *http.Request {
	return fail.Must(http.NewRequestWithContext(e.ctx, http.MethodGet, address, nil))
}

func (e *env) get(address string) *response { return e.send(e.client, e.newGet(address)) }

func (e *env) newPost(address string, form url.Values, header http.Header) *http.Request {
	r := fail.Must(http.NewRequestWithContext(e.ctx, http.MethodPost, address, strings.NewReader(form.Encode())))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	maps.Copy(r.Header, header)
	return r
}

// browser opens a browser in which a user is signed in at the IdP.
func (e *env) browser(user string) *browser {
	client := *e.client
	client.Jar = fail.Must(cookiejar.New(nil))
	client.Jar.SetCookies(fail.Must(url.Parse(e.idp.URL())), []*http.Cookie{testidp.UserCookie(user)})
	return &browser{e, &client}
}

func (e *env) visit(user, address string) *visit { return e.browser(user).visit(address) }

func (b *browser) visit(address string) *visit {
	return b.visitUntil(address, func(hop) bool { return false })
}

// visitUntil stops in front of a hop: that request is never sent.
func (b *browser) visitUntil(address string, stop func(hop) bool) *visit {
	next := fail.Must(newHop(address))
	v := new(visit)
	for range 10 {
		v.hops = append(v.hops, next)
		// The hosts of clients are not on this machine.
		if next.url.Hostname() != "127.0.0.1" || next.url.Port() == "" || next.url.Scheme != "http" || stop(next) {
			return v
		}
		got := b.load(next)
		following := got.leadsTo()
		if following == nil {
			v.page = got
			return v
		}
		next = *following
	}
	fail.Check(v.describe("the browser is sent in circles"))
	return nil
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

func (b *browser) load(h hop) *response {
	r := b.env.newGet(h.link())
	if h.form {
		r = b.env.newPost(h.String(), h.params, nil)
	}
	r.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	return b.env.send(b.client, r)
}

// leadsTo is where a response sends the browser, nil if it stays.
func (r *response) leadsTo() *hop {
	if r.status/100 == 3 {
		next := fail.Must(newHop(fail.Must(r.url.Parse(r.header.Get("Location"))).String()))
		return &next
	}
	if r.status != http.StatusOK || !strings.Contains(r.body, "<form") {
		return nil
	}
	return r.form()
}

// form is that of the Form Post Response Mode: one by POST, with hidden fields.
func (r *response) form() *hop {
	f := fail.Must(form.Read([]byte(r.body)))
	if f == nil || f.Method != http.MethodPost {
		return nil
	}
	return &hop{url: fail.Must(r.url.Parse(f.Action)), params: f.Fields, form: true}
}
