package testidp

import (
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// login is a checked authorization request and what becomes of it. Every token that came
// from it points to it, so that they can be revoked together. The last three are guarded
// by the store.
type login struct {
	id           string
	clientID     string
	redirectURI  string
	responseMode string
	scopes       []string
	asked        url.Values // all parameters

	session // zero until somebody logged in

	codeTime time.Time
	redeemed bool // its code was exchanged
	revoked  bool // its tokens are no longer good
}

// authorize is the authorization endpoint (RFC 6749 section 3.1, OpenID Connect
// Core 3.1.2, with Auth0's audience and response modes).
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q, err := p.parameters(w, r)
	if err != nil {
		p.errorPage(w, "This login request is not valid.", err.Error())
		return
	}
	client, ok := p.clients[q.Get("client_id")]
	if !ok {
		p.errorPage(w, "This application is not known here.",
			"The client_id is missing or not registered with this identity provider.")
		return
	}
	if uri := q.Get("request_uri"); uri != "" {
		if q, ok = get[url.Values](p.store, uri); !ok || q.Get("client_id") != client.ID || !p.store.remove(uri) {
			p.errorPage(w, "This login request is not valid.", "The request_uri is unknown, used up or another client's.")
			return
		}
	} else if p.RequiresPAR && client.Secret != "" {
		p.errorPage(w, "This login request is not valid.", "The request has to be pushed.")
		return
	}
	redirectURI, ok := p.redirectURI(client, q.Get("redirect_uri"))
	if !ok {
		p.errorPage(w, "This application may not receive its response at that address.",
			"The redirect_uri is missing or not one of those registered for "+client.ID+".")
		return
	}

	l := login{
		id: rand.Text(), clientID: client.ID, redirectURI: redirectURI, responseMode: q.Get("response_mode"), scopes: strings.Fields(q.Get("scope")), asked: q,
	}
	if err := p.checkRequest(&l); err != nil {
		p.sendError(w, r, &l, err)
		return
	}

	current, loggedIn := p.currentSession(w, r, q)
	switch {
	case loggedIn:
		l.session = current
		p.sendResponse(w, r, &l, url.Values{"code": {p.store.issueCode(&l)}})
	case q.Get("prompt") == "none":
		p.sendError(w, r, &l, &oauthError{"login_required", "nobody is logged in and prompt=none forbids the login page"})
	default:
		p.store.put(l.id, l, loginTimeout)
		http.Redirect(w, r, PathLogin+"?state="+l.id, http.StatusFound)
	}
}

// redirectURI is where the response to a client goes; false if it may not.
func (p *Provider) redirectURI(c Client, sent string) (string, bool) {
	if sent == "" && !p.Strict && len(c.RedirectURIs) == 1 {
		sent = c.RedirectURIs[0]
	}
	return sent, sent != "" && (p.AnyRedirectURI || anyMatches(c.RedirectURIs, sent))
}

// checkRequest applies the rules whose violation is reported to the client.
func (p *Provider) checkRequest(l *login) *oauthError {
	q := l.asked
	digest, err := base64.RawURLEncoding.Strict().DecodeString(q.Get("code_challenge"))
	switch {
	case l.responseMode != "" && !slices.Contains(p.ResponseModes, l.responseMode):
		l.responseMode = "" // for the error
		return invalidRequest("response_mode is not one of " + strings.Join(p.ResponseModes, ", "))
	case p.Strict && q.Get("request") != "":
		return &oauthError{"request_not_supported", "request objects are not supported"}
	case p.Strict && (q.Get("code_challenge_method") != "S256" || err != nil || len(digest) != 32):
		return invalidRequest("PKCE is required: code_challenge must be 43 base64url characters, code_challenge_method S256")
	case p.Strict && len(l.scopes) == 0:
		return invalidRequest("scope is missing")
	case q.Get("response_type") != "code":
		return &oauthError{"unsupported_response_type", "response_type must be code"}
	case len(p.Scopes) > 0 && slices.ContainsFunc(l.scopes, func(name string) bool { return !slices.Contains(p.Scopes, name) }):
		return &oauthError{"invalid_scope", "not all of these scopes are supported"}
	case p.RequiresPKCE && q.Get("code_challenge") == "":
		return invalidRequest("PKCE is required: code_challenge is missing")
	}
	return p.refuses(q)
}

