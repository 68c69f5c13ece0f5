package idp

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// sentOn is the query of a redirect.
func sentOn(t testing.TB, r *Result) url.Values {
	at := must.Have(url.Parse(r.Header.Get("Location")))(t)
	require.NotEmpty(t, at.RawQuery, string(r.Body))
	return at.Query()
}

// login is each request of a login, from authorize to the token endpoint.
func (s *served) login() (all []*Result) {
	s.t.Helper()
	do := func(method, target, content string, header ...string) *Result {
		all = append(all, s.do(method, target, content, header...))
		return all[len(all)-1]
	}
	at := do("GET", "/authorize?"+authorizeOpenly, "")
	cookie, _, _ := strings.Cut(at.Header.Get("Set-Cookie"), ";")
	if at.Status == http.StatusOK { // the consent page
		s.sealed.pass(pages.Pause)
		at = do("POST", ConsentForm.Path(),
			url.Values{"transaction": {transaction(s.t, at.Response)}, "decision": {"allow"}}.Encode(), "Cookie", cookie)
	}
	back := do("GET", "/oauth/callback?code=idp-code&state="+url.QueryEscape(sentOn(s.t, at).Get("state")), "", "Cookie", cookie)
	token := do("POST", "/oauth/token", form("code", sentOn(s.t, back).Get("code")))
	require.Equal(s.t, http.StatusOK, token.Status, string(token.Body))
	return all
}

func TestTheRequestsOfALoginHaveOneID(t *testing.T) {
	for name, with := range map[string]func(*Config){"without more": func(*Config) {}, "with consent": func(c *Config) { asking(c); c.Clients[1].ID = "single" }, "with rotation": rotating} {
		t.Run(name, func(t *testing.T) {
			s := newServed(t, with)
			s.respond(func(r *http.Request) (*http.Response, error) {
				return idpResponse(200, `{"sub":"user-1","access_token":"at","token_type":"Bearer","refresh_token":"rt"}`), nil
			})
			login := s.login()
			token := login[len(login)-1]
			renewed := s.do("POST", "/oauth/token", refreshForm("app", s.given(token).RefreshToken))
			again := s.do("POST", "/oauth/token", refreshForm("app", s.given(renewed).RefreshToken))
			wrong := s.do("POST", "/oauth/token", refreshForm("single", s.given(again).RefreshToken))
			require.GreaterOrEqual(t, wrong.Status, 400)
			revoked := s.do("POST", "/oauth/revoke", url.Values{"client_id": {"app"}, "token": {s.given(again).RefreshToken}}.Encode())
			id := login[0].Decision.LoginID
			require.Regexp(t, "^[A-Z2-7]{10}$", id)
			for _, r := range append(login, renewed, again, wrong, revoked) {
				require.Equal(t, id, r.Decision.LoginID, r.Decision.Endpoint)
			}

			info := s.do("GET", "/userinfo", "", "Authorization", "Bearer at")
			require.Equal(t, 200, info.Status)
			require.Regexp(t, "^[A-Z2-7]{16}$", info.Decision.TokenID())
			require.Equal(t, token.Decision.TokenID(), info.Decision.TokenID(), "what an IdP's access token is traced by")
			require.NotEqual(t, id, newServed(t, with).login()[0].Decision.LoginID)
		})
	}
}

// A code that is stolen, and tried with another verifier, shows which login it is of.
func TestAnAttackShowsWhoseLoginItIs(t *testing.T) {
	s := newServed(t)
	at := s.do("GET", "/authorize?"+authorizeOpenly, "")
	back := s.do("GET", "/oauth/callback?code=idp-code&state="+url.QueryEscape(sentOn(t, at).Get("state")), "")
	stolen := s.do("POST", "/oauth/token", form("code", sentOn(t, back).Get("code"), "code_verifier", string(verifierOf("x"))))
	require.Equal(t, http.StatusBadRequest, stolen.Status)
	require.Equal(t, at.Decision.LoginID, stolen.Decision.LoginID)
	require.Nil(t, stolen.Issued)
}

// Without a callback nothing is sealed.
func TestALoginWithoutCallbackIsTracedByItsChallenge(t *testing.T) {
	s := newServed(t, publicly)
	at := s.do("GET", "/authorize?"+authorizeOpenly, "")
	token := s.redeem("idp-code")
	require.Equal(t, at.Decision.LoginID, token.Decision.LoginID)
	require.Regexp(t, "^[A-Z2-7]{10}$", token.Decision.LoginID)
	require.Equal(t, &Issued{Grant: "authorization_code"}, token.Issued)
	require.Empty(t, token.Decision.TokenID())
}

