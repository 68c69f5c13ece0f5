package idp

import (
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/cookie"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// passOn is nil for a request that the next handler may have. It may see more of it
// than its path.
func (f *flow) passOn(endpoint Endpoint, verdict verdict) *Result {
	r := f.r
	if !f.policy.idp.IsKnown() && f.policy.HandsHostOver() {
		f.begin(endpoint)
		return f.end(Response{}, upstream.NotDiscovered())
	}
	if verdict == loginLookalike {
		if err := f.policy.checkLookalike(r.URL.RawQuery, sealer{Callback: f.policy.CallbackURL(r.BaseURL)}); err != nil {
			f.begin(endpoint)
			return f.end(Response{}, f.rejectPath(DeniedPath, err))
		}
	}
	if endpoint, verdict = f.policy.routeHeader(r.Header); verdict == passThrough && r.OriginalPath != "" {
		endpoint, verdict = f.policy.routeOriginal(r.Method, r.OriginalPath)
	}
	if verdict != passThrough {
		f.begin(endpoint)
		return f.end(Response{}, f.rejectRoute(verdict))
	}
	DropUpgradeToHTTP(r.Header)
	cookie.Drop(r.Header)
	return nil
}

// checkLookalike checks a request of which [Policy.route] says that it is a [loginLookalike]. The
// IdP takes the parameters of the authorization endpoint there, so that a login could
// begin without having passed the gateway (RFC 9700 section 2.1.1). What has none of
// them goes on with a login. What has some must be what the gateway itself sends to the
// IdP: a request for the callback, which finds out whose login it is, or else one that
// /authorize accepts. s is needed for the callback.
func (p *Policy) checkLookalike(rawQuery string, s sealer) error {
	q, err := params.Parse(rawQuery, "query")
	if err != nil {
		return beside(oauth.AsError(err).Description)
	}
	if !slices.ContainsFunc([]string{"response_type", "redirect_uri", "request", "request_uri"}, q.Flag) {
		return nil
	}
	if err := q.RejectRepeated(); err != nil {
		return beside(oauth.AsError(err).Description)
	}
	if p.callback != nil {
		if q.Get("redirect_uri") != s.Callback || q.Flag("request") || q.Flag("request_uri") {
			return beside("redirect_uri is not the gateway's callback")
		}
		return nil
	}
	for _, query := range asClientsSend(p.registry, &q) {
		q, e := params.Parse(query, "query")
		if err = e; err == nil {
			_, err = p.newAuthorizeRequest(p.registry.Find(q.Get("client_id")), &q)
		}
		if err == nil {
			return nil
		}
	}
	return beside(oauth.AsError(err).Description)
}

// asClientsSend are the queries with which clients could have begun a login that the
// IdP got as q: it knows several of them by one id.
func asClientsSend(registry *clients.Registry, q *params.Values) []string {
	ids := []string{q.Get("client_id")}
	for _, y := range registry.All() {
		if y.ClientID != "" && y.Client.Credentials != nil && y.IDAtIdP() == ids[0] && y.ClientID != ids[0] {
			ids = append(ids, y.ClientID)
		}
	}
	queries := make([]string, len(ids))
	for i, id := range ids {
		var query []byte
		for _, param := range q.List {
			if param.Name == "client_id" {
				param.Value = id
			}
			query = params.Append(query, param.Name, param.Value)
		}
		for _, name := range q.Flags {
			query = params.Append(query, name, "")
		}
		queries[i] = string(query)
	}
	return queries
}

// beside rejects a login that did not begin at /authorize.
func beside(why string) error {
	return oauth.Reject(oauth.InvalidRequest, "RFC 9700 section 2.1.1", "logins begin at "+Authorize.Path()+", and not at this path of the identity provider (deny_path): "+why)
}

// FilterFront is a writer for the response of the next handler to [Result.Next]. host
// is the gateway's name as the browser knows it, with or without a port.
func FilterFront(w http.ResponseWriter, host string) http.ResponseWriter {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return &frontWriter{ResponseWriter: w, host: host}
}

// frontWriter hides what else the writer can do: a connection that was taken over
// (Hijack) would carry requests past the gateway.
type frontWriter struct {
	http.ResponseWriter
	host    string
	written bool
}

// WriteHeader implements [http.ResponseWriter]. Interim responses are dropped.
func (w *frontWriter) WriteHeader(status int) {
	switch {
	case status == http.StatusSwitchingProtocols:
		status = http.StatusBadGateway
	case status < http.StatusOK:
		return
	}
	if !w.written {
		w.written = true
		filterFrontResponse(w.Header(), w.host)
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *frontWriter) Write(b []byte) (int, error) {
	if !w.written {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(b)
}

// FlushError is for [http.ResponseController].
func (w *frontWriter) FlushError() error {
	if !w.written {
		w.WriteHeader(http.StatusOK)
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// ServeNext has next serve a request that is not for the gateway. If it does not, at a
// path where clients look for what an authorization server has, the response is 404:
// a server's empty 200 would read as a registration, or as metadata. Metadata is public:
// what wants a token for it, such as a resource server with the whole site, has none.
func ServeNext(w http.ResponseWriter, r *http.Request, next func(http.ResponseWriter) error) error {
	if !isLookedFor(r.URL.Path) {
		return next(w)
	}
	watched := &watchedWriter{ResponseWriter: w, public: strings.Contains(r.URL.Path, "/.well-known/")}
	if err := next(watched); err != nil || watched.written {
		return err
	}
	w.Header().Del("WWW-Authenticate")
	w.Header().Del("Content-Length")
	e := notServed("RFC 9110 section 15.5.5", "nothing is served at this path")
	e.SetHeader(w.Header())
	w.Header().Set("Access-Control-Allow-Origin", cors.Any) // so that scripts can tell it from no answer
	w.WriteHeader(e.Status)
	_, _ = w.Write(e.AppendJSON(nil)) // a client that has left is no error
	return nil
}

// isLookedFor reports the paths of metadata (RFC 8414, RFC 9728, OpenID Connect Discovery
// 1.0), before and after the path of an issuer or a resource, and those at which clients
// of the Model Context Protocol look without metadata (its revision of 2025-03-26).
func isLookedFor(path string) bool {
	switch path {
	case "/register", "/token", Register.Path():
		return true
	}
	return strings.Contains(path, "/.well-known/oauth-authorization-server") ||
		strings.Contains(path, "/.well-known/oauth-protected-resource") ||
		strings.Contains(path, "/.well-known/openid-configuration")
}

// watchedWriter knows whether anything was written.
type watchedWriter struct {
	http.ResponseWriter
	// public drops a response of 401.
	public, dropped, written bool
}

// WriteHeader implements [http.ResponseWriter].
func (w *watchedWriter) WriteHeader(status int) {
	if w.dropped = w.dropped || w.public && !w.written && status == http.StatusUnauthorized; w.dropped {
		return
	}
	w.written = w.written || status >= http.StatusOK || status == http.StatusSwitchingProtocols
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *watchedWriter) Write(b []byte) (int, error) {
	if w.dropped {
		return len(b), nil
	}
	w.written = true
	return w.ResponseWriter.Write(b)
}

// FlushError is for [http.ResponseController], which would otherwise begin a response.
func (w *watchedWriter) FlushError() error {
	if w.dropped {
		return nil
	}
	w.written = true
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap is for [http.ResponseController].
func (w *watchedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// filterFrontResponse removes what must not pass from the header of a proxied
// front-channel response: CORS permissions, and cookies for a domain other than
// host, the gateway's name in the browser. It forbids caching.
func filterFrontResponse(h http.Header, host string) {
	for name := range h {
		if strings.HasPrefix(name, "Access-Control-") {
			delete(h, name)
		}
	}
	kept := h["Set-Cookie"][:0]
	for _, line := range h["Set-Cookie"] {
		if cookie, err := http.ParseSetCookie(line); err == nil && cookieBelongs(cookie.Domain, host) {
			kept = append(kept, line)
		}
	}
	if len(kept) == 0 {
		delete(h, "Set-Cookie")
	} else {
		h["Set-Cookie"] = kept
	}
	header.SetNoStore(h)
}

// cookieBelongs is the domain match of RFC 6265 section 5.1.3.
func cookieBelongs(domain, host string) bool {
	domain = strings.ToLower(strings.TrimPrefix(domain, "."))
	host = strings.ToLower(host)
	return domain == "" || domain == host || strings.HasSuffix(host, "."+domain)
}

// DropUpgradeToHTTP removes an upgrade to something that carries requests from the
// header of one that passes through: HTTP/2 (obsolete since RFC 9113 section 3.1), TLS
// (RFC 2817), another HTTP. A server that accepts it gets all requests after it
// past the gateway.
func DropUpgradeToHTTP(header http.Header) {
	for _, value := range header["Upgrade"] {
		for protocol := range strings.SplitSeq(strings.ToLower(value), ",") {
			protocol = strings.TrimSpace(protocol)
			if strings.HasPrefix(protocol, "h2") || strings.HasPrefix(protocol, "http") || strings.HasPrefix(protocol, "tls") {
				delete(header, "Upgrade")
				delete(header, "Http2-Settings")
				return
			}
		}
	}
}