// login is the page that shows who can log in, and its form.
func (p *Provider) login(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
	l, ok := get[login](p.store, r.FormValue("state"))
	if ok && r.Method != http.MethodPost {
		p.page(w, http.StatusOK, "login.html", map[string]any{
			"State": l.id, "Client": l.clientID, "Scopes": l.scopes, "Users": p.users, "Hint": l.asked.Get("login_hint"),
		})
		return
	}
	if !ok || !p.store.remove(l.id) {
		p.errorPage(w, "This login has expired or is finished.", "Start again from the application.")
		return
	}
	if r.FormValue("action") == "cancel" {
		p.sendError(w, r, &l, &oauthError{"access_denied", "the user cancelled the login"})
		return
	}
	user, ok := p.userByName(r.FormValue("username"))
	if !ok {
		p.errorPage(w, "There is no such user.", "Start again from the application, and choose one of the list.")
		return
	}
	l.session = p.logIn(w, r, user)
	p.sendResponse(w, r, &l, url.Values{"code": {p.store.issueCode(&l)}})
}

// parameters are those of the query, or of a POST's form, nothing of both. A strict
// provider rejects those that are given twice or cannot be read (RFC 6749 section 3.1).
func (p *Provider) parameters(w http.ResponseWriter, r *http.Request) (url.Values, *oauthError) {
	given, err := url.ParseQuery(r.URL.RawQuery)
	if r.Method == http.MethodPost {
		r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
		err = r.ParseForm()
		given = r.PostForm
	}
	if p.Reads != nil {
		p.Reads(given)
	}
	if !p.Strict {
		return given, nil
	}
	if err != nil {
		return nil, invalidRequest("the parameters cannot be read")
	}
	for name, values := range given {
		if len(values) > 1 {
			return nil, invalidRequest("the parameter " + name + " is given more than once")
		}
	}
	return given, nil
}

// session says who has logged in in a browser, and when. There are no passwords here, so
// the cookie that holds it needs no signature.
type session struct {
	user     user
	authTime time.Time
}

const sessionCookie = "development_idp_session"

// UserCookie is the cookie of a browser that is signed in.
func UserCookie(user string) *http.Cookie {
	return &http.Cookie{
		Name: sessionCookie, Value: strconv.FormatInt(time.Now().Unix(), 10) + "-" + url.QueryEscape(user),
		Path: "/", MaxAge: int(sessionLifetime.Seconds()), HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}

// currentSession is that of the browser, or a new one for the auto login user.
// prompt=login asks for a fresh one, max_age for one that is not older.
func (p *Provider) currentSession(w http.ResponseWriter, r *http.Request, q url.Values) (session, bool) {
	if user, ok := p.userByName(q.Get("user")); ok && p.users == nil {
		return session{user, time.Now()}, true
	}
	prompts := strings.Fields(q.Get("prompt"))
	if p.users != nil && (slices.Contains(prompts, "login") || slices.Contains(prompts, "select_account")) {
		return session{}, false
	}
	if current, ok := p.sessionOf(r); ok {
		atMost, err := strconv.Atoi(q.Get("max_age")) // what is no number asks for nothing
		if err != nil || time.Since(current.authTime) <= time.Duration(atMost)*time.Second {
			return current, true
		}
	}
	if user, ok := p.userByName(p.autoLogin); ok {
		return p.logIn(w, r, user), true
	}
	return session{}, false
}

// sessionOf is what the cookie says.
func (p *Provider) sessionOf(r *http.Request) (session, bool) {
	cookie, err := r.Cookie(sessionCookie)
	if err != nil {
		return session{}, false
	}
	at, name, _ := strings.Cut(cookie.Value, "-")
	seconds, _ := strconv.ParseInt(at, 10, 64)
	name, _ = url.QueryUnescape(name)
	user, ok := p.userByName(name)
	return session{user, time.Unix(seconds, 0)}, ok
}

func (p *Provider) logIn(w http.ResponseWriter, r *http.Request, user user) session {
	cookie := UserCookie(user.Username)
	cookie.Secure = r.TLS != nil
	http.SetCookie(w, cookie)
	return session{user, time.Now()}
}
