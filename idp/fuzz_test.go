package idp

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/cookie"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
)

// FuzzLogout holds what is sent on to Go's own parser: a browser goes to the IdP only,
// which is told of no page but a registered one.
func FuzzLogout(f *testing.F) {
	f.Add("client_id=app&returnTo=https://app.example/bye&federated")
	f.Add("clientId=app&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2Fbye&state=s&id_token_hint=a.b.c")
	f.Add("returnTo=https://evil.example/&returnTo=https://app.example/bye")
	f.Add("client_id=app&ReturnTo=https://evil.example/&return%54o=//evil.example")
	var policies []*Policy
	for _, protocol := range []LogoutProtocol{Auth0Logout, RPInitiatedLogout, CognitoLogout, NoLogout} {
		policies = append(policies, testPolicy(f, registered, func(c *Config) { c.LogoutProtocol = protocol }))
	}
	f.Fuzz(func(t *testing.T, raw string) {
		for _, p := range policies {
			r, err := p.parseLogout(raw)
			if err != nil {
				requireWellFormed(t, err)
				continue
			}
			location := r.logoutURL(p)
			u, err := url.Parse(location)
			if err != nil {
				t.Fatal(err)
			}
			if p.idp.Logout() == NoLogout {
				if location != "" && !strings.HasPrefix(location, "https://app.example/bye") {
					t.Fatalf("the browser goes to %q", location)
				}
				continue
			}
			q, err := url.ParseQuery(u.RawQuery)
			if err != nil || u.Scheme+"://"+u.Host+u.Path != "https://idp.example/v2/logout" {
				t.Fatalf("the browser goes to %q: %v", location, err)
			}
			for name, values := range q {
				switch {
				case len(values) != 1:
					t.Fatalf("%s twice in %q", name, location)
				case strings.HasPrefix(values[0], "http") && name != "state" && name != "id_token_hint" && name != "logout_hint" && name != "ui_locales" && name != "client_id" && values[0] != "https://app.example/bye":
					t.Fatalf("%q names another page", location)
				}
			}
		}
	})
}

// FuzzWalk is an IdP that redirects to anything: the gateway asks nobody but the IdP,
// and gives a code only for the state that it sent.
func FuzzWalk(f *testing.F) {
	for _, location := range []string{
		"https://app.example/cb?code=c&state=xyz", "https://app.example/cb#code=c&state=xyz", "/login", "//evil.example/", "https://idp.example@evil.example/",
		"https://app.example/cb?code=c&state=abc", "https://app.example/cb?error=login_required&state=xyz", "https://app.example/cb?code=c&code=d&state=xyz", "\\\\evil.example", "https://idp.example:x/",
		"//app.example/cb#code=c&state=xyz", // RFC 9110, section 10.2.2: relative to the IdP's address
	} {
		f.Add(302, location)
	}
	f.Add(500, "")
	p := testPolicy(f)
	r := must.Have(p.parseAuthorize(query("prompt", "none")))(f)
	f.Fuzz(func(t *testing.T, status int, location string) {
		w := r.newSilentLogin(p, sealer{})
		from := w.url()
		result, err := w.next(status, http.Header{"Location": {location}})
		if err != nil {
			requireWellFormed(t, err)
		}
		if u := w.url(); u.Scheme != "https" || u.Host != "idp.example" || u.User != nil {
			t.Fatalf("%q makes the gateway ask %s", location, u)
		}
		if result != nil {
			if target, err := from.Parse(location); err != nil || result.State != "xyz" || result.Code == "" || !strings.HasPrefix(strings.ToLower(target.String()), "https://app.example/cb") {
				t.Fatalf("%q gives %+v", location, result)
			}
		}
	})
}

