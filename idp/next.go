package idp

import (
	"net"
	"net/http"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
)

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
