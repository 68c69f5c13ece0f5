package testidp

import (
	"crypto/rand"
	"net/http"
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
	uri := "urn:ietf:params:oauth:request_uri:" + rand.Text()
	p.store.pushes.put(uri, form)
	writeJSON(w, http.StatusCreated, map[string]any{"request_uri": uri, "expires_in": int(pushLifetime.Seconds())})
}