// FuzzTokenResponse is an IdP that answers anything to a sealed code:
// a response that passes has a token of this login, by an independent reading of it.
func FuzzTokenResponse(f *testing.F) {
	g := newSealedGateway(f)
	grant, _ := g.opened(location(f, g.called(g.begin().Get("state"), "c").Response).Query().Get("code"))
	bounded := testPolicy(f, registered)
	token := func(claims string) string {
		return `{"access_token":"a","token_type":"Bearer","id_token":"e30.` + base64.RawURLEncoding.EncodeToString([]byte(claims)) + `.c2ln"}`
	}
	for _, body := range []string{
		token(`{"aud":"app","nonce":"client-nonce"}`), token(`{"aud":["app"],"nonce":"other"}`), token(`{"aud":"app"}`), token(`{"aud":"other","nonce":"client-nonce"}`),
		`{"error":"invalid_grant"}`, `{"error":"invalid_grant","access_token":"a","token_type":"Bearer"}`, `{"access_token":"a","token_type":"Bearer"}`, `{"access_token":"a","token_type":"Bearer","id_token":null}`,
		`{"access_token":"a","token_type":"Bearer","id_token":""}`, `{"access_token":"a","token_type":"Bearer","id_token":{}}`, "access_token=a&token_type=bearer", `{"access_token":"a","access_token":"b","token_type":"x"}`,
		`{"access_token":"` + jwtOf(`{"aud":"https://b.example","scp":["admin"]}`) + `","token_type":"Bearer"}`, `{"access_token":"a","token_type":"Bearer","scope":"openid,admin"}`,
	} {
		f.Add(200, "application/json", body)
		f.Add(400, "application/x-www-form-urlencoded", body)
	}
	f.Fuzz(func(t *testing.T, status int, contentType, body string) {
		response := Response{Status: status, Header: http.Header{"Content-Type": {contentType}}, Body: []byte(body)}
		checked, err := g.checkTokenResponse(response, grant)
		outcome, response := checked.Outcome, checked.Response
		if err != nil {
			requireWellFormed(t, err)
		}
		if outcome == upstream.Granted && (err != nil || response.Status != http.StatusOK) {
			t.Fatalf("granted with status %d and %v", response.Status, err)
		}
		if outcome != upstream.Granted {
			if token, _ := upstream.ReadToken(response.Body); token.AccessToken != "" && err == nil {
				t.Fatalf("a token passes that was not granted: %s", body)
			}
			return
		}
		answer, _ := upstream.ReadToken(response.Body)
		if err := (&tokenRequest{Auth: clients.Auth{Party: bounded.registry.Find("app")}}).takeGranted(bounded, &answer); err != nil {
			requireWellFormed(t, err)
		} else if scope := answer.Scope.Spaced(); slices.Contains(scope, "admin") {
			t.Fatalf("more than the list passes: %q", scope)
		}
		if answer.AccessToken == "" || strings.ContainsAny(answer.AccessToken, "\r\n\x00") {
			t.Fatalf("%q passes for a token", answer.AccessToken)
		}
		if id := string(answer.IDToken); id == "" || id == "null" || id == `""` {
			t.Fatalf("a token passes without the ID token that the login asked for: %s", body)
		} else {
			parts := strings.Split(strings.Trim(id, `"`), ".")
			if claims, err := base64.RawURLEncoding.DecodeString(parts[1]); err == nil && !strings.Contains(string(claims), "client-nonce") && !strings.Contains(string(claims), `\u`) {
				t.Fatalf("the ID token of another login passes: %s", claims)
			}
		}
	})
}

// FuzzUserInfoResponse: what passes with status 200 is a JSON object.
func FuzzUserInfoResponse(f *testing.F) {
	f.Add(200, "", `{"sub":"ada"}`)
	f.Add(401, `Bearer error="invalid_token"`, `{"error":"invalid_token"}`)
	f.Add(401, `Basic realm="x"`, ``)
	f.Add(503, ``, `<html>`)
	f.Fuzz(func(t *testing.T, status int, challenge, body string) {
		err := upstream.CheckUserInfo(Response{Status: status, Header: http.Header{"Www-Authenticate": {challenge}}, Body: []byte(body)})
		if err != nil {
			requireWellFormed(t, err)
			if e := oauth.AsError(err); strings.HasPrefix(strings.ToLower(e.Challenge), "basic") {
				t.Fatalf("a browser is asked for a password: %s", e.Challenge)
			}
			return
		}
		var object struct {
			Error string `json:"error"`
		}
		isError := json.Unmarshal([]byte(body), &object) == nil && upstream.IsErrorCode(object.Error)
		if status == http.StatusOK && !strings.HasPrefix(strings.TrimSpace(body), "{") || status != http.StatusOK && !isError {
			t.Fatalf("status %d passes with %q", status, body)
		}
	})
}

