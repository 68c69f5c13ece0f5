package idp

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A refresh that brings no token gives its lease back, so that the next one does not
// wait, and a token that was replaced ends its login, here and at the IdP.
func TestRefreshesThroughTheGateway(t *testing.T) {
	s := newServed(t, rotating, func(c *Config) { c.Endpoints = map[Endpoint]string{Revoke: "/revoke"} })
	refresh := func(token string) *Result {
		return s.do("POST", "/oauth/token", form("grant_type", "refresh_token", "refresh_token", token, "code", "", "code_verifier", "", "redirect_uri", ""))
	}
	first := s.sealed.granted("app", nil, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-1"}`)
	s.sealed.pass(time.Hour)

	s.respond(func(*http.Request) (*http.Response, error) { return idpResponse(503, ""), nil })
	require.Equal(t, http.StatusServiceUnavailable, refresh(first).Status)
	s.respond(func(*http.Request) (*http.Response, error) {
		return idpResponse(200, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-2"}`), nil
	})
	result := refresh(first)
	require.Equal(t, http.StatusOK, result.Status, string(result.Body))
	require.NotContains(t, string(result.Body), "idp-2")
	require.Empty(t, result.Incidents)

	s.sealed.pass(time.Hour)
	s.sent = nil
	s.respond(func(*http.Request) (*http.Response, error) { return nil, errors.New("down") })
	result = refresh(first)
	require.Equal(t, http.StatusBadRequest, result.Status)
	require.Len(t, s.sent, 1)
	require.Equal(t, "https://idp.example/revoke idp-2", s.sent[0].URL.String()+" "+s.sent[0].form.Get("token"))
	require.Equal(t, []Endpoint{Revoke}, []Endpoint{result.Calls[0].Endpoint}, "for the metrics of the IdP")
	require.Equal(t, []IncidentKind{NotRevoked, Reused}, []IncidentKind{result.Incidents[0].Kind, result.Incidents[1].Kind})
}
