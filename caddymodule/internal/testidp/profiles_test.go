package testidp_test

import (
	"cmp"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

// A profile whose rules nobody can break would prove nothing: each of these is
// what a gateway without the recipe runs into.
func TestTheRulesOfTheProfilesBite(t *testing.T) {
	client := testidp.Client{ID: "app", RedirectURIs: []string{"https://app.example/cb"}, Auth: "client_secret_post", Secret: "s"}
	exchange := func(s *testidp.Server, b testidp.Behavior, header http.Header, with url.Values) (int, string) {
		q := url.Values{"client_id": {"app"}, "redirect_uri": {"https://app.example/cb"}, "response_type": {"code"}, "user": {"ada"}, "scope": {"openid"}}
		maps.Copy(q, with)
		back := answer(t, http.MethodGet, s.URL()+b.Path(testidp.PathAuthorize)+"?"+q.Encode(), "", nil)
		location, err := back.Location()
		require.NoError(t, err)
		if failure := location.Query().Get("error"); failure != "" {
			return 0, failure
		}
		form := url.Values{
			"grant_type": {"authorization_code"}, "client_id": {"app"}, "client_secret": {"s"},
			"redirect_uri": {"https://app.example/cb"}, "code": {location.Query().Get("code")},
		}
		if with.Has("no_secret") {
			form.Del("client_secret")
		}
		if with.Has("wrong_code") {
			form.Set("code", "x")
		}
		if with.Has("at_token") {
			form.Set("resource", with.Get("at_token"))
		}
		got := answer(t, http.MethodPost, s.HostURL(testidp.TokenHost)+b.Path(testidp.PathToken), form.Encode(), header)
		return got.StatusCode, got.body
	}
	json := http.Header{"Accept": {"application/json"}}
	known := func(b testidp.Behavior) testidp.Behavior {
		b.Targets = []string{"https://mcp.example.com"}
		return b
	}
	for name, test := range map[string]struct {
		behavior testidp.Behavior
		header   http.Header
		with     url.Values
		status   int
		has, not string
	}{
		"Google without a secret":              {testidp.Google(client), json, url.Values{"no_secret": {"1"}}, 401, "invalid_client", "access_token"},
		"Google without access_type":           {testidp.Google(client), json, nil, 200, "id_token", "refresh_token"},
		"Google with access_type":              {testidp.Google(client), json, url.Values{"access_type": {"offline"}}, 200, "refresh_token", "error"},
		"Google with offline_access":           {testidp.Google(client), json, url.Values{"scope": {"openid offline_access"}}, 0, "invalid_scope", "token"},
		"Google with a resource":               {testidp.Google(client), json, url.Values{"resource": {"https://mcp.example.com"}}, 0, "invalid_request", "token"},
		"Entra with a resource":                {testidp.Entra(client), json, url.Values{"resource": {"https://mcp.example.com"}}, 0, "invalid_target", "token"},
		"Cognito with offline_access":          {testidp.Cognito(client), json, url.Values{"scope": {"openid offline_access"}}, 0, "invalid_scope", "token"},
		"Keycloak with a resource":             {known(testidp.Keycloak(client)), json, url.Values{"resource": {"https://mcp.example.com"}}, 200, "access_token", "error"},
		"Keycloak with an unknown one":         {known(testidp.Keycloak(client)), json, url.Values{"resource": {"https://mcp.example.com/"}}, 0, "invalid_target", "token"},
		"Keycloak with another one later":      {testidp.Keycloak(client), json, url.Values{"resource": {"https://mcp.example.com"}, "at_token": {"https://other.example.com"}}, 400, "invalid_target", "access_token"},
		"Google with a resource later":         {testidp.Google(client), json, url.Values{"at_token": {"https://mcp.example.com"}}, 400, "invalid_request", "access_token"},
		"Entra with a resource later":          {testidp.Entra(client), json, url.Values{"at_token": {"https://mcp.example.com"}}, 400, "invalid_target", "access_token"},
		"Auth0 with an unknown audience":       {known(testidp.Auth0(client)), json, url.Values{"audience": {"https://other.example.com"}}, 0, "invalid_target", "token"},
		"Auth0 with any resource":              {known(testidp.Auth0(client)), json, url.Values{"resource": {"https://other.example.com"}}, 200, "access_token", "error"},
		"authentik without offline_access":     {testidp.Authentik(client), json, nil, 200, "id_token", "refresh_token"},
		"Okta without offline_access":          {testidp.Okta(client), json, nil, 200, "id_token", "refresh_token"},
		"GitHub's forms":                       {testidp.GitHub(client), http.Header{}, nil, 200, "access_token=", "{"},
		"GitHub's JSON":                        {testidp.GitHub(client), json, nil, 200, `"access_token":"`, "id_token"},
		"GitHub's errors with the status 200":  {testidp.GitHub(client), json, url.Values{"wrong_code": {"1"}}, 200, "bad_verification_code", "access_token"},
		"GitHub's rejection of a wrong secret": {testidp.GitHub(client), json, url.Values{"no_secret": {"1"}}, 200, "incorrect_client_credentials", "access_token"},
	} {
		t.Run(name, func(t *testing.T) {
			s := testidp.Run(t, test.behavior)
			status, body := exchange(s, test.behavior, test.header, test.with)
			require.Equal(t, test.status, status, body)
			require.Contains(t, body, test.has)
			require.NotContains(t, body, test.not)
		})
	}
}

func TestEachHostServesItsOwnEndpointsOnly(t *testing.T) {
	b := testidp.Google()
	s := testidp.Run(t, b)
	for _, test := range []struct {
		host   testidp.Host
		path   string
		status int
	}{
		{testidp.KeysHost, b.Path(testidp.PathKeys), 200},
		{testidp.MainHost, b.Path(testidp.PathKeys), 421},
		{testidp.UserInfoHost, b.Path(testidp.PathUserInfo), 401},
		{testidp.MainHost, b.Path(testidp.PathUserInfo), 421},
		{testidp.TokenHost, "/.well-known/openid-configuration", 421},
		{testidp.MainHost, "/.well-known/openid-configuration", 200},
	} {
		require.Equal(t, test.status, answer(t, http.MethodGet, s.HostURL(test.host)+test.path, "", nil).StatusCode, "%s%s", s.HostURL(test.host), test.path)
	}
}

func TestLogoutsOfTheProfiles(t *testing.T) {
	const bye = "https://app.example/bye"
	client := testidp.Client{ID: "app", ReturnTo: []string{bye}}
	for name, test := range map[string]struct {
		behavior testidp.Behavior
		query    url.Values
		status   int
	}{
		"Cognito":                       {testidp.Cognito(client), url.Values{"client_id": {"app"}, "logout_uri": {bye}}, 302},
		"Cognito, by the standard":      {testidp.Cognito(client), url.Values{"client_id": {"app"}, "post_logout_redirect_uri": {bye}}, 400},
		"Okta without id_token_hint":    {testidp.Okta(client), url.Values{"client_id": {"app"}, "post_logout_redirect_uri": {bye}}, 400},
		"Okta with one of its own make": {testidp.Okta(client), url.Values{"client_id": {"app"}, "post_logout_redirect_uri": {bye}, "id_token_hint": {"e30.e30.x"}}, 400},
		"Entra":                         {testidp.Entra(client), url.Values{"client_id": {"app"}, "post_logout_redirect_uri": {bye}}, 302},
		"Entra, by Auth0's name":        {testidp.Entra(client), url.Values{"client_id": {"app"}, "returnTo": {bye}}, 200},
		"Google":                        {testidp.Google(client), nil, 404},
	} {
		s := testidp.Run(t, test.behavior)
		got := answer(t, http.MethodGet, s.URL()+cmp.Or(test.behavior.Path(testidp.PathLogout), testidp.PathLogout)+"?"+test.query.Encode(), "", nil)
		require.Equal(t, test.status, got.StatusCode, "%s: %s", name, got.body)
	}
}

// answered is a response with its whole body.
type answered struct {
	*http.Response
	body string
}

func answer(t *testing.T, method, address, form string, header http.Header) answered {
	r, err := http.NewRequest(method, address, strings.NewReader(form))
	require.NoError(t, err)
	maps.Copy(r.Header, header)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answered{response, string(body)}
}
