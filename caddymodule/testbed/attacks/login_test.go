package attacks

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/oauth2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// login is one login of an application, from the point of view of who started
// it: it knows state, nonce and verifier. An honest application keeps it in its
// session with one browser.
type login struct {
	clientID, redirectURI  string
	state, nonce, verifier string
	scope                  string
	// checksState and checksNonce are what the application does with the response.
	checksState, checksNonce bool
}

// newLogin is a login as good applications begin it: with PKCE, state and nonce,
// all of which they check.
func newLogin() *login {
	return &login{
		clientID: appID, redirectURI: appRedirect, scope: "openid",
		state: rand.Text(), nonce: rand.Text(), verifier: oauth2.GenerateVerifier(),
		checksState: true, checksNonce: true,
	}
}

// withoutNonce is a login of an application that relies on PKCE and state.
func withoutNonce() *login {
	l := newLogin()
	l.nonce, l.checksNonce = "", false
	return l
}

// withoutIDToken is a login of an application that uses OAuth without OpenID Connect.
func withoutIDToken() *login {
	l := withoutNonce()
	l.scope = "profile"
	return l
}

// anew is a login of the attacker's own that has nothing of the victim's.
func anew(l func() *login) func(theirs *login) *login { return func(*login) *login { return l() } }

// withNonceOf is a login with the nonce of another.
func withNonceOf(theirs *login) *login {
	l := newLogin()
	l.nonce = theirs.nonce
	return l
}

func (l *login) at(clientID, redirectURI string) *login {
	l.clientID, l.redirectURI = clientID, redirectURI
	return l
}

// pkceOnly is a login of an application that relies on PKCE alone, which RFC 9700
// section 4.7.1 allows.
func pkceOnly() *login {
	l := withoutNonce()
	l.checksState = false
	return l
}

func (l *login) challenge() string { return oauth2.S256ChallengeFromVerifier(l.verifier) }

func (l *login) request() url.Values {
	q := url.Values{
		"response_type": {"code"}, "client_id": {l.clientID}, "redirect_uri": {l.redirectURI}, "scope": {l.scope},
		"state": {l.state}, "code_challenge": {l.challenge()}, "code_challenge_method": {"S256"}, "response_mode": {"query"},
	}
	if l.nonce != "" {
		q.Set("nonce", l.nonce)
	}
	return q
}

func (e *env) authorizeURL(l *login) string { return at(e.base, authorizePath, l.request()) }

// logIn has a user go through a login, and returns the response that the application
// is sent, though it does not get it.
func (e *env) logIn(user string, l *login) url.Values {
	return e.lured(user, e.authorizeURL(l), l.redirectURI)
}

// lured has a user open a link to a login, and returns the response that comes to a
// redirect URI.
func (e *env) lured(user, link, redirectURI string) url.Values {
	v := e.visit(user, link)
	if v.last().String() != redirectURI || v.last().params.Get("code") == "" {
		fail.Check(v.describe("the login gave no code"))
	}
	return v.last().params
}

// logInUntilCode has a user go through a login up to where the IdP sends the
// code, which he never loads. With a callback that is the gateway's.
func (e *env) logInUntilCode(user string, l *login) hop {
	return e.visitUntilCode(user, e.authorizeURL(l))
}

func (e *env) visitUntilCode(user, address string) hop {
	return fail.Must(e.browser(user).visitUntil(address, hop.hasCode).withCode())
}

// begin sends an authorization request without a browser, as the attacker does
// for logins of his own, and returns where the IdP is asked.
func (e *env) begin(l *login) hop { return e.ask(l.request()) }

func (e *env) ask(q url.Values) hop {
	address := at(e.base, authorizePath, q)
	if e.mode.Protection == Nothing {
		return fail.Must(newHop(address)) // it is asked already
	}
	got := e.get(address)
	next := got.leadsTo()
	if next == nil {
		fail.Now("/authorize did not redirect: status %d, %.300s", got.status, got.body)
	}
	return *next
}

// deliver brings a code of the IdP to the callback, together with the state of a
// login of the attacker's own, and returns the code to exchange for that login.
func (e *env) deliver(code string, own *login) string {
	return e.deliverWithState(code, e.begin(own).params.Get("state"))
}

// deliverWithState returns the code to exchange: a sealed one, or the same one where
// there is no callback. "" means that the callback did not take it.
func (e *env) deliverWithState(code, state string) string {
	if e.mode.Protection != WithCallback {
		return code
	}
	next := e.loadCallback(url.Values{"code": {code}, "state": {state}})
	if next == nil {
		return ""
	}
	return next.params.Get("code")
}