func TestTheTokensOfAnAgentAreTraced(t *testing.T) {
	a := newAgent(t, true, rotating)
	result := a.redeem(a.logIn())
	got := a.answer(result)
	id := result.Decision.LoginID
	require.Regexp(t, "^[A-Z2-7]{10}$", id)
	require.Equal(t, id, a.opened(got.AccessToken).LoginID)
	user := result.Issued.Subject.String()
	result.Issued.Subject = nil
	require.Equal(t, Issued{Grant: "authorization_code", Scope: "read write", Resource: serverA, RefreshToken: true}, *result.Issued)
	require.Equal(t, id, a.ask("server-a", got.AccessToken).Decision.LoginID)
	renewed := a.renew(got.RefreshToken)
	require.Equal(t, id, a.opened(a.answer(renewed).AccessToken).LoginID)
	require.Equal(t, user, renewed.Issued.Subject.String())
	require.Equal(t, id, a.do("POST", "/oauth/revoke", url.Values{"client_id": {"app"}, "token": {a.answer(renewed).AccessToken}}.Encode()).Decision.LoginID)
}

// anyJWT is an access or ID token with these claims.
func anyJWT(claims string) string {
	return "eyJhbGciOiJub25lIn0." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + ".c2ln"
}

func TestWhatTheLogSaysOfTokens(t *testing.T) {
	const plain = `"access_token":"at","token_type":"Bearer"`
	for name, tc := range map[string]struct {
		response string
		want     Issued
		user     string
	}{
		"opaque":                    {response: `{` + plain + `}`},
		"with scope":                {`{` + plain + `,"scope":"email  profile"}`, Issued{Scope: "email profile"}, ""},
		"with a refresh token":      {`{` + plain + `,"refresh_token":"rt"}`, Issued{RefreshToken: true}, ""},
		"a JWT":                     {`{"token_type":"Bearer","access_token":"` + anyJWT(`{"sub":"ada@example.com","scope":"email"}`) + `"}`, Issued{Scope: "email"}, "ada@example.com"},
		"a JWT of Okta":             {`{"token_type":"Bearer","access_token":"` + anyJWT(`{"scp":["a","b"]}`) + `"}`, Issued{Scope: "a b"}, ""},
		"sub that is no name":       {response: `{"token_type":"Bearer","access_token":"` + anyJWT(`{"sub":"a\nb"}`) + `"}`},
		"more scopes than are read": {`{` + plain + `,"scope":"` + strings.Repeat("s", 5000) + `"}`, Issued{Scope: strings.Repeat("s", maxLoggedScope)}, ""},
	} {
		s := newServed(t)
		if tc.user != "" {
			tc.user = newSealedGateway(t).s.Keys.Fingerprint(subjectTrace, "https://idp.example\x00"+tc.user)
		}
		s.respond(func(*http.Request) (*http.Response, error) { return idpResponse(200, tc.response), nil })
		tc.want.Grant = "authorization_code"
		result := s.redeem(s.logIn())
		require.Equal(t, http.StatusOK, result.Status, name)
		require.Equal(t, tc.user, result.Issued.Subject.String(), name)
		result.Issued.Subject = nil
		require.Equal(t, &tc.want, result.Issued, name)
	}

	s := newServed(t)
	for _, response := range []*http.Response{idpResponse(400, `{"error":"invalid_grant"}`), idpResponse(500, ""), idpResponse(200, "{}")} {
		s.respond(func(*http.Request) (*http.Response, error) { return response, nil })
		require.Nil(t, s.redeem(s.logIn()).Issued, "no token was given out")
	}
}

// The log has no table of users: who reads it can try all names that there are, and finds
// none without the sealing key.
func TestTheUserInTheLog(t *testing.T) {
	const user = "ada@example.com"
	logged := func() string {
		a := newAgent(t, true)
		a.claims["sub"] = user
		result := a.redeem(a.logIn())
		require.Equal(t, 200, result.Status, string(result.Body))
		return result.Issued.Subject.String()
	}
	hash := logged()
	require.Regexp(t, "^[A-Z2-7]{16}$", hash)
	require.Equal(t, hash, logged(), "the same user is found again")

	for _, guess := range []string{user, "https://idp.example\x00" + user, "access token in logs" + user} {
		sum := sha256.Sum256([]byte(guess))
		require.NotEqual(t, base32.StdEncoding.EncodeToString(sum[:10]), hash)
	}
	keys := newSealedGateway(t).s.Keys
	require.Equal(t, hash, keys.Fingerprint(subjectTrace, "https://idp.example\x00"+user))
	other := must.Have(seal.NewKeys([][]byte{[]byte(strings.Repeat("another key ", 3))}, nil))(t)
	require.NotEqual(t, hash, other.Fingerprint(subjectTrace, "https://idp.example\x00"+user))
	require.NotEqual(t, hash, keys.Fingerprint(subjectTrace, "https://other.example\x00"+user), "another IdP's user of that name")
}
