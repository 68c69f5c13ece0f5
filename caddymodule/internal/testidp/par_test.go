package testidp

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"
)

func TestPushedRequests(t *testing.T) {
	tn := startTenant(t, Config{Clients: []Client{
		{ID: "web", Secret: "s3cret", RedirectURIs: []string{testRedirect}},
		{ID: "native", RedirectURIs: []string{testRedirect}},
	}})
	request := func(with ...string) url.Values {
		q := url.Values{
			"client_id": {"web"}, "client_secret": {"s3cret"}, "response_type": {"code"}, "redirect_uri": {testRedirect}, "state": {"xyz"}, "scope": {"openid"},
			"code_challenge": {oauth2.S256ChallengeFromVerifier(oauth2.GenerateVerifier())}, "code_challenge_method": {"S256"},
		}
		for i := 0; i < len(with); i += 2 {
			q.Set(with[i], with[i+1])
		}
		return q
	}
	pushed := tn.post(PathPAR, request())
	require.Equal(t, http.StatusCreated, pushed.StatusCode, pushed.body)
	uri := pushed.json(t)["request_uri"].(string)
	at := func(clientID string) string {
		return PathAuthorize + "?" + url.Values{"client_id": {clientID}, "request_uri": {uri}, "scope": {"admin"}}.Encode()
	}
	require.Equal(t, http.StatusBadRequest, tn.get(at("native")).StatusCode, "another client's")
	done := tn.chooseUser(tn.get(at("web")), "ada").location(t).Query()
	require.Equal(t, "xyz", done.Get("state"))
	require.NotEmpty(t, done.Get("code"))
	require.Equal(t, http.StatusBadRequest, tn.get(at("web")).StatusCode, "used up")

	require.Equal(t, http.StatusUnauthorized, tn.post(PathPAR, request("client_secret", "wrong")).StatusCode)
	require.Equal(t, http.StatusUnauthorized, tn.post(PathPAR, request("client_id", "nobody")).StatusCode)
	require.Equal(t, http.StatusBadRequest, tn.post(PathPAR, request("request_uri", "urn:x")).StatusCode)
	require.Equal(t, http.StatusCreated, tn.post(PathPAR, request("client_id", "native")).StatusCode, "a public client")
	require.Equal(t, tn.url+PathPAR, tn.get(PathDiscovery).json(t)["pushed_authorization_request_endpoint"])
}
