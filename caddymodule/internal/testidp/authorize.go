package testidp

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// grant is what a code or a refresh token stands for.
type grant struct {
	clientID, redirectURI string
	challenge, method     string
	nonce, scope, user    string
	audience, acr         string
	issued                time.Time
	exchanged             bool
	offline               bool // it gets a refresh token
}

// authorize is the authorization endpoint (RFC 6749 section 3.1).
func (x *exchange) authorize() {
	q := x.query
	if x.r.Method == http.MethodPost {
		q = x.form
	}
	client := x.client(q.Get("client_id"))
	if client == nil {
		x.page(http.StatusBadRequest, "unknown client")
		return
	}
	pushed := q.Get("request_uri")
	switch {
	case pushed != "":
		if q = x.lookUpPushed(pushed); q == nil || q.Get("client_id") != client.ID {
			x.page(http.StatusBadRequest, "request_uri is unknown or used up")
			return
		}
	case x.PAR == RequiresPAR && client.Auth != Public:
		x.page(http.StatusBadRequest, "the request has to be pushed")
		return
	}
	redirectURI := q.Get("redirect_uri")
	if redirectURI == "" && len(client.RedirectURIs) == 1 {
		redirectURI = client.RedirectURIs[0]
	}
	if redirectURI == "" || !x.AnyRedirectURI && !client.allows(redirectURI) {
		x.page(http.StatusBadRequest, "redirect_uri is not registered")
		return
	}
	respond := func(answer url.Values) {
		x.forgetPushed(pushed)
		if state := q.Get("state"); state != "" {
			answer.Set("state", state)
		}
		if x.SendsIssuer {
			answer.Set("iss", x.issuer())
		}
		x.respond(redirectURI, q.Get("response_mode"), answer)
	}
	fail := func(code string) { respond(url.Values{"error": {code}}) }
	switch mode := q.Get("response_mode"); {
	case mode != "" && !slices.Contains(x.responseModes(), mode):
		x.page(http.StatusBadRequest, "response_mode is not supported")
		return
	case q.Get("response_type") != "code":
		fail("unsupported_response_type")
		return
	case !x.supportsScope(q.Get("scope")):
		fail("invalid_scope")
		return
	case x.refuses(q) != "":
		fail(x.refuses(q))
		return
	case q.Get("code_challenge") == "" && x.PKCE == RequiresPKCE:
		fail("invalid_request")
		return
	}
	user := x.user()
	if user == "" {
		if q.Get("prompt") == "none" {
			fail("login_required")
			return
		}
		x.signInPage()
		return
	}
	respond(url.Values{"code": {x.code(&grant{
		clientID: client.ID, redirectURI: redirectURI, challenge: q.Get("code_challenge"), method: q.Get("code_challenge_method"),
		nonce: q.Get("nonce"), scope: x.named(q, "scope", "scopes"), audience: cmp.Or(x.resource(q), x.named(q, "audience", "aud")), acr: q.Get("acr_values"), user: user, issued: time.Now(),
		offline: x.isOffline(q),
	})}})
}

// resource is the parameter, "" if the server does not know it.
func (b *Behavior) resource(q url.Values) string {
	if b.Resources == IgnoresResource {
		return ""
	}
	return q.Get("resource")
}

// refuses is the error code for a parameter that is refused, or its value, "" for none.
func (b *Behavior) refuses(q url.Values) string {
	for name, code := range b.Refuses {
		if q.Has(name) {
			return code
		}
	}
	for _, target := range []string{b.resource(q), q.Get("audience")} {
		if target != "" && len(b.Targets) > 0 && !slices.Contains(b.Targets, target) {
			return "invalid_target"
		}
	}
	return ""
}

// named is a parameter, or with OtherNames the one of another name in its place.
func (b *Behavior) named(q url.Values, name, other string) string {
	if value := q.Get(name); value != "" || !b.OtherNames {
		return value
	}
	return q.Get(other)
}

// push is the pushed authorization request endpoint (RFC 9126 section 2).
func (x *exchange) push() {
	client, e := x.authenticate()
	if e == nil && (x.form.Get("client_id") != client.ID || x.form.Get("request_uri") != "") {
		e = &oauthError{Code: "invalid_request", status: http.StatusBadRequest}
	}
	if e != nil {
		x.fail(e)
		return
	}
	uri := "urn:ietf:params:oauth:request_uri:" + rand.Text()
	x.mu.Lock()
	x.pushed[uri] = x.form
	x.mu.Unlock()
	x.json(http.StatusCreated, map[string]any{"request_uri": uri, "expires_in": 90})
}

