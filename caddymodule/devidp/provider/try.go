package provider

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
)

// tryCookie keeps state and verifier of a login that was begun at [PathTry].
const tryCookie = "devidp_try"

// tryClientID is the client of the logins that begin at [PathTry].
const tryClientID = "dev-native"

type tryView struct {
	TokenURL  string
	UserURL   string
	Form      []formField // of the token request
	ErrorCode string
	Error     string
}

type formField struct{ Name, Value string }

// tryLogin begins a login at the issuer, as a client would: with PKCE and state,
// and with its own callback as the redirect URI.
func (p *Provider) tryLogin(w http.ResponseWriter, r *http.Request) {
	state, verifier := rand.Text(), rand.Text()+rand.Text()
	challenge := sha256.Sum256([]byte(verifier))
	http.SetCookie(w, &http.Cookie{
		Name: tryCookie, Value: state + "." + verifier, Path: PathTry,
		MaxAge: 900, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
	issuer := issuerOf(r.Context())
	http.Redirect(w, r, endpointURL(r.Context(), PathAuthorize)+"?"+url.Values{
		"audience":              {issuer},
		"scope":                 {"openid profile email offline_access"},
		"response_type":         {"code"},
		"response_mode":         {"query"},
		"client_id":             {tryClientID},
		"code_challenge_method": {"S256"},
		"code_challenge":        {base64.RawURLEncoding.EncodeToString(challenge[:])},
		"state":                 {state},
		"redirect_uri":          {tryRedirectURI(r)},
	}.Encode(), http.StatusSeeOther)
}

// tryCallback shows what came back, and the command that buys the tokens.
func (p *Provider) tryCallback(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if code := query.Get("error"); code != "" {
		p.page(w, http.StatusOK, "try.html", tryView{ErrorCode: code, Error: query.Get("error_description")})
		return
	}
	var state, verifier string
	if cookie, err := r.Cookie(tryCookie); err == nil {
		state, verifier, _ = strings.Cut(cookie.Value, ".")
	}
	if state == "" || subtle.ConstantTimeCompare([]byte(state), []byte(query.Get("state"))) != 1 {
		p.errorPage(w, http.StatusBadRequest, "This login did not begin in this browser.",
			"The state that came back is not the one that was sent (RFC 6749 section 10.12). Begin again at "+PathTry+".")
		return
	}
	p.page(w, http.StatusOK, "try.html", tryView{
		TokenURL: endpointURL(r.Context(), PathToken),
		UserURL:  endpointURL(r.Context(), PathUserInfo),
		Form: []formField{
			{"grant_type", "authorization_code"},
			{"client_id", tryClientID},
			{"redirect_uri", tryRedirectURI(r)},
			{"code_verifier", verifier},
			{"code", query.Get("code")},
		},
	})
}

func tryRedirectURI(r *http.Request) string { return "http://" + r.Host + PathTryCallback }