// FuzzConsent: nobody approves without the page that was made for his browser.
func FuzzConsent(f *testing.F) {
	g := newSealedGateway(f, asking)
	request := must.Have(g.parseAuthorize(consentQuery("app", "https://app.example/cb")))(f)
	page := must.Have(request.consentPage(g.Policy, g.s, consentQuery("app", "https://app.example/cb"), nil))(f)
	g.pass(pages.Pause)
	browser, _, _ := strings.Cut(page.Header.Get("Set-Cookie"), ";")
	found := transactionField.FindSubmatch(page.Body)
	require.NotNil(f, found)
	genuine := string(found[1])
	f.Add("transaction="+genuine+"&decision=allow", browser)
	f.Add("transaction="+genuine+"&decision=deny", browser+"; a=b")
	f.Add("transaction="+genuine+"&decision=allow", "")
	f.Add("transaction=x&transaction="+genuine, browser)
	f.Fuzz(func(t *testing.T, body, sent string) {
		header := formHeader("Cookie", sent)
		consent, err := g.parseConsent(g.s, "", header, body)
		if err != nil {
			requireWellFormed(t, err)
			return
		}
		if consent.Request.ClientID != "app" || consent.Request.RedirectURI != "https://app.example/cb" || cookie.Of(g.s.Callback, header) == "" {
			t.Fatalf("%+v from %q with the cookies %q", consent, body, sent)
		}
	})
}

// FuzzFrontResponse: no cookie for another host passes, and no permission for another origin.
func FuzzFrontResponse(f *testing.F) {
	f.Add("a=1; Domain=app.example", "Access-Control-Allow-Origin")
	f.Add("a=1; domain=.EXAMPLE; Domain=idp.example", "access-control-allow-credentials")
	f.Add("a=1; Domain=evil.example", "X")
	f.Add("=; Domain", "Set-Cookie")
	f.Fuzz(func(t *testing.T, cookie, name string) {
		header := http.Header{"Set-Cookie": {cookie}}
		header.Set(name, "x")
		filterFrontResponse(header, "login.app.example")
		for _, line := range header["Set-Cookie"] {
			response := http.Response{Header: http.Header{"Set-Cookie": {line}}}
			for _, c := range response.Cookies() {
				domain := strings.ToLower(strings.TrimPrefix(c.Domain, "."))
				if domain != "" && domain != "login.app.example" && !strings.HasSuffix("login.app.example", "."+domain) {
					t.Fatalf("%q passes", line)
				}
			}
		}
		for name := range header {
			if strings.HasPrefix(strings.ToLower(name), "access-control-") {
				t.Fatalf("%q passes", name)
			}
		}
	})
}

// FuzzConfiguredURIs: an address of the configuration that is accepted is one that Go
// and browsers read alike.
func FuzzConfiguredURIs(f *testing.F) {
	for _, seed := range []string{
		"https://IDP.example:443/realms/", "https://idp.example//", "http://[::1]:80", "https://a@idp.example", "https://idp.example/?#", "https://idp.example:0", "/oauth//token", "https://idp.example/%2e", "//x",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if u, err := ParseAuthURL(s); err == nil {
			again, err := ParseAuthURL(u.String())
			if err != nil || again.String() != u.String() {
				t.Fatalf("%q has the forms %q and %q: %v", s, u, again, err)
			}
			if strings.HasSuffix(u.Path, "/") || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
				t.Fatalf("%q becomes %q", s, u)
			}
		}
		p, err := NewPolicy(Config{AuthURL: "https://idp.example", Endpoints: map[Endpoint]string{Token: s}})
		if err != nil {
			return
		}
		at := p.idp.At(Token)
		if !slices.Contains([]string{"http", "https"}, at.Scheme) || at.Hostname() == "" || at.Fragment != "" || at.User != nil {
			t.Fatalf("%q becomes %q", s, at)
		}
	})
}