// redeemAsOwn delivers a code of the IdP in a login of the attacker's own,
// exchanges what comes of it, and judges the tokens.
func (e *env) redeemAsOwn(code string, own *login) Outcome {
	return e.theft(e.exchange(e.exchangeForm(own, e.deliver(code, own))))
}

func (e *env) loadCallback(params url.Values) *hop {
	return e.get(at(e.base, callbackPath, params)).leadsTo()
}

// tokens is a response of a token endpoint, and how it came about.
type tokens struct {
	status       int
	Error        string `json:"error"`
	Description  string `json:"error_description"`
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
	IDToken      string `json:"id_token"`
	// stoppedBy is who refused.
	stoppedBy Party
	nonce     string // for the next DPoP proof
}

func (e *env) exchangeForm(l *login, code string) url.Values {
	return url.Values{
		"grant_type": {"authorization_code"}, "client_id": {l.clientID}, "code": {code},
		"redirect_uri": {l.redirectURI}, "code_verifier": {l.verifier},
	}
}

// withSecret adds the client's own secret, where it has one. Who has it: the
// application, and the attacker for his own client.
func (e *env) withSecret(form url.Values) url.Values {
	if e.mode.Confidential && e.mode.Protection != WithCallback {
		switch form.Get("client_id") {
		case appID:
			form.Set("client_secret", appSecret)
		case ownID:
			form.Set("client_secret", ownSecret)
		}
	}
	return form
}

func (e *env) exchange(form url.Values) *tokens {
	return e.post(e.base+tokenPath, form, nil)
}

func (e *env) exchangeAtIdP(form url.Values) *tokens {
	return e.post(e.idp.URL()+tokenPath, form, nil)
}

func (e *env) post(address string, form url.Values, header http.Header) *tokens {
	e.idp.Requests()
	got := e.send(e.client, e.newPost(address, form, header))
	t := &tokens{status: got.status, nonce: got.header.Get("DPoP-Nonce")}
	if err := json.Unmarshal([]byte(got.body), t); err != nil && got.status == http.StatusOK {
		fail.Now("the token endpoint's response is not JSON: %w", err)
	}
	if t.AccessToken == "" {
		t.stoppedBy = e.whoStopped()
	}
	return t
}

// whoStopped says who refused the exchange that was just made: the IdP, if it
// was asked and said no.
func (e *env) whoStopped() Party {
	for _, r := range e.idp.Requests() {
		if strings.HasSuffix(r.Path, "token") && r.Status != http.StatusOK {
			return IdP
		}
	}
	return e.inFront()
}

// finish is what the application does with the response in its login's browser.
func (e *env) finish(l *login, params url.Values) *tokens {
	refuse := func(code string) *tokens { return &tokens{Error: code, stoppedBy: Client} }
	if params.Get("code") == "" {
		return refuse("no code")
	}
	if l.checksState && params.Get("state") != l.state {
		return refuse("another state")
	}
	t := e.exchange(e.withSecret(e.exchangeForm(l, params.Get("code"))))
	if t.AccessToken != "" && l.checksNonce && nonceOf(t.IDToken) != l.nonce {
		return refuse("another nonce")
	}
	return t
}

// loggedIn is a completed login of the victim's client, and the response that it ended with.
func (e *env) loggedIn(l *login) (*tokens, url.Values) {
	params := e.logIn(victim, l)
	t := e.finish(l, params)
	if t.AccessToken == "" || e.owner(t).User != victim {
		fail.Now("an honest login was refused: %d %s %s", t.status, t.Error, t.Description)
	}
	return t, params
}

func (t *tokens) require(what string) {
	if t.AccessToken == "" {
		fail.Now("no access token %s: %d %s %s", what, t.status, t.Error, t.Description)
	}
}

func refreshForm(clientID, token string) url.Values {
	return url.Values{"grant_type": {"refresh_token"}, "client_id": {clientID}, "refresh_token": {token}}
}

func (e *env) refresh(token string) *tokens { return e.exchange(refreshForm(appID, token)) }

func nonceOf(idToken string) string {
	var claims struct{ Nonce string }
	fail.Check(json.Unmarshal(payloadOf(idToken), &claims))
	return claims.Nonce
}

// owner is whose account an access token opens.
func (e *env) owner(t *tokens) testidp.Token {
	token, _ := e.idp.Lookup(t.AccessToken)
	return token
}
