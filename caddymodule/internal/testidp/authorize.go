package testidp

import (
	"cmp"
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	sessionCookie = "development_idp_session"
	userCookie    = "testidp_user"
)

// Response modes. web_message responds with a page that posts the result to its
// opener or parent (draft-sakimura-oauth-wmrm), as Auth0 does for silent logins.
const (
	modeFragment   = "fragment"
	modeFormPost   = "form_post"
	modeWebMessage = "web_message"
)

// Scopes with a meaning here.
const (
	scopeOpenID        = "openid"
	scopeProfile       = "profile"
	scopeEmail         = "email"
	scopeOfflineAccess = "offline_access"
)

// authRequest is a checked authorization request. It is immutable but for
// codeTime and redeemed, which the store guards.
type authRequest struct {
	id           string
	clientID     string
	redirectURI  string
	responseMode string
	state        string
	nonce        string
	scopes       []string
	audience     string // of the access token
	acr          string
	challenge    string
	method       string // of the challenge
	loginHint    string
	offline      bool // it may get a refresh token

	subject  string // empty until somebody logged in
	authTime time.Time

	codeTime time.Time
	redeemed *grant // what its code was exchanged for
}

// loggedIn is a copy of the request that belongs to a user.
func (a *authRequest) loggedIn(s session) *authRequest {
	done := *a
	done.subject, done.authTime = s.subject, s.authTime
	return &done
}

// authorize is the authorization endpoint (RFC 6749 section 3.1, OpenID Connect
// Core 3.1.2, with Auth0's audience and response modes).
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q, err := p.parameters(w, r)
	if err != nil {
		p.errorPage(w, http.StatusBadRequest, "This login request is not valid.", err.Error())
		return
	}
	client, ok := p.clients[q.Get("client_id")]
	if !ok {
		p.errorPage(w, http.StatusBadRequest, "This application is not known here.",
			"The client_id is missing or not registered with this identity provider.")
		return
	}
	if uri := q.Get("request_uri"); uri != "" {
		if q, ok = p.store.pushes.get(uri); !ok || q.Get("client_id") != client.ID || !p.store.pushes.remove(uri) {
			p.errorPage(w, http.StatusBadRequest, "This login request is not valid.", "The request_uri is unknown, used up or another client's.")
			return
		}
	} else if p.PAR == RequiresPAR && client.Secret != "" {
		p.errorPage(w, http.StatusBadRequest, "This login request is not valid.", "The request has to be pushed.")
		return
	}
	redirectURI, ok := p.redirectURI(client, q.Get("redirect_uri"))
	if !ok {
		p.errorPage(w, http.StatusBadRequest, "This application may not receive its response at that address.",
			"The redirect_uri is missing or not one of those registered for "+client.ID+".")
		return
	}

	request := &authRequest{
		id: rand.Text(), clientID: client.ID, redirectURI: redirectURI,
		responseMode: q.Get("response_mode"), state: q.Get("state"), nonce: q.Get("nonce"), acr: q.Get("acr_values"),
		scopes: strings.Fields(p.named(q, "scope", "scopes")), audience: cmp.Or(p.resource(q), p.named(q, "audience", "aud")),
		challenge: q.Get("code_challenge"), method: q.Get("code_challenge_method"), loginHint: q.Get("login_hint"), offline: p.isOffline(q),
	}
	if err := p.checkRequest(q, request); err != nil {
		p.sendError(w, r, request, err)
		return
	}

	current, loggedIn := p.currentSession(w, r, q)
	switch {
	case loggedIn:
		p.sendCode(w, r, request.loggedIn(current))
	case q.Get("prompt") == "none":
		p.sendError(w, r, request, &oauthError{"login_required", "nobody is logged in and prompt=none forbids the login page"})
	default:
		p.store.pending.put(request.id, request)
		http.Redirect(w, r, loginURL(request.id), http.StatusFound)
	}
}

// redirectURI is where the response to a client goes; false if it may not.
func (p *Provider) redirectURI(c *registration, sent string) (string, bool) {
	if sent == "" && !p.Strict && len(c.RedirectURIs) == 1 {
		sent = c.RedirectURIs[0]
	}
	return sent, sent != "" && (p.AnyRedirectURI || anyMatches(c.redirectURIs, sent))
}

