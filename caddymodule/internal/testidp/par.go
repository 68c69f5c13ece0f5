package testidp

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"time"
)

// pushLifetime is how long a pushed request waits for its browser.
const pushLifetime = 90 * time.Second

// push is the pushed authorization request endpoint (RFC 9126 section 2). Public
// clients may use it, too. What is wrong with the request is said at [PathAuthorize].
func (p *Provider) push(w http.ResponseWriter, r *http.Request) {
	form, client, err := p.authenticated(w, r)
	if err == nil && (form.Get("client_id") != client.ID || form.Has("request_uri")) {
		err = invalidRequest("client_id has to be the client's own, and request_uri left out")
	}
	if err != nil {
		p.oauthProblem(w, err)
		return
	}
	form.Del("client_secret")
	writeJSON(w, http.StatusCreated, map[string]any{"request_uri": p.store.push(form), "expires_in": int(pushLifetime.Seconds())})
}

func (s *store) push(request url.Values) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	uri := "urn:ietf:params:oauth:request_uri:" + rand.Text()
	s.pushes.put(uri, request, s.now())
	return uri
}

// pushed is a pushed request, once.
func (s *store) pushed(uri, clientID string) (request url.Values, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	request, ok = s.pushes.get(uri, s.now())
	if !ok || request.Get("client_id") != clientID {
		return nil, false
	}
	s.pushes.remove(uri)
	return request, true
}
