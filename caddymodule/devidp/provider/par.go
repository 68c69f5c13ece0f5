package provider

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"time"

	"github.com/zitadel/oidc/v3/pkg/oidc"
)

// pushLifetime is how long a pushed request waits for its browser.
const pushLifetime = 90 * time.Second

// pushedRequest is an authorization request that came over the back channel.
type pushedRequest struct{ clientID, query string }

// push is the pushed authorization request endpoint (RFC 9126 section 2). Public
// clients may use it, too. What is wrong with the request is said at [PathAuthorize].
func (p *Provider) push(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
	if err := r.ParseForm(); err != nil {
		p.oauthProblem(w, oidc.ErrInvalidRequest().WithDescription("the form cannot be read"))
		return
	}
	form := r.PostForm
	id, secret, basic := r.BasicAuth()
	if basic {
		id, _ = url.QueryUnescape(id) // RFC 6749 section 2.3.1
		secret, _ = url.QueryUnescape(secret)
	} else {
		id, secret = form.Get("client_id"), form.Get("client_secret")
	}
	client, ok := p.clients[id]
	if !ok || client.secret != "" && p.store.AuthorizeClientIDSecret(r.Context(), id, secret) != nil {
		p.oauthProblem(w, oidc.ErrInvalidClient().WithDescription("the client is unknown, or its secret is wrong"))
		return
	}
	if form.Get("client_id") != id || form.Has("request_uri") {
		p.oauthProblem(w, oidc.ErrInvalidRequest().WithDescription("client_id has to be the client's own, and request_uri left out"))
		return
	}
	form.Del("client_secret")
	writeJSON(w, http.StatusCreated, map[string]any{
		"request_uri": p.store.push(pushedRequest{id, form.Encode()}), "expires_in": int(pushLifetime.Seconds()),
	})
}

func (s *store) push(request pushedRequest) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	uri := "urn:ietf:params:oauth:request_uri:" + rand.Text()
	s.pushes.put(uri, request, s.now())
	return uri
}

// pushed is the query of a pushed request, once.
func (s *store) pushed(uri, clientID string) (query string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	request, ok := s.pushes.get(uri, s.now())
	if !ok || request.clientID != clientID {
		return "", false
	}
	s.pushes.remove(uri)
	return request.query, true
}
