package idp

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// changing is a store in which a login changes in the moment in which it is ended. It
// does nothing for a client that has left.
type changing struct {
	replay.StateStore
	once func()
}

func (c *changing) Load(ctx context.Context, key replay.Key) ([]byte, time.Time, error) {
	if err := ctx.Err(); err != nil {
		return nil, time.Time{}, err
	}
	return c.StateStore.Load(ctx, key)
}

func (c *changing) CompareAndSwap(ctx context.Context, key replay.Key, old, replacement []byte, ttl time.Duration) (bool, error) {
	if c.once != nil {
		c.once()
		c.once = nil
		return false, ctx.Err()
	}
	return c.StateStore.CompareAndSwap(ctx, key, old, replacement, ttl)
}

// What the IdP has revoked ends here, too, whoever still waits for the answer.
func TestARevokedLoginEndsForAClientThatHasLeft(t *testing.T) {
	s := newServed(t, rotating, func(c *Config) { c.Endpoints = map[Endpoint]string{Revoke: "/revoke"} })
	s.respond(func(*http.Request) (*http.Response, error) {
		return idpResponse(200, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-rt"}`), nil
	})
	token := s.sealed.granted("app", nil, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-rt"}`)

	ctx, leave := context.WithCancel(t.Context())
	s.families = s.sealed.families(&changing{s.sealed.store, leave})
	s.respond(func(*http.Request) (*http.Response, error) { return idpResponse(200, ""), nil })
	r := s.request("POST", "/oauth/revoke", revocationForm("app", token))
	r.Request = r.WithContext(ctx)
	require.Empty(t, s.Serve(r).Incidents)
	_, _, err := s.sealed.refresh("app", token)
	require.ErrorContains(t, err, "log in again")
}

func TestWhatTheIdPSaysOfARevocation(t *testing.T) {
	for name, tt := range map[string]struct {
		status  int
		content string
		want    int
		ended   bool
	}{
		"revoked":       {204, "", 200, true},
		"not supported": {400, `{"error":"unsupported_token_type"}`, 400, true},
		"busy":          {503, `{"error":"temporarily_unavailable"}`, 503, false},
		"failed":        {500, "", 502, false},
		"no OAuth":      {404, "<html>", 502, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServed(t, rotating, func(c *Config) { c.Endpoints = map[Endpoint]string{Revoke: "/revoke"} })
			token := s.sealed.granted("app", nil, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-rt"}`)
			s.respond(func(r *http.Request) (*http.Response, error) { return idpResponse(tt.status, tt.content), nil })
			result := s.do("POST", "/oauth/revoke", revocationForm("app", token))
			require.Equal(t, tt.want, result.Status, string(result.Body))
			require.Equal(t, "idp-rt", s.sent[0].form.Get("token"))
			_, _, err := s.sealed.refresh("app", token)
			require.Equal(t, tt.ended, err != nil, err)
		})
	}
}