// checkRequest applies the rules whose violation is reported to the client.
func (p *Provider) checkRequest(q url.Values, request *authRequest) error {
	if request.responseMode != "" && !slices.Contains(p.responseModes(), request.responseMode) {
		request.responseMode = "" // for the error
		return invalidRequest("response_mode is not one of " + strings.Join(p.responseModes(), ", "))
	}
	if p.Strict {
		if err := checkForm(q, request); err != nil {
			return err
		}
	}
	switch {
	case q.Get("response_type") != "code":
		return &oauthError{"unsupported_response_type", "response_type must be code"}
	case !p.supportsScopes(request.scopes):
		return &oauthError{"invalid_scope", "not all of these scopes are supported"}
	case p.PKCE == RequiresPKCE && request.challenge == "":
		return invalidRequest("PKCE is required: code_challenge is missing")
	}
	return p.refuses(q)
}

// checkForm checks what the specifications say of each parameter.
func checkForm(q url.Values, request *authRequest) error {
	digest, err := base64.RawURLEncoding.Strict().DecodeString(request.challenge)
	switch {
	case q.Get("request") != "":
		return &oauthError{"request_not_supported", "request objects are not supported"}
	case request.method != "S256" || err != nil || len(digest) != 32:
		return invalidRequest("PKCE is required: code_challenge must be 43 base64url characters, code_challenge_method S256")
	case len(request.scopes) == 0:
		return invalidRequest("scope is missing")
	}
	return nil
}

// currentSession is that of the browser, or a new one for the auto login user.
// prompt=login asks for a fresh one, max_age for one that is not older.
func (p *Provider) currentSession(w http.ResponseWriter, r *http.Request, q url.Values) (session, bool) {
	if user := anybody(r); p.users == nil && user != "" {
		return session{subject: user, authTime: p.config.Now()}, true
	}
	if prompts := strings.Fields(q.Get("prompt")); slices.Contains(prompts, "login") || slices.Contains(prompts, "select_account") {
		return session{}, false
	}
	if cookie, err := r.Cookie(sessionCookie); err == nil {
		current, ok := p.store.sessions.get(cookie.Value)
		atMost, err := strconv.Atoi(q.Get("max_age")) // what is no number asks for nothing
		if ok && (err != nil || p.config.Now().Sub(current.authTime) <= time.Duration(atMost)*time.Second) {
			return current, true
		}
	}
	if user, ok := p.userByName(p.config.AutoLogin); ok {
		return p.logIn(w, r, user), true
	}
	return session{}, false
}

func (p *Provider) logIn(w http.ResponseWriter, r *http.Request, user user) session {
	value, started := rand.Text(), session{subject: user.subject(), authTime: p.config.Now()}
	p.store.sessions.put(value, started)
	setCookie(w, r, sessionCookie, value, int(sessionLifetime.Seconds()))
	return started
}

// anybody is who sits at the browser by the parameter user or a cookie.
func anybody(r *http.Request) string {
	if user := r.URL.Query().Get("user"); user != "" {
		return user
	}
	cookie, err := r.Cookie(userCookie)
	if err != nil {
		return ""
	}
	user, _ := url.QueryUnescape(cookie.Value)
	return user
}

func setCookie(w http.ResponseWriter, r *http.Request, name, value string, maxAge int) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: maxAge,
		HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteLaxMode,
	})
}

// loginPage shows who can log in.
func (p *Provider) loginPage(w http.ResponseWriter, r *http.Request) {
	request, ok := p.store.pending.get(r.URL.Query().Get("state"))
	if !ok {
		p.loginExpired(w)
		return
	}
	p.page(w, http.StatusOK, "login.html", loginView{
		Request: request.id, Client: request.clientID, Scopes: request.scopes,
		Users: p.users, Hint: request.loginHint,
	})
}

// login is the form of the page.
func (p *Provider) login(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 16<<10)
	request, ok := p.store.pending.get(r.PostFormValue("state"))
	if !ok {
		p.loginExpired(w)
		return
	}
	if r.PostFormValue("action") == "cancel" {
		p.sendError(w, r, request, &oauthError{"access_denied", "the user cancelled the login"})
		return
	}
	user, ok := p.userByName(r.PostFormValue("username"))
	if !ok {
		p.errorPage(w, http.StatusBadRequest, "There is no such user.", "Go back and choose one of the list.")
		return
	}
	p.sendCode(w, r, request.loggedIn(p.logIn(w, r, user)))
}

func (p *Provider) loginExpired(w http.ResponseWriter) {
	p.errorPage(w, http.StatusBadRequest, "This login has expired or is finished.", "Start again from the application.")
}

func loginURL(id string) string { return PathLogin + "?state=" + url.QueryEscape(id) }

// parameters are those of the query, or of a POST's form, nothing of both. A strict
// provider rejects those that are given twice or cannot be read (RFC 6749 section 3.1).
func (p *Provider) parameters(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	given, err := url.ParseQuery(r.URL.RawQuery)
	if r.Method == http.MethodPost {
		r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
		err = r.ParseForm()
		given = r.PostForm
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
