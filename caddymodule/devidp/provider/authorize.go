package provider

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

const sessionCookie = "development_idp_session"

// authorize is the authorization endpoint (RFC 6749 section 3.1, OpenID Connect
// Core 3.1.2, with Auth0's audience and response modes).
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	if err := singleParameters(r.URL.RawQuery); err != nil {
		p.errorPage(w, http.StatusBadRequest, "This login request is not valid.", err.Error())
		return
	}
	if uri := r.URL.Query().Get("request_uri"); uri != "" {
		query, ok := p.store.pushed(uri, r.URL.Query().Get("client_id"))
		if !ok {
			p.errorPage(w, http.StatusBadRequest, "This login request is not valid.", "The request_uri is unknown, used up or another client's.")
			return
		}
		r = r.Clone(r.Context())
		r.URL.RawQuery = query
	}
	parsed, err := op.ParseAuthorizeRequest(r, p.op.Decoder())
	if err != nil {
		p.errorPage(w, http.StatusBadRequest, "This login request is not valid.", oauthError(err).Description)
		return
	}
	client, ok := p.clients[parsed.ClientID]
	if !ok {
		p.errorPage(w, http.StatusBadRequest, "This application is not known here.",
			"The client_id is missing or not registered with the development identity provider.")
		return
	}
	if !anyMatches(client.redirectURIs, parsed.RedirectURI) {
		p.errorPage(w, http.StatusBadRequest, "This application may not receive its response at that address.",
			"The redirect_uri is missing or not one of those registered for "+client.id+".")
		return
	}

	request := &authRequest{
		id: rand.Text(), clientID: client.id, redirectURI: parsed.RedirectURI,
		responseMode: parsed.ResponseMode, state: parsed.State, nonce: parsed.Nonce,
		challenge: parsed.CodeChallenge, loginHint: parsed.LoginHint,
		audience: slices.DeleteFunc(r.URL.Query()["audience"], func(api string) bool { return api == "" }),
	}
	if request.scopes, err = p.checkRequest(parsed, client); err != nil {
		p.sendError(w, r, request, err)
		return
	}
	if slices.Contains(request.scopes, oidc.ScopeOpenID) {
		request.audience = append(request.audience, endpointURL(r.Context(), PathUserInfo))
	}

	current, loggedIn := p.currentSession(w, r, parsed)
	silent := slices.Contains(parsed.Prompt, oidc.PromptNone)
	switch {
	case loggedIn:
		p.sendCode(w, r, request.loggedIn(current))
	case silent:
		p.sendError(w, r, request, oidc.ErrLoginRequired().WithDescription("nobody is logged in and prompt=none forbids the login page"))
	default:
		p.store.wait(request)
		http.Redirect(w, r, loginURL(request.id), http.StatusFound)
	}
}

// checkRequest applies the rules whose violation is reported to the client. It
// returns the scopes.
func (p *Provider) checkRequest(request *oidc.AuthRequest, client *registration) ([]string, error) {
	if request.ResponseMode != "" && !slices.Contains(supportedResponseModes, string(request.ResponseMode)) {
		return nil, oidc.ErrInvalidRequest().WithDescription("response_mode is not one of query, fragment, form_post, web_message")
	}
	if request.RequestParam != "" {
		return nil, oidc.ErrRequestNotSupported().WithDescription("request objects are not supported")
	}
	if err := op.ValidateAuthReqResponseType(client, request.ResponseType); err != nil {
		return nil, err
	}
	if request.CodeChallengeMethod != oidc.CodeChallengeMethodS256 {
		return nil, oidc.ErrInvalidRequest().WithDescription("PKCE is required: code_challenge_method must be S256")
	}
	if digest, err := base64.RawURLEncoding.Strict().DecodeString(request.CodeChallenge); err != nil || len(digest) != 32 {
		return nil, oidc.ErrInvalidRequest().WithDescription("PKCE is required: code_challenge must be 43 base64url characters")
	}
	if _, err := op.ValidateAuthReqPrompt(request.Prompt, request.MaxAge); err != nil {
		return nil, err
	}
	return op.ValidateAuthReqScopes(client, request.Scopes)
}

// currentSession is that of the browser, or a new one for the auto login user.
// prompt=login asks for a fresh one, max_age for one that is not older.
func (p *Provider) currentSession(w http.ResponseWriter, r *http.Request, request *oidc.AuthRequest) (session, bool) {
	forceLogin := slices.Contains(request.Prompt, oidc.PromptLogin) || slices.Contains(request.Prompt, oidc.PromptSelectAccount)
	if forceLogin {
		return session{}, false
	}
	if cookie, err := r.Cookie(sessionCookie); err == nil {
		if current, ok := p.store.session(cookie.Value); ok && youngEnough(current, request.MaxAge, p.config.Now()) {
			return current, true
		}
	}
	if user, ok := p.userByName(p.config.AutoLogin); ok {
		return p.logIn(w, r, user), true
	}
	return session{}, false
}

func youngEnough(s session, maxAge *uint, now time.Time) bool {
	return maxAge == nil || now.Sub(s.authTime) <= time.Duration(*maxAge)*time.Second
}

func (p *Provider) logIn(w http.ResponseWriter, r *http.Request, user User) session {
	value, started := p.store.startSession(user.subject())
	setSessionCookie(w, r, value, int(sessionLifetime.Seconds()))
	return started
}

func setSessionCookie(w http.ResponseWriter, r *http.Request, value string, maxAge int) {
	http.SetCookie(w, &http.Cookie{
		Name: sessionCookie, Value: value, Path: "/", MaxAge: maxAge,
		HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteLaxMode,
	})
}

// loginPage shows who can log in.
func (p *Provider) loginPage(w http.ResponseWriter, r *http.Request) {
	request, ok := p.store.waiting(r.URL.Query().Get("state"))
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
	request, ok := p.store.waiting(r.PostFormValue("state"))
	if !ok {
		p.loginExpired(w)
		return
	}
	if r.PostFormValue("action") == "cancel" {
		p.sendError(w, r, request, errAccessDenied())
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

// singleParameters rejects a query that gives a parameter twice or cannot be
// read (RFC 6749 section 3.1).
func singleParameters(query string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return errors.New("the query cannot be read")
	}
	for name, given := range values {
		if len(given) > 1 {
			return errors.New("the parameter " + name + " is given more than once")
		}
	}
	return nil
}