func (x *exchange) lookUpPushed(uri string) url.Values {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.Server.pushed[uri]
}

// forgetPushed uses a request_uri up.
func (x *exchange) forgetPushed(uri string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.Server.pushed, uri)
}

func (b *Behavior) supportsScope(scope string) bool {
	return len(b.Scopes) == 0 || !slices.ContainsFunc(strings.Fields(scope), func(name string) bool { return !slices.Contains(b.Scopes, name) })
}

// isOffline reports that a login gets a refresh token, if there are any.
func (b *Behavior) isOffline(q url.Values) bool {
	switch b.Offline {
	case OfflineAccess:
		return hasScope(q.Get("scope"), "offline_access")
	case AccessTypeOffline:
		return q.Get("access_type") == "offline"
	}
	return true
}

// allows compares as strings; of loopback URIs the port may differ (RFC 8252 section 7.3).
func (c *Client) allows(redirectURI string) bool {
	return slices.ContainsFunc(c.RedirectURIs, func(registered string) bool {
		return registered == redirectURI || withoutLoopbackPort(registered) == withoutLoopbackPort(redirectURI)
	})
}

func withoutLoopbackPort(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "http" || u.Hostname() != "127.0.0.1" {
		return uri
	}
	u.Host = u.Hostname()
	return u.String()
}

func (b *Behavior) responseModes() []string {
	if len(b.ResponseModes) == 0 {
		return []string{"query", "fragment", "form_post"}
	}
	return b.ResponseModes
}

// code is a new code for a login, or the one that the user has already.
func (x *exchange) code(g *grant) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ReissuesCodes {
		for code, other := range x.codes {
			if other.user == g.user && other.clientID == g.clientID && !other.exchanged {
				return code
			}
		}
	}
	code := "code-" + rand.Text()
	x.codes[code] = g
	return code
}

// user is who sits at the browser.
func (x *exchange) user() string {
	if user := x.query.Get("user"); user != "" {
		return user
	}
	cookie, err := x.r.Cookie(userCookie)
	if err != nil {
		return ""
	}
	user, _ := url.QueryUnescape(cookie.Value)
	return user
}

// respond sends the authorization response to the redirect URI.
func (x *exchange) respond(redirectURI, mode string, answer url.Values) {
	if mode == "form_post" {
		x.w.Header().Set("Content-Type", "text/html; charset=utf-8")
		x.w.WriteHeader(http.StatusOK)
		_ = formPostPage.Execute(x.w, map[string]any{"URI": redirectURI, "Answer": answer})
		return
	}
	separator := "?"
	switch {
	case mode == "fragment":
		separator = "#"
	case strings.Contains(redirectURI, "?"):
		separator = "&"
	}
	x.w.Header().Set("Location", redirectURI+separator+answer.Encode())
	x.w.WriteHeader(http.StatusFound)
}

// formPostPage sends the response on (OAuth 2.0 Form Post Response Mode section 2).
var formPostPage = template.Must(template.New("form_post").Parse(`<!doctype html>
<title>Signing in</title>
<body onload="document.forms[0].submit()">
<form method="post" action="{{.URI}}">
{{range $name, $values := .Answer}}{{range $values}}<input type="hidden" name="{{$name}}" value="{{.}}">
{{end}}{{end}}<noscript><button>Continue</button></noscript>
</form>
`))

// signInPage asks who sits there. The form sends the same request with a user.
func (x *exchange) signInPage() {
	x.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	x.w.WriteHeader(http.StatusOK)
	_ = signInTemplate.Execute(x.w, x.query)
}

var signInTemplate = template.Must(template.New("sign-in").Parse(`<!doctype html>
<title>Sign in</title>
<form method="get">
{{range $name, $values := .}}{{range $values}}<input type="hidden" name="{{$name}}" value="{{.}}">
{{end}}{{end}}<label>User <input name="user" required></label> <button>Sign in</button>
</form>
`))

func (x *exchange) page(status int, text string) {
	x.w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	x.w.WriteHeader(status)
	fmt.Fprintln(x.w, text)
}
